package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the launcher tells of ranks that others wait for. */
final class LateRanksTest {
    private static final long LATER_NANOS = LateRanks.PATIENCE_NANOS + TimeUnit.MILLISECONDS.toNanos(1);
    private static final int SIZE = 5;

    private final List<SocketChannel> channels = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final JobRound round = new JobRound(SIZE);
    private final LateRanks late = new LateRanks();
    private Selector selector;

    @BeforeEach
    void open() throws IOException {
        selector = Selector.open();
        late.onLate(lines::add);
    }

    @AfterEach
    void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
        selector.close();
    }

    private void join(int rank, long timeoutMs) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channels.add(channel);
        channel.configureBlocking(false);
        JobConnection connection =
                new JobConnection(channel, channel.register(selector, SelectionKey.OP_CONNECT), true);
        connection.rank = rank;
        connection.fenceTimeoutMs = timeoutMs;
        round.join(connection);
    }

    private void look(long nowNanos) {
        late.look(List.of(round), new BitSet(), nowNanos);
    }

    @Test
    void theyAreNamedOnceWithHowLongTheOthersWait() throws IOException {
        join(0, 60_000);
        join(1, 20_000);
        join(4, 30_000);
        round.enterFence(0);
        round.enterFence(1);
        long last = round.lastStepNanos();
        look(last + LATER_NANOS / 2);
        assertEquals(List.of(), lines);
        look(last + LATER_NANOS);
        String expected =
                "ranks 0, 1 wait in Device.open: ranks 2, 3 did not open a device; rank 4 began to open a device but"
                        + " did not come to the fence so far; they give up after 20000 ms (sluice.open.timeout.ms)";
        assertEquals(List.of(expected), lines);
        look(last + 2 * LATER_NANOS);
        assertEquals(List.of(expected), lines);
    }

    @Test
    void whoTookLongToComeHasOthersWaitedForLonger() throws IOException {
        long seconds = 1_000_000_000;
        LateRanks patient = new LateRanks(System.nanoTime() - 12 * seconds);
        patient.onLate(lines::add);
        join(0, 60_000);
        round.enterFence(0);
        long last = round.lastStepNanos();
        patient.look(List.of(round), new BitSet(), last + 11 * seconds);
        assertEquals(List.of(), lines);
        patient.look(List.of(round), new BitSet(), last + 21 * seconds);
        assertEquals(1, lines.size());
    }

    @Test
    void whereRanksStillComeOrNobodyWaitsNothingIsSaid() throws IOException {
        join(0, 60_000);
        round.enterFence(0);
        long first = round.lastStepNanos();
        while (System.nanoTime() == first) {
            Thread.onSpinWait();
        }
        join(1, 60_000);
        look(round.lastStepNanos() + LateRanks.PATIENCE_NANOS);
        assertEquals(List.of(), lines, "it is counted from the last that came");
        round.takeWaiting();
        look(round.lastStepNanos() + LATER_NANOS);
        assertEquals(List.of(), lines);
    }
}
