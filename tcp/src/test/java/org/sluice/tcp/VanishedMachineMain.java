package org.sluice.tcp;

import java.util.concurrent.TimeUnit;
import org.sluice.device.channel.TestRank;

/** Two ranks in a network of their own, which goes away while something is on its way. */
final class VanishedMachineMain {
    private VanishedMachineMain() {}

    public static void main(String[] arguments) throws Exception {
        run("ip", "link", "set", "lo", "up");
        TestRank[] ranks = TcpRanks.joined(2, TcpRanks.options("sluice.tcp.keepalive.ms", arguments[0]));
        for (int i = 0; i < 2; i++) {
            ranks[i].send(1 - i, 0, new byte[8]);
            ranks[1 - i].receive();
        }
        // Both have tried whether the other's port answers.
        Thread.sleep(1000);
        run("ip", "link", "set", "lo", "down");
        long start = System.nanoTime();
        for (int i = 0; i < 2; i++) {
            ranks[i].send(1 - i, 1, new byte[8]);
        }
        for (TestRank each : ranks) {
            System.out.println(each.awaitFailure().reason());
        }
        System.out.println(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        Runtime.getRuntime().halt(0);
    }

    private static void run(String... command) throws Exception {
        int status = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (status != 0) {
            throw new IllegalStateException(String.join(" ", command) + " ended with " + status);
        }
    }
}
