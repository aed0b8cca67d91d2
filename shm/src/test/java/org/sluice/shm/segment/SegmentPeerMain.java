package org.sluice.shm.segment;

import java.nio.file.Files;
import java.nio.file.Path;
import org.sluice.device.channel.TestRank;
import org.sluice.jni.os.Os;

/**
 * Rank 1 in a process of its own: exchanges facts through files, sends what it is told to, and then waits to be killed.
 */
final class SegmentPeerMain {
    private SegmentPeerMain() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        int packets = Integer.parseInt(arguments[1]);
        SegmentChannel channel = SegmentChannel.create(
                "job", 1, 2, new int[] {0}, Segments.options("sluice.shm.dir", directory.toString()), Os.calls());
        SegmentDeathProcessTest.publish(directory.resolve("facts.1"), channel.facts());
        channel.connect(0, SegmentDeathProcessTest.await(directory.resolve("facts.0")));
        SegmentDeathProcessTest.publish(directory.resolve("connected.1"), new byte[0]);
        SegmentDeathProcessTest.await(directory.resolve("connected.0"));
        channel.unlink();
        TestRank rank = new TestRank(1, channel, channel.waitWord());
        for (int i = 0; i < packets; i++) {
            rank.send(0, i, new byte[i % 1000]);
        }
        Files.createFile(directory.resolve("sent.1"));
        while (true) {
            channel.poll(rank.listener, 100);
            while (!rank.listener.packets.isEmpty()) {
                rank.send(
                        0,
                        rank.listener.packets.peek().tag(),
                        rank.listener.packets.remove().body());
            }
            Thread.sleep(1);
        }
    }
}
