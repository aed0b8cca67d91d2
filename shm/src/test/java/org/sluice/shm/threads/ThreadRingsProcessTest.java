package org.sluice.shm.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.TestRank;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;

/** A JVM whose direct memory is less than its ranks' rings together. */
final class ThreadRingsProcessTest {
    private static final int RANKS = 8;

    /** All to all. */
    static final class Ranks {
        private Ranks() {}

        public static void main(String[] arguments) {
            int[] all = IntStream.range(0, RANKS).toArray();
            TestRank[] ranks = new TestRank[RANKS];
            for (int rank : all) {
                ByteBuffer memory = ByteBuffer.allocateDirect(WaitWord.BYTES);
                WaitWord word = new WaitWord(Memory.address(memory), memory, null);
                ranks[rank] = new TestRank(
                        rank,
                        ThreadChannel.open("job", rank, all, word, Options.of(Map.of(), Map.of(), Map.of())),
                        word);
            }
            int received = 0;
            for (TestRank from : ranks) {
                for (TestRank to : ranks) {
                    from.send(to.rank, 1, new byte[100]);
                    received += to.receive().kind() == PacketKind.EAGER ? 1 : 0;
                }
            }
            System.out.print(received);
        }
    }

    @Test
    void ringsAreNotOfTheMemoryThatBoundsDirectBuffers() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:MaxDirectMemorySize=400k",
                "-cp",
                System.getProperty("java.class.path")));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .forEach(command::add);
        command.add(Ranks.class.getName());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), output);
        assertEquals(RANKS * RANKS, Integer.parseInt(output.replaceAll("(?m)^(WARNING|OpenJDK).*\\R", "")), output);
    }
}
