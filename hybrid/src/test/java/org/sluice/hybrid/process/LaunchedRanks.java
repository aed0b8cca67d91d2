package org.sluice.hybrid.process;

import java.time.Duration;
import java.util.Map;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.launch.JobAbort;

/** Ranks that another system's launcher starts: what is asked for is the first argument. */
final class LaunchedRanks {
    private static final int TAG = 7;

    private LaunchedRanks() {}

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "ring" -> ring(Integer.parseInt(args[1]));
            case "neighbours" -> neighbours();
            case "die" -> die(Integer.parseInt(args[1]), args[2], true);
            case "vanish" -> die(Integer.parseInt(args[1]), args[2], false);
            case "absent" -> absent(Integer.parseInt(args[1]));
            case "tell" -> tell();
            case "close" -> close();
            case "wait" -> waitForEver();
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /** Opens so many devices one after the other, and sends a number around through all ranks. */
    private static void ring(int times) {
        for (int time = 0; time < times; time++) {
            try (Device device = Device.open()) {
                int[] number = {device.rank() == 0 ? 1000 * time : -1};
                int next = (device.rank() + 1) % device.size();
                int before = (device.rank() + device.size() - 1) % device.size();
                if (device.rank() == 0) {
                    device.send(number, next, TAG);
                    device.recv(number, before, TAG);
                } else {
                    device.recv(number, before, TAG);
                    number[0]++;
                    device.send(number, next, TAG);
                }
                say("rank " + device.rank() + " of " + device.size() + " has " + number[0]);
                device.barrier();
            }
        }
    }

    /** Each rank sends its number both ways round a ring, and hears of both its neighbours. */
    private static void neighbours() {
        long began = System.nanoTime();
        try (Device device = Device.open()) {
            long openMs = (System.nanoTime() - began) / 1_000_000;
            int next = (device.rank() + 1) % device.size();
            int before = (device.rank() + device.size() - 1) % device.size();
            int[] own = {device.rank()};
            int[] left = new int[1];
            int[] right = new int[1];
            Request[] all = {
                device.irecv(left, before, TAG),
                device.irecv(right, next, TAG),
                device.isend(own, next, TAG),
                device.isend(own, before, TAG)
            };
            for (Request request : all) {
                request.waitFor();
            }
            device.barrier();
            say("rank " + device.rank() + " of " + device.size() + " is between " + left[0] + " and " + right[0]);
            say("opened within " + openMs + " ms");
        }
    }

    /**
     * One rank ends in a certain way while the others wait for it.
     *
     * @param met whether all have talked before: else nobody has a connection to it, where one is needed
     */
    private static void die(int rank, String how, boolean met) throws Exception {
        try (Device device = Device.open()) {
            if (met) {
                device.barrier();
            }
            if (device.rank() == rank) {
                switch (how) {
                    case "kill" -> Runtime.getRuntime().halt(137);
                    case "signal" ->
                        new ProcessBuilder(
                                        "sh",
                                        "-c",
                                        "kill -KILL " + ProcessHandle.current().pid())
                                .start()
                                .waitFor();
                    case "exit" -> System.exit(3);
                    case "leave" -> System.exit(0);
                    case "abort" -> JobAbort.abort(5, "no input");
                    default -> throw new IllegalStateException("rank " + rank + " fails");
                }
            }
            hear(device, rank);
        }
    }

    /** One process does not open its device, and the others say who it was. */
    private static void absent(int process) throws Exception {
        if (Integer.toString(process).equals(System.getenv("PMIX_RANK"))) {
            Thread.sleep(Duration.ofSeconds(6).toMillis());
            return;
        }
        try (Device device = Device.open(Map.of("sluice.open.timeout.ms", "1500"))) {
            say("opened " + device.rank());
        } catch (SluiceException e) {
            say("refused: " + e.code() + " " + e.getMessage());
        }
    }

    private static void tell() {
        try (Device device = Device.open()) {
            say("rank " + device.rank() + " of " + device.size());
        } catch (SluiceException e) {
            say("refused: " + e.getMessage());
        }
    }

    /** Each rank closes as soon as it has nothing to do with others any more, in a job of three. */
    private static void close() {
        Device device = Device.open();
        switch (device.rank()) {
            case 0 -> device.send(new int[1], 1, TAG);
            case 1 -> device.recv(new int[1], 0, TAG);
            default -> hear(device, 0);
        }
        device.close();
        say("closed " + device.rank() + ": " + device.counters().get("connections") + " connections");
    }

    private static void hear(Device device, int peer) {
        try {
            device.recv(new int[1], peer, TAG);
        } catch (SluiceException e) {
            say("rank " + device.rank() + " heard: " + e.code() + " of " + e.peer());
        }
    }

    private static void waitForEver() {
        try (Device device = Device.open()) {
            say("rank " + device.rank() + " waits");
            device.recv(new int[1], device.rank(), TAG);
        }
    }

    /** In one write, as the launcher mixes what ranks write at once. */
    private static void say(String line) {
        System.out.print(line + "\n");
        System.out.flush();
    }
}
