package org.sluice.device.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.memory.Memory;

/**
 * What every channel does that lends a sender's memory to its peers, or keeps packets where they came: rank 0 sends to
 * rank 1.
 */
public abstract class UncopiedCases extends ManyPeerCases {
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;
    private static final int MESSAGES = 60;

    private int limit;
    private ByteBuffer from;
    private final List<RemoteReference> lent = new ArrayList<>();

    @BeforeEach
    void openTwo() throws Exception {
        System.out.println(getClass().getSimpleName() + " seed " + seed);
        ranks = open(2);
        limit = ranks[0].channel.eagerLimitBytes();
        from = ByteBuffer.allocateDirect(MESSAGES + limit);
        from.put(0, randomBody(from.capacity()));
        assertTrue(ranks[0].channel.registering().register(from));
    }

    private byte[] content(int offset, int bytes) {
        byte[] content = new byte[bytes];
        from.get(offset, content);
        return content;
    }

    private int tryLend(int tag, int offset, int bytes, Object ticket) {
        RemoteReference reference = new RemoteReference();
        int result = ranks[0].channel
                .lending()
                .lend(1, 3, tag, from, Memory.address(from) + offset, bytes, reference, ticket);
        if (result == Lending.LENT) {
            lent.add(reference);
        } else {
            assertNull(reference.lease, "nothing is leased for what did not go");
        }
        return result;
    }

    private void lend(int tag, int offset, int bytes, Object ticket) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        int result;
        while ((result = tryLend(tag, offset, bytes, ticket)) == Channel.NO_RESOURCE) {
            makeRoom(deadline, tag);
        }
        assertEquals(Lending.LENT, result);
        ranks[0].channel.signal(1);
    }

    private void copy(int tag, byte[] body) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (ranks[0].trySend(1, PacketKind.EAGER, 0, tag, body, null) != Channel.SENT) {
            makeRoom(deadline, tag);
        }
    }

    /** The receiver takes what came, and says so. */
    private void makeRoom(long deadline, int tag) {
        assertTrue(System.nanoTime() < deadline, "no room for tag " + tag);
        ranks[0].drive();
        ranks[1].channel.poll(ranks[1].listener, 3);
    }

    private void awaitBack(int count) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (ranks[0].listener.loans.size() < count) {
            ranks[0].drive();
            assertTrue(
                    System.nanoTime() < deadline,
                    ranks[0].listener.loans.size() + " of " + count + " came back, failures "
                            + ranks[0].listener.failures);
        }
    }

    private void end() {
        for (RemoteReference reference : lent) {
            ranks[0].channel.reading().release(reference.lease);
        }
        Reference.reachabilityFence(from);
    }

    @Test
    void lentAndCopiedMessagesComeInTheirOrderAndEachLoanComesBackOnce() {
        List<Object> tickets = new ArrayList<>();
        Deque<byte[]> sent = new ArrayDeque<>();
        for (int tag = 0; tag < MESSAGES; tag++) {
            int bytes = tag == 7 ? limit : 1 + random.nextInt(limit);
            if (tag % 3 == 1) {
                copy(tag, content(tag, bytes));
            } else {
                lend(tag, tag, bytes, tag);
                tickets.add(tag);
            }
            sent.add(content(tag, bytes));
        }
        for (int tag = 0; tag < MESSAGES; tag++) {
            RecordingListener.Packet packet = ranks[1].receive();
            assertEquals(PacketKind.EAGER, packet.kind());
            assertEquals(tag, packet.tag());
            assertEquals(tag % 3 == 1 ? 0 : 3, packet.contextId());
            assertArrayEquals(sent.remove(), packet.body(), "message " + tag + ", seed " + seed);
        }
        awaitBack(tickets.size());
        assertEquals(
                tickets.stream()
                        .map(ticket -> new RecordingListener.Get(ticket, true))
                        .toList(),
                ranks[0].listener.loans);
        end();
    }

    @Test
    void aSenderThatLendsOneMessageGetsItsMemoryBackThoughNothingFollows() {
        for (int i = 0; i < 3; i++) {
            lend(i, 0, 100, i);
            ranks[1].receive();
            awaitBack(i + 1);
        }
        end();
    }

    @Test
    void nothingIsToldOfALoanOnceThePeerWasDisconnected() throws InterruptedException {
        int most = 0;
        while (most < MESSAGES && tryLend(most, 0, limit, most) == Lending.LENT) {
            most++;
        }
        assertTrue(most > 0);
        ranks[0].channel.disconnect(1);
        int told = ranks[0].listener.loans.size();
        for (int i = 0; i < 50; i++) {
            ranks[0].channel.poll(ranks[0].listener, 10);
            Thread.sleep(2);
        }
        assertEquals(told, ranks[0].listener.loans.size());
        assertEquals(Channel.PEER_FAILED, tryLend(1, 0, 10, "late"));
        end();
    }

    @Test
    void theHeapIsNotLent() {
        assertEquals(
                Lending.BY_COPY, ranks[0].channel.lending().lend(1, 0, 1, null, 4096, 10, new RemoteReference(), 1));
    }

    /** Keeps what it is told to, and remembers where. */
    private final class Keeper extends RecordingListener {
        final Deque<Long> addresses = new ArrayDeque<>();
        final Deque<byte[]> bodies = new ArrayDeque<>();
        int refused;

        @Override
        public void onPacket(int peer, int kind, int contextId, int tag, long address, int bytes, Object reference) {
            super.onPacket(peer, kind, contextId, tag, address, bytes, reference);
            if (tag == 1) {
                if (ranks[1].channel.keeping().keep(address)) {
                    addresses.add(address);
                    bodies.add(packets.getLast().body());
                } else {
                    refused++;
                }
            }
        }

        void assertUnchanged() {
            byte[][] all = bodies.toArray(new byte[0][]);
            int i = 0;
            for (long address : addresses) {
                byte[] now = new byte[all[i].length];
                Memory.copy(null, address, now, Memory.arrayOffset(now), now.length);
                assertArrayEquals(all[i++], now);
            }
        }

        void giveBackOldest() {
            ranks[1].channel.keeping().giveBack(addresses.remove());
            bodies.remove();
        }
    }

    private void exchange(Keeper keeper, int tag, int bytes) {
        int before = keeper.packets.size();
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        ranks[0].send(1, tag, randomBody(bytes));
        while (keeper.packets.size() == before) {
            ranks[1].channel.poll(keeper, 10);
            ranks[0].drive();
            assertTrue(System.nanoTime() < deadline, "nothing comes, " + keeper.addresses.size() + " kept");
        }
    }

    @Test
    void whatIsKeptStaysWhateverElseComes() {
        Keeper keeper = new Keeper();
        for (int i = 0; i < 3; i++) {
            exchange(keeper, 1, i * 50);
        }
        assertEquals(0, keeper.refused);
        for (int i = 0; i < many(4000); i++) {
            exchange(keeper, 2, 1 + i % limit);
        }
        keeper.assertUnchanged();
        ranks[1].channel.keeping().show(keeper.addresses.peek());
        ranks[0].channel.close();
        ranks[1].channel.poll(keeper, 10);
        keeper.assertUnchanged();
        ranks[1].channel.close();
        keeper.assertUnchanged();
        while (!keeper.addresses.isEmpty()) {
            keeper.giveBackOldest();
        }
    }

    @Test
    void onlySoMuchIsKeptAndOthersGoOn() {
        Keeper keeper = new Keeper();
        while (keeper.refused < 3) {
            exchange(keeper, 1, 8);
            assertTrue(keeper.addresses.size() < 100_000, "there is no bound");
        }
        int bound = keeper.addresses.size();
        assertNotEquals(0, bound);
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 20; i++) {
                exchange(keeper, 2, limit);
            }
            keeper.giveBackOldest();
            exchange(keeper, 1, limit);
            assertEquals(bound, keeper.addresses.size(), "what was given back is there again");
        }
        keeper.assertUnchanged();
        while (!keeper.addresses.isEmpty()) {
            keeper.giveBackOldest();
        }
        for (int i = 0; i < 2 * bound; i++) {
            exchange(keeper, 1, 8);
            keeper.giveBackOldest();
        }
        assertEquals(3, keeper.refused);
    }

    @Test
    void whatLiesElsewhereIsNotKept() {
        assertFalse(ranks[1].channel.keeping().keep(Memory.address(from)));
        assertFalse(ranks[1].channel.keeping().keep(0));
    }
}
