package org.sluice.launch;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One opening of a job by all its ranks: a rank's first connection belongs to the first round, its second, after it
 * closed, to the second, and so on. So a program may open and close several devices after one another, as long as all
 * ranks do.
 *
 * <p>Thread: the server's only.
 *
 * <p>Proof: {@code JobServerTest}.
 */
final class JobRound {
    /**
     * Rounds that are not over: a rank that opens and closes while others never come must not make the server keep
     * more.
     */
    static final int MOST = 1024;

    /** Else no rank could read the answer to the fence; 1 KB is for the rest of the frame. */
    private static final long MOST_PUT_BYTES = Frame.VALUES_LIMIT_BYTES - 1024;

    private final String id = JobId.random();
    private final JobConnection[] members;
    private final BitSet waiting = new BitSet();
    private final BitSet closed = new BitSet();
    private final BitSet died = new BitSet();
    /** By rank; null for one that has put nothing. */
    private final List<Map<String, byte[]>> putSinceFence;

    private final PutBudget[] budgets;
    /** Of all budgets together: what the answer to the fence will take, at most. */
    private long putBytes;

    private long lastStepNanos = System.nanoTime();

    JobRound(int size) {
        members = new JobConnection[size];
        budgets = new PutBudget[size];
        putSinceFence = new ArrayList<>(Collections.nCopies(size, null));
    }

    /**
     * The first round that a rank was not in so far, a new one where there is none.
     *
     * @param rounds those that are not over, oldest first
     * @return null where the rank has begun too many that the others don't come to
     */
    static JobRound next(List<JobRound> rounds, int rank, int size) {
        for (JobRound round : rounds) {
            if (!round.has(rank)) {
                return round;
            }
        }
        if (rounds.size() == MOST) {
            return null;
        }
        JobRound next = new JobRound(size);
        rounds.add(next);
        return next;
    }

    String id() {
        return id;
    }

    void join(JobConnection connection) {
        members[connection.rank] = connection;
        connection.round = this;
        lastStepNanos = System.nanoTime();
    }

    /** When a rank came last, to the round or to a fence. */
    long lastStepNanos() {
        return lastStepNanos;
    }

    /** True when the rank was here, whether it still is or not. */
    boolean has(int rank) {
        return members[rank] != null;
    }

    /** @throws Frame.Malformed where the ranks have put more than they may without a fence */
    void put(int rank, String key, byte[] value) throws Frame.Malformed {
        int bytes = PutBudget.bytes(key.getBytes(StandardCharsets.UTF_8).length, value.length);
        budgets[rank] = budgets[rank] == null ? new PutBudget() : budgets[rank];
        String wrong = budgets[rank].refuse(bytes);
        if (wrong != null) {
            throw new Frame.Malformed(wrong);
        }
        if (bytes > MOST_PUT_BYTES - putBytes) {
            throw new Frame.Malformed("the ranks' values of " + (putBytes + bytes) + " bytes before one fence; "
                    + MOST_PUT_BYTES + " are allowed in all");
        }
        putBytes += bytes;
        Map<String, byte[]> ofRank = putSinceFence.get(rank);
        if (ofRank == null) {
            ofRank = new LinkedHashMap<>();
            putSinceFence.set(rank, ofRank);
        }
        ofRank.put(key, value);
    }

    void enterFence(int rank) {
        waiting.set(rank);
        lastStepNanos = System.nanoTime();
    }

    /** The rank said goodbye. */
    void close(int rank) {
        waiting.clear(rank);
        closed.set(rank);
    }

    /** The rank went without a word. */
    void die(int rank) {
        waiting.clear(rank);
        died.set(rank);
    }

    boolean hasLeft(int rank) {
        return closed.get(rank) || died.get(rank);
    }

    /** True when all ranks were here and have left. */
    boolean isOver() {
        return closed.cardinality() + died.cardinality() == members.length;
    }

    boolean fenceIsFull() {
        return waiting.cardinality() == members.length;
    }

    /** What the fence tells everybody; the next fence starts empty. */
    byte[] completeFence() {
        int count = 0;
        for (Map<String, byte[]> ofRank : putSinceFence) {
            count += ofRank == null ? 0 : ofRank.size();
        }
        Frame.Writer frame = new Frame.Writer(Frame.VALUES).number(count);
        for (int rank = 0; rank < members.length; rank++) {
            if (putSinceFence.get(rank) != null) {
                for (Map.Entry<String, byte[]> each : putSinceFence.get(rank).entrySet()) {
                    frame.number(rank).text(each.getKey()).bytes(each.getValue());
                }
            }
        }
        Collections.fill(putSinceFence, null);
        Arrays.fill(budgets, null);
        putBytes = 0;
        waiting.clear();
        return frame.finish();
    }

    /** The connections that wait in the fence, none of them waiting any more afterwards. */
    List<JobConnection> takeWaiting() {
        List<JobConnection> all = waiting();
        waiting.clear();
        return all;
    }

    /** The connections that wait in the fence. */
    List<JobConnection> waiting() {
        List<JobConnection> all = new ArrayList<>();
        for (int rank = waiting.nextSetBit(0); rank >= 0; rank = waiting.nextSetBit(rank + 1)) {
            all.add(members[rank]);
        }
        return all;
    }

    /** A member whose time in the fence is up, or null. */
    JobConnection firstLate(long nowNanos) {
        for (int rank = waiting.nextSetBit(0); rank >= 0; rank = waiting.nextSetBit(rank + 1)) {
            if (members[rank].fenceDeadlineNanos - nowNanos < 0) {
                return members[rank];
            }
        }
        return null;
    }

    /** A rank has left, or ended without coming: no fence of this round fills any more. */
    boolean isHopeless(BitSet ended) {
        boolean hopeless = !closed.isEmpty() || !died.isEmpty();
        for (int rank = ended.nextSetBit(0); rank >= 0 && !hopeless; rank = ended.nextSetBit(rank + 1)) {
            hopeless = !has(rank);
        }
        return hopeless;
    }

    boolean someoneWaits() {
        return !waiting.isEmpty();
    }

    /** Connections of ranks that have not gone. */
    List<JobConnection> present() {
        List<JobConnection> present = new ArrayList<>();
        for (JobConnection member : members) {
            if (member != null && !hasLeft(member.rank)) {
                present.add(member);
            }
        }
        return present;
    }

    /**
     * Says which ranks a fence lacks, for instance "ranks 2, 5 did not open a device; rank 3 began to open a device but
     * did not come to the fence".
     *
     * @param ended ranks whose programs have ended
     */
    String absent(BitSet ended) {
        List<Integer> over = new ArrayList<>();
        List<Integer> unopened = new ArrayList<>();
        List<Integer> late = new ArrayList<>();
        for (int rank = 0; rank < members.length; rank++) {
            if (members[rank] == null) {
                (ended.get(rank) ? over : unopened).add(rank);
            } else if (!hasLeft(rank) && !waiting.get(rank)) {
                late.add(rank);
            }
        }
        List<String> parts = new ArrayList<>();
        addPart(parts, over, "ended without opening a device");
        addPart(parts, unopened, "did not open a device");
        addPart(parts, died.stream().boxed().toList(), "died");
        addPart(parts, closed.stream().boxed().toList(), "closed the device");
        addPart(parts, late, "began to open a device but did not come to the fence");
        return String.join("; ", parts);
    }

    private static void addPart(List<String> parts, List<Integer> ranks, String what) {
        if (!ranks.isEmpty()) {
            parts.add(RankList.text(ranks) + " " + what);
        }
    }
}
