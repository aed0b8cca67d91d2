package org.sluice.ib;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.sluice.device.buffer.MemoryOwner;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.PutResult;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.ib.connect.ConnectionState;

/**
 * Program of {@link SteppedDeathRxeTest}: takes part in one job after the other as rank 1, does the same in each, and
 * stands still in each at another step. All of them die when the process is killed.
 *
 * <p>Lines in: {@code begin NUMBER STEP}, {@code peer NUMBER FACTS}; out: {@code facts}, {@code met}, then
 * {@code stopped CALL} or {@code over}.
 */
final class SteppedPeer {
    static final int ECHO = 1;
    static final int FLOOD = 2;
    static final int TAKE = 3;
    static final int ASK = 4;
    static final int DONE = 5;
    /** Packets that come in a row: more than a quiet peer may send, so that there is news of credit. */
    static final int FLOOD_PACKETS = 12;
    /** Two pieces. */
    static final int LONG = 300_000;

    private final boolean asks;
    private final boolean writes;
    private final Options options;
    private final Map<Integer, TestRank> ranks = new HashMap<>();

    private SteppedPeer(boolean asks, boolean writes) {
        this.asks = asks;
        this.writes = writes;
        this.options = options(writes);
    }

    static Options options(boolean writes) {
        return VerbsRanks.options(Map.of(
                "sluice.ib.slots",
                "64",
                "sluice.ib.send.slots",
                "64",
                "sluice.ib.body.bytes",
                "1k",
                "sluice.ib.rendezvous",
                writes ? "write" : "read",
                "sluice.close.timeout.ms",
                "2000"));
    }

    public static void main(String[] args) throws IOException {
        SteppedPeer peer = new SteppedPeer(args[0].equals("asks"), args[1].equals("write"));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            if (words[0].equals("begin")) {
                peer.begin(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
            } else {
                peer.meet(Integer.parseInt(words[1]), HexFormat.of().parseHex(words[2]));
            }
        }
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private void begin(int number, int step) {
        StoppingVerbs verbs = new StoppingVerbs(VerbsRanks.verbs(), call -> say("stopped " + call));
        TestRank rank = VerbsRanks.rank(1, 3, options, verbs.calls(), null);
        verbs.stopAt(step);
        ranks.put(number, rank);
        say("facts " + HexFormat.of().formatHex(VerbsRanks.channel(rank).facts()));
    }

    private void meet(int number, byte[] facts) {
        TestRank rank = ranks.get(number);
        VerbsRanks.channel(rank).add(0, facts);
        say("met");
        Thread thread = new Thread(() -> {
            try {
                act(rank);
                say("over");
            } catch (Throwable e) {
                say("wrong " + e);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void act(TestRank rank) {
        if (asks) {
            VerbsRanks.channel(rank).want(0);
        }
        while (VerbsRanks.channel(rank).state(0) != ConnectionState.READY) {
            rank.drive();
        }
        for (int i = 0; i < 3; i++) {
            rank.send(0, ECHO, new byte[100]);
            rank.receive();
        }
        rank.send(0, FLOOD, new byte[0]);
        for (int i = 0; i < FLOOD_PACKETS; i++) {
            rank.receive();
        }
        ByteBuffer memory = ByteBuffer.allocateDirect(LONG);
        RemoteReference own = new RemoteReference();
        if (writes) {
            offer(rank, 0, memory, own);
        } else {
            describe(rank, 0, memory, own);
        }
        rank.send(0, TAKE, body(own));
        rank.receive();
        RemoteReference source = own;
        if (writes) {
            rank.channel.writing().takeBack(0, own.lease);
            source = new RemoteReference();
            describe(rank, 0, memory, source);
        }
        rank.send(0, ASK, new byte[0]);
        RemoteReference theirs = reference(rank.receive());
        for (int at = 0; at < LONG; at += LONG / 2) {
            while (!move(rank, 0, writes, source, memory, theirs, at)) {
                rank.drive();
            }
        }
        while (rank.listener.gets.size() + rank.listener.puts.size() < 2) {
            rank.drive();
        }
        rank.channel.reading().release(source.lease);
        rank.send(0, DONE, new byte[0]);
        Reference.reachabilityFence(memory);
        rank.channel.close();
    }

    static void describe(TestRank rank, int peer, ByteBuffer memory, RemoteReference into) {
        check(rank.channel
                .reading()
                .describe(peer, MemoryOwner.of(memory, null), null, Memory.address(memory), memory.capacity(), into));
    }

    static void offer(TestRank rank, int peer, ByteBuffer memory, RemoteReference into) {
        check(rank.channel
                .writing()
                .offer(peer, MemoryOwner.of(memory, null), null, Memory.address(memory), memory.capacity(), into));
    }

    private static void check(boolean isDone) {
        if (!isDone) {
            throw new IllegalStateException("the channel refused memory that it can move");
        }
    }

    /**
     * One half of the memory: written, or read, as the ranks agree.
     *
     * @return whether it was begun; else there is no room now
     */
    static boolean move(
            TestRank rank,
            int peer,
            boolean writes,
            RemoteReference source,
            ByteBuffer memory,
            RemoteReference theirs,
            int at) {
        if (writes) {
            PutResult put =
                    rank.channel.writing().put(peer, source, Memory.address(memory) + at, LONG / 2, theirs, at, at);
            check(put != PutResult.FAILED);
            return put == PutResult.STARTED;
        }
        GetResult get = rank.channel
                .reading()
                .get(peer, theirs, at, MemoryOwner.of(memory, null), null, Memory.address(memory) + at, LONG / 2, at);
        check(get == GetResult.STARTED || get == GetResult.NO_RESOURCE);
        return get == GetResult.STARTED;
    }

    static byte[] body(RemoteReference reference) {
        return ByteBuffer.allocate(16)
                .putLong(reference.key)
                .putLong(reference.address)
                .array();
    }

    static RemoteReference reference(RecordingListener.Packet packet) {
        ByteBuffer body = ByteBuffer.wrap(packet.body());
        RemoteReference reference = new RemoteReference();
        reference.set(body.getLong(), body.getLong(), null);
        return reference;
    }
}
