package org.sluice.bench.memory;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a process and its kernel held at one moment, in bytes.
 *
 * @param connections ends of connections that were in the process
 * @param heap of objects that are in use
 * @param nativeBytes that are resident outside of the heap, without {@code queues}
 * @param queues that the device's driver mapped into the process
 * @param kernel objects, page tables and large pieces; {@code queues} are among them, as a driver in the kernel
 *     allocates them
 */
record MemoryReading(int connections, long heap, long nativeBytes, long queues, long kernel) {
    private static final String MARK = "memory-reading";
    private static final int FIELDS = 6;
    private static final int COLLECTIONS = 3;
    private static final int KB = 1024;

    /**
     * Collects garbage first. The heap has to be of one size, with all its pages touched: it is taken off what is
     * resident.
     */
    static MemoryReading take(int connections) throws IOException {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        long heapResident =
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted();
        List<String> maps = Files.readAllLines(Path.of("/proc/self/smaps"));
        long queues = ofDevice(maps);
        return new MemoryReading(
                connections,
                heap,
                sum(maps, "Rss:") - heapResident - queues,
                queues,
                kernel(Files.readAllLines(Path.of("/proc/meminfo"))));
    }

    /** What the mappings of RDMA devices hold. */
    static long ofDevice(List<String> smaps) {
        long bytes = 0;
        boolean isDevice = false;
        for (String line : smaps) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                isDevice = line.contains("/dev/infiniband/");
            } else if (isDevice && line.startsWith("Rss:")) {
                bytes += kilobytes(line);
            }
        }
        return bytes;
    }

    static long kernel(List<String> meminfo) {
        return sum(meminfo, "SUnreclaim:") + sum(meminfo, "VmallocUsed:") + sum(meminfo, "PageTables:");
    }

    private static long sum(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(MemoryReading::kilobytes)
                .sum();
    }

    private static long kilobytes(String line) {
        return KB * Long.parseLong(line.replaceAll("\\D", ""));
    }

    /** What Sluice and the libraries hold in the process. */
    long own() {
        return heap + nativeBytes;
    }

    /** All of it: what another connection costs is the growth of this. */
    long total() {
        return own() + kernel;
    }

    String encode() {
        return MARK + " " + connections + " " + heap + " " + nativeBytes + " " + queues + " " + kernel;
    }

    /** @return null where a line of output is something else */
    static MemoryReading parse(String line) {
        String[] words = line.split(" ");
        if (words.length != FIELDS || !words[0].equals(MARK)) {
            return null;
        }
        return new MemoryReading(
                Integer.parseInt(words[1]),
                Long.parseLong(words[2]),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                Long.parseLong(words[5]));
    }
}
