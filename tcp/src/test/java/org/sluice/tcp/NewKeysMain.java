package org.sluice.tcp;

import java.util.Arrays;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.TestRank;

/** Two ranks, of which first one and then both send so much that keys are changed many times. */
final class NewKeysMain {
    private static final int COUNT = 400;

    private NewKeysMain() {}

    public static void main(String[] arguments) {
        TestRank[] ranks = TcpRanks.joined(2, TcpRanks.options("sluice.tcp.tls", "on"));
        byte[] body = new byte[60_000];
        Arrays.fill(body, (byte) 7);
        for (int i = 0; i < COUNT; i++) {
            ranks[0].send(1, i, body);
            check(ranks[1].receive(), i, body);
        }
        for (int i = 0; i < COUNT; i++) {
            for (int rank = 0; rank < 2; rank++) {
                ranks[rank].send(1 - rank, i, body);
            }
            for (TestRank each : ranks) {
                check(each.receive(), i, body);
            }
        }
        System.out.println(3L * COUNT * body.length + " bytes");
        Runtime.getRuntime().halt(0);
    }

    private static void check(RecordingListener.Packet packet, int tag, byte[] body) {
        if (packet.tag() != tag || !Arrays.equals(packet.body(), body)) {
            throw new IllegalStateException("message " + tag + " came as " + packet.tag());
        }
    }
}
