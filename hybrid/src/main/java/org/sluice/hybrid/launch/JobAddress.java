package org.sluice.hybrid.launch;

import org.sluice.device.option.Option;

/** Where a job's server listens, and the secret that opens it; the secret is never printed. */
record JobAddress(String host, int port, String token) {
    static JobAddress parse(String text, String token) {
        int colon = text.lastIndexOf(':');
        int port = -1;
        if (colon > 0) {
            try {
                port = Integer.parseInt(text.substring(colon + 1));
            } catch (NumberFormatException e) {
                port = -1;
            }
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException(Option.JOB_ADDRESS.property() + " = '" + text
                    + "': it must be host:port, as ./sluice run sets it");
        }
        return new JobAddress(text.substring(0, colon), port, token);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
