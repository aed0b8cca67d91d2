package org.sluice.tcp;

import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;

/** Two ranks in a network of their own, which loses one packet in ten; says what was sent again before and after. */
final class LossyNetworkMain {
    private static final int MESSAGES = 300;

    private LossyNetworkMain() {}

    public static void main(String[] arguments) throws Exception {
        if (!run("ip link set lo up")) {
            throw new IllegalStateException("there is no loopback interface");
        }
        TestRank[] ranks = TcpRanks.joined(2, TcpRanks.options());
        exchange(ranks);
        long before = RetransmitsTest.sum(ranks[0]);
        // A kernel has the one, the other, or neither.
        if (!run("tc qdisc add dev lo root netem loss 3%")
                && !run("iptables -A INPUT -i lo -p tcp -m statistic --mode random --probability 0.03 -j DROP")) {
            Runtime.getRuntime().halt(RetransmitsTest.NO_LOSS);
        }
        long after = before;
        for (int round = 0; round < 50 && after == before; round++) {
            exchange(ranks);
            after = RetransmitsTest.sum(ranks[0]);
        }
        long ofPeer = ranks[0].channel.counters(1)[0].get(Counter.SOCKET_RETRANSMITS);
        System.out.println(before + " " + after + " " + ofPeer);
        Runtime.getRuntime().halt(0);
    }

    private static void exchange(TestRank[] ranks) {
        for (int i = 0; i < MESSAGES; i++) {
            ranks[0].send(1, i, new byte[8]);
        }
        for (int i = 0; i < MESSAGES; i++) {
            ranks[1].receive();
        }
    }

    private static boolean run(String command) throws Exception {
        return new ProcessBuilder(command.split(" ")).inheritIO().start().waitFor() == 0;
    }
}
