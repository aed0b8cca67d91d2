package org.sluice.hybrid.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import org.sluice.device.option.Option;

/**
 * Where a job's server listens, and the secret of who may come: on loopback with a random one, or on an address that other nodes reach with one
 * that they were told.
 *
 * <p><i>Fails</i>: with what was given and what is allowed. <i>Proof</i>: {@code MeetingPlaceTest}.
 */
public final class MeetingPlace {
    /** 64 bits in hexadecimal: nobody guesses them over a network. */
    private static final int SHORTEST_TOKEN = 16;
    private static final int LONGEST_TOKEN = 256;
    private static final String LISTEN = "--listen";

    private final InetAddress host;
    private final int port;
    private final String token;

    private MeetingPlace(InetAddress host, int port, String token) {
        this.host = host;
        this.port = port;
        this.token = token;
    }

    /** For ranks of this machine. */
    static MeetingPlace loopback() {
        try {
            return new MeetingPlace(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0, JobToken.random());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * @param place {@code host:port} of this machine, as {@code 10.0.0.1:7000}; port 0 takes any
     * @param token what ranks elsewhere have in their environment; empty or null where it is missing
     */
    public static MeetingPlace of(String place, String token) {
        JobAddress address = parse(place);
        if (token == null || token.isEmpty()) {
            throw new IllegalArgumentException(LISTEN + " needs a secret that ranks elsewhere have too: set "
                    + Option.JOB_TOKEN.environmentVariable() + " to the same " + SHORTEST_TOKEN + " characters or more everywhere, as from "
                    + "openssl rand -hex 16");
        }
        if (token.length() < SHORTEST_TOKEN || token.length() > LONGEST_TOKEN) {
            throw new IllegalArgumentException(Option.JOB_TOKEN.environmentVariable() + " has " + token.length() + " characters; "
                    + SHORTEST_TOKEN + " to " + LONGEST_TOKEN + " are allowed where others can reach the job's port, as from openssl rand -hex 16");
        }
        try {
            InetAddress host = InetAddress.getByName(address.host());
            if (host.isAnyLocalAddress()) {
                throw new IllegalArgumentException(LISTEN + " " + place + ": name the one address of this machine at which the others reach it");
            }
            return new MeetingPlace(host, address.port(), token);
        } catch (IOException e) {
            throw new IllegalArgumentException(LISTEN + " " + place + ": no such host: " + address.host(), e);
        }
    }

    private static JobAddress parse(String place) {
        int colon = place.lastIndexOf(':');
        String port = place.substring(colon + 1);
        if (colon < 1 || !port.matches("\\d{1,5}") || Integer.parseInt(port) > 65_535) {
            throw new IllegalArgumentException(LISTEN + " '" + place + "': it must be HOST:PORT, with an address of this machine, as 10.0.0.1:7000");
        }
        String host = place.substring(0, colon);
        // As it is written in front of a port: [fe80::1]:7000.
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        return new JobAddress(bracketed ? host.substring(1, host.length() - 1) : host, Integer.parseInt(port), "");
    }

    String token() {
        return token;
    }

    ServerSocketChannel listen(int backlog) {
        try {
            ServerSocketChannel listener = ServerSocketChannel.open();
            try {
                listener.bind(new InetSocketAddress(host, port), backlog);
                listener.configureBlocking(false);
                return listener;
            } catch (IOException e) {
                listener.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't listen at " + host.getHostAddress() + " port " + port + ": " + e.getMessage()
                    + "; it has to be an address of this machine, and a port that no other program has", e);
        }
    }

    JobAddress address(int listening) {
        String written = host.getHostAddress();
        return new JobAddress(written.indexOf(':') < 0 ? written : "[" + written + "]", listening, token);
    }
}
