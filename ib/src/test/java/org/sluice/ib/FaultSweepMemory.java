package org.sluice.ib;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * By hand: what a sweep leaves of native memory and descriptors, under {@code -XX:NativeMemoryTracking=summary}. Each
 * region whose end is reported as failed stays allocated, as it was told; nothing else may.
 */
final class FaultSweepMemory {
    private static final int SWEEPS = 4;
    private static final Pattern OTHER = Pattern.compile("Other \\(.*?malloc=(\\d+)\\S* #(\\d+)", Pattern.DOTALL);

    private FaultSweepMemory() {}

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < SWEEPS; i++) {
            new FaultSweepTest().asksAndReads();
            for (int k = 0; k < 5; k++) {
                // Direct buffers go when they are collected.
                System.gc();
                Thread.sleep(100);
            }
            Matcher found = OTHER.matcher(nativeMemory());
            if (!found.find()) {
                throw new IllegalStateException("no native memory tracking: give -XX:NativeMemoryTracking=summary");
            }
            try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
                System.out.println("FaultSweepMemory: " + found.group(2) + " blocks of native memory with "
                        + found.group(1) + " bytes, " + descriptors.count() + " descriptors");
            }
        }
    }

    private static String nativeMemory() throws JMException {
        return (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "vmNativeMemory",
                        new Object[] {new String[] {"summary", "scale=1"}},
                        new String[] {String[].class.getName()});
    }
}
