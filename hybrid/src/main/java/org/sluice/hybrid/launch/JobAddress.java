package org.sluice.hybrid.launch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
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

    boolean isLoopback() {
        InetAddress address = new InetSocketAddress(host, port).getAddress();
        return address != null && address.isLoopbackAddress();
    }

    /** No program reaches its launcher through a proxy; and looking for one takes longer than connecting. */
    Socket connect(int patienceMs) throws IOException {
        Socket socket = new Socket(Proxy.NO_PROXY);
        try {
            socket.connect(new InetSocketAddress(host, port), patienceMs);
            KeepAlive.between(socket);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
