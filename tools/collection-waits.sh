#!/usr/bin/env bash
# How long a collection waits until it may begin, beside messages: collection-waits.sh [SECONDS] [BYTES] [JVM FLAG]...
# Two ranks send arrays of that length to each other, and a thread of each asks for a collection every 20 ms. Prints
# the median of the worst wait of each second, beside the same while both ranks only wait for a message.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
seconds=${1:-20} bytes=${2:-1048576}
shift $(($# < 2 ? $# : 2))
"$root/sluice" --version >/dev/null
. "$root/tools/setup.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/Waits.java" <<'JAVA'
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import jdk.jfr.consumer.RecordingStream;
import org.sluice.device.Device;

public final class Waits {
    private static final int TAG = 1;
    private static volatile boolean over;

    public static void main(String[] args) throws Exception {
        int seconds = Integer.parseInt(args[0]);
        int bytes = Integer.parseInt(args[1]);
        ConcurrentLinkedQueue<Instant> begun = new ConcurrentLinkedQueue<>();
        try (Device device = Device.open();
                RecordingStream recording = new RecordingStream()) {
            recording.enable("jdk.GarbageCollection").withoutThreshold();
            recording.onEvent("jdk.GarbageCollection", event -> begun.add(event.getStartTime()));
            recording.startAsync();
            exchange(device, bytes, System.nanoTime() + 3_000_000_000L);
            List<Instant> idle = measure(device, seconds, 0);
            List<Instant> busy = measure(device, seconds, bytes);
            // It tells of events each second.
            sleep(2500);
            Instant[] sorted = begun.toArray(new Instant[0]);
            Arrays.sort(sorted);
            System.out.printf(
                    "rank %d, %s: beside messages of %d bytes %s, beside none %s%n",
                    device.rank(), Runtime.version(), bytes, told(busy, sorted), told(idle, sorted));
            device.barrier();
        }
    }

    private static List<Instant> measure(Device device, int seconds, int bytes) throws InterruptedException {
        List<Instant> asked = new ArrayList<>();
        over = false;
        Thread collecting = new Thread(() -> {
            while (!over) {
                asked.add(Instant.now());
                System.gc();
                sleep(20);
            }
        });
        collecting.start();
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        if (bytes > 0) {
            exchange(device, bytes, end);
        } else {
            // Both wait for the other most of the time.
            while (go(device, end)) {
                sleep(200);
            }
        }
        over = true;
        collecting.join();
        return asked;
    }

    /** Rank 0 says whether it goes on. */
    private static boolean go(Device device, long end) {
        byte[] goes = {(byte) (System.nanoTime() - end < 0 ? 1 : 0)};
        if (device.rank() == 0) {
            device.send(goes, 1, TAG);
        } else {
            device.recv(goes, 0, TAG);
        }
        return goes[0] == 1;
    }

    private static void exchange(Device device, int bytes, long end) {
        byte[] out = new byte[bytes];
        byte[] in = new byte[bytes];
        int other = 1 - device.rank();
        while (go(device, end)) {
            for (int i = 0; i < 20; i++) {
                var sent = device.isend(out, other, TAG);
                device.recv(in, other, TAG);
                sent.waitFor();
            }
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The median of the worst of each second, and the worst of all, in us. */
    private static String told(List<Instant> asked, Instant[] begun) {
        List<Long> worst = new ArrayList<>();
        long second = -1;
        for (Instant each : asked) {
            int at = Arrays.binarySearch(begun, each);
            at = at < 0 ? -at - 1 : at;
            if (at == begun.length) {
                continue;
            }
            long waited = Duration.between(each, begun[at]).toNanos() / 1000;
            if (each.getEpochSecond() != second) {
                second = each.getEpochSecond();
                worst.add(0L);
            }
            worst.set(worst.size() - 1, Math.max(worst.get(worst.size() - 1), waited));
        }
        worst.sort(null);
        return worst.isEmpty()
                ? "no collection"
                : worst.get(worst.size() / 2) + " us (" + worst.get(worst.size() - 1) + " at worst, " + asked.size()
                        + " collections)";
    }
}
JAVA
javac -d "$work" -cp "$root/.build/lib/sluice.jar" "$work/Waits.java"
"$root/sluice" run -n 2 "$@" -cp "$work" Waits "$seconds" "$bytes"
