package org.sluice.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;

/**
 * Where a job's server listens for ranks of other nodes, and the secret of who may come.
 *
 * <p><i>Fails</i>: with what was given and what is allowed. <i>Proof</i>: {@code MeetingPlaceTest}.
 */
public final class MeetingPlace {
    private static final String LISTEN = "--listen";

    /** Null for all. */
    private final InetAddress host;

    private final int port;
    private final JobSecret secret;

    private MeetingPlace(InetAddress host, int port, JobSecret secret) {
        this.host = host;
        this.port = port;
        this.secret = secret;
    }

    /**
     * @param place {@code host:port} of this machine, as {@code 10.0.0.1:7000}; port 0 takes any
     * @param secretFile the path of a file of this user alone that ranks elsewhere have too; empty or null where it is
     *     missing
     */
    public static MeetingPlace of(String place, String secretFile) {
        int colon = place.lastIndexOf(':');
        String port = place.substring(colon + 1);
        if (colon < 1 || !port.matches("\\d{1,5}") || Integer.parseInt(port) > 65_535) {
            throw new IllegalArgumentException(LISTEN + " '" + place
                    + "': it must be HOST:PORT, with an address of this machine, as 10.0.0.1:7000");
        }
        String written = place.substring(0, colon);
        // As it is written in front of a port: [fe80::1]:7000.
        boolean bracketed = written.startsWith("[") && written.endsWith("]");
        String name = bracketed ? written.substring(1, written.length() - 1) : written;
        JobSecret secret = JobSecret.ofFile(secretFile);
        try {
            InetAddress host = InetAddress.getByName(name);
            if (host.isAnyLocalAddress()) {
                throw new IllegalArgumentException(
                        LISTEN + " " + place + ": name the one address of this machine at which the others reach it");
            }
            return new MeetingPlace(host, Integer.parseInt(port), secret);
        } catch (IOException e) {
            throw new IllegalArgumentException(LISTEN + " " + place + ": no such host: " + name, e);
        }
    }

    /** At any address of this machine and any port, with a secret that nobody has heard of. */
    static MeetingPlace anywhere(JobSecret secret) {
        return new MeetingPlace(null, 0, secret);
    }

    JobSecret secret() {
        return secret;
    }

    ServerSocketChannel listen(int backlog) {
        try {
            ServerSocketChannel listener = ServerSocketChannel.open();
            try {
                listener.bind(host == null ? new InetSocketAddress(port) : new InetSocketAddress(host, port), backlog);
                listener.configureBlocking(false);
                return listener;
            } catch (IOException e) {
                listener.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "can't listen at " + (host == null ? "any address," : host.getHostAddress()) + " port " + port
                            + ": " + e.getMessage()
                            + "; it has to be an address of this machine, and a port that no other program has",
                    e);
        }
    }

    JobAddress address(int listening) {
        return address(host.getHostAddress(), listening);
    }

    JobAddress address(String written, int listening) {
        return JobAddress.parse((written.indexOf(':') < 0 ? written : "[" + written + "]") + ":" + listening, secret);
    }
}
