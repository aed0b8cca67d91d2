package org.sluice.bench.contestant;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What joins the ranks of a race over TCP, the same for all contestants: a veth pair between this machine's network
 * namespace, in which the first half of the ranks is, and another, in which the others are. Where such a pair can't be
 * made, which takes root, it is loopback.
 *
 * <p>The other namespace is held by a process that ends with this one, however that ends, and the pair goes with it.
 */
public final class Wire {
    /** As every contestant on loopback, where nobody asks for more. */
    static final Wire LOOPBACK =
            new Wire("lo", "127.0.0.0/8", InetAddress.getLoopbackAddress(), null, null, "over loopback");

    private static final long LIMIT_S = 10;
    /** Of RFC 2544's networks for measuring, which nobody else uses. */
    private static final String ADDRESSES = "198.19.";

    private static final int ADDRESSES_MOST = 250;

    /** Says so when the pair is there, and stays until nobody can write to it any more. */
    private static final String HOLDER = "echo ready; exec cat >/dev/null";

    /** With the name of the device, the process in the other namespace, and the addresses of both ends. */
    private static final String SETUP = """
        set -e
        ip link add "$1" type veth peer name "$1" netns "$2"
        ip address add "$3/30" dev "$1"
        ip link set "$1" up
        nsenter --net="/proc/$2/ns/net" sh -c '
            ip link set lo up && ip address add "$2/30" dev "$1" && ip link set "$1" up' sh "$1" "$4"
        """;

    private final String device;
    private final String network;
    private final InetAddress here;
    private final InetAddress there;
    /** What keeps the other namespace: it would end if nobody knew of it any more. */
    private final Process holder;

    private final String meaning;

    private Wire(String device, String network, InetAddress here, InetAddress there, Process holder, String meaning) {
        this.device = device;
        this.network = network;
        this.here = here;
        this.there = there;
        this.holder = holder;
        this.meaning = meaning;
    }

    /** The one of this process, which is made at the first call. */
    public static Wire get() {
        return Made.WIRE;
    }

    private static final class Made {
        static final Wire WIRE = make();
    }

    private static Wire make() {
        try {
            Process process = new ProcessBuilder("unshare", "--net", "sh", "-c", HOLDER)
                    .redirectErrorStream(true)
                    .start();
            String line = process.inputReader().readLine();
            if (!"ready".equals(line)) {
                return loopback(line);
            }
            return pairWith(process);
        } catch (IOException e) {
            return loopback(e.getMessage());
        }
    }

    private static Wire loopback(String why) {
        return new Wire(
                LOOPBACK.device,
                LOOPBACK.network,
                LOOPBACK.here,
                null,
                null,
                "over loopback, all contestants alike, as there is no pair of network namespaces (" + why + ")");
    }

    /** Another harness may have the first numbers. */
    private static Wire pairWith(Process holder) throws IOException {
        String said = "";
        for (int i = 1; i <= ADDRESSES_MOST; i++) {
            String device = "slb" + i;
            String prefix = ADDRESSES + i + ".";
            Process setup = new ProcessBuilder(
                            "sh", "-c", SETUP, "sh", device, Long.toString(holder.pid()), prefix + 1, prefix + 2)
                    .redirectErrorStream(true)
                    .start();
            said = new String(setup.getInputStream().readAllBytes()).strip();
            if (ended(setup)) {
                return new Wire(
                        device,
                        prefix + "0/30",
                        address(prefix + 1),
                        address(prefix + 2),
                        holder,
                        "over a veth pair between two network namespaces");
            }
            if (!said.contains("File exists")) {
                break;
            }
        }
        return loopback(said.lines().findFirst().orElse("it could not be made"));
    }

    private static boolean ended(Process setup) throws IOException {
        try {
            return setup.waitFor(LIMIT_S, TimeUnit.SECONDS) && setup.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static InetAddress address(String text) throws UnknownHostException {
        return InetAddress.getByName(text);
    }

    /** For titles. */
    public String meaning() {
        return meaning;
    }

    boolean isLoopback() {
        return there == null;
    }

    /** Of the network interface, which is called so at both ends. */
    String device() {
        return device;
    }

    /** As {@code address/bits}. */
    String network() {
        return network;
    }

    /** Where ranks at both ends reach this process. */
    InetAddress here() {
        return here;
    }

    /** Where a rank is reached. */
    InetAddress address(int rank, int ranks) {
        return isThere(rank, ranks) && !isLoopback() ? there : here;
    }

    /** Of the second half. */
    static boolean isThere(int rank, int ranks) {
        return rank >= ranks - ranks / 2;
    }

    /** The kernel's folder of the network in which a rank is. */
    String tables(int rank, int ranks) {
        return isThere(rank, ranks) && !isLoopback() ? "/proc/" + holder.pid() + "/net" : "/proc/net";
    }

    /** Words before the command of a rank, which bring it to where it belongs. */
    List<String> prefix(int rank, int ranks) {
        return isThere(rank, ranks) && !isLoopback()
                ? List.of("nsenter", "--net=/proc/" + holder.pid() + "/ns/net", "--")
                : List.of();
    }
}
