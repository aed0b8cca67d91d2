package org.sluice.shm.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.TestRank;
import org.sluice.device.option.Options;

/** A peer in another process: it answers, it is killed, it is stopped; and the file system is left as it was. */
final class SegmentDeathProcessTest {
    private static final int PACKETS = 50;
    private static final long DETECTED_WITHIN_NS = 1_000_000_000L;

    @TempDir
    Path directory;

    private Process process;
    private SegmentChannel channel;
    private TestRank rank;

    static void publish(Path file, byte[] content) throws IOException {
        Path whole = Files.write(file.resolveSibling(file.getFileName() + ".part"), content);
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    }

    static byte[] await(Path file) throws Exception {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (!Files.exists(file)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(file + " did not appear");
            }
            Thread.sleep(2);
        }
        return Files.readAllBytes(file);
    }

    private void start() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path")));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of(SegmentPeerMain.class.getName(), directory.toString(), "" + PACKETS));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        channel = SegmentChannel.create(
                "job", 0, 2, new int[] {1}, Segments.options("sluice.shm.dir", directory.toString()), Segments.os());
        publish(directory.resolve("facts.0"), channel.facts());
        channel.connect(1, await(directory.resolve("facts.1")));
        publish(directory.resolve("connected.0"), new byte[0]);
        await(directory.resolve("connected.1"));
        channel.unlink();
        await(directory.resolve("sent.1"));
        rank = new TestRank(0, channel, channel.waitWord());
    }

    @AfterEach
    void stop() throws Exception {
        if (channel != null) {
            channel.close();
        }
        if (process != null) {
            process.destroyForcibly().waitFor();
            assertEquals(List.of(), segments(), Files.readString(directory.resolve("output")));
        }
    }

    private List<String> segments() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("sluice-"))
                    .collect(Collectors.toList());
        }
    }

    private void echo(int tag) {
        byte[] body = {1, 2, (byte) tag};
        rank.send(1, tag, body);
        RecordingListener.Packet back = rank.receive();
        assertEquals(tag, back.tag());
        assertArrayEquals(body, back.body());
    }

    @Test
    void aKilledPeerIsFoundAndWhatItSentComesFirst() throws Exception {
        start();
        channel.checkPeers(rank.listener);
        assertEquals(List.of(), rank.listener.failures, "it lives");
        process.destroyForcibly().waitFor();
        long begin = System.nanoTime();
        RecordingListener.Failure failure = null;
        while (failure == null) {
            channel.checkPeers(rank.listener);
            failure = rank.listener.failures.isEmpty() ? null : rank.listener.failures.get(0);
            assertTrue(System.nanoTime() - begin < DETECTED_WITHIN_NS, "not found within a second");
        }
        assertEquals(1, failure.peer());
        assertFalse(failure.corrupt());
        assertEquals("its process has ended without closing its device", failure.reason());
        assertEquals(PACKETS, rank.listener.packets.size());
        for (int i = 0; i < PACKETS; i++) {
            assertEquals(i, rank.listener.packets.remove().tag());
        }
        assertEquals(Channel.PEER_FAILED, rank.trySend(1, PacketKind.EAGER, 0, 0, new byte[1], null));
        channel.checkPeers(rank.listener);
        assertEquals(1, rank.listener.failures.size(), "told once");
    }

    @Test
    void aStoppedPeerIsAlive() throws Exception {
        start();
        rank.await(PACKETS);
        rank.listener.packets.clear();
        echo(1);
        signal("STOP");
        for (int i = 0; i < 100; i++) {
            channel.checkPeers(rank.listener);
            Thread.sleep(2);
        }
        assertEquals(List.of(), rank.listener.failures);
        signal("CONT");
        echo(2);
    }

    private void signal(String name) throws Exception {
        assertEquals(
                0,
                new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                        .start()
                        .waitFor());
    }

    @Test
    void anInterruptedCallerDoesNotLoseTheLockThatShowsItsLife() throws Exception {
        start();
        rank.await(PACKETS);
        rank.listener.packets.clear();
        Thread.currentThread().interrupt();
        channel.checkPeers(rank.listener);
        long address = channel.allocate(1 << 20);
        channel.checkPeers(rank.listener);
        assertTrue(Thread.interrupted(), "the interrupt is the caller's to see");
        channel.free(address);
        channel.checkPeers(rank.listener);
        assertEquals(List.of(), rank.listener.failures);
        echo(3);
    }

    @Test
    void aNeighbourInTheSameJvmThatClosesDoesNotTakeTheLockWithIt() throws Exception {
        SegmentChannel first = SegmentChannel.create("neighbours", 0, 2, new int[] {1}, here(), Segments.os());
        SegmentChannel second = SegmentChannel.create("neighbours", 1, 2, new int[] {0}, here(), Segments.os());
        second.connect(0, first.facts());
        Path file = Path.of(SegmentFacts.decode(0, first.facts()).path());
        second.close();
        assertEquals("locked", lookFromAnotherProcess(directory, file), "a neighbour's close gave up the owner's lock");
        first.close();
    }

    private Options here() {
        return Segments.options("sluice.shm.dir", directory.toString());
    }

    /** A program of one line, so that the lock is looked at from outside of this process. */
    static String lookFromAnotherProcess(Path directory, Path file) throws Exception {
        Path source = Files.writeString(
                directory.resolve("Look.java"),
                "class Look { public static void main(String[] a) throws Exception { try (var c ="
                        + " java.nio.channels.FileChannel.open(java.nio.file.Path.of(a[0]),"
                        + " java.nio.file.StandardOpenOption.READ)) { System.out.print(c.tryLock(0, 1, true) == null ?"
                        + " \"locked\" : \"free\"); } } }");
        Process look = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        source.toString(),
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(look.getInputStream().readAllBytes());
        assertEquals(0, look.waitFor(), output);
        return output;
    }
}
