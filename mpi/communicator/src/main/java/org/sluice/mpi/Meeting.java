package org.sluice.mpi;

import java.util.Arrays;
import org.sluice.device.Request;
import org.sluice.device.Status;
import org.sluice.device.layer.Layer;

/**
 * How two groups come to have an intercommunicator: their leaders exchange by messages, and tell their groups by
 * collectives of these. <i>Thread</i>: one.
 */
final class Meeting {
    /** Of agreements between groups. */
    private static final long OF_GROUPS = 1L << 62;
    /** Numbers of communicators have so many bits. */
    private static final int NUMBER_BITS = 26;
    /** What a leader says of its group: how many ranks, which of the device it is, the communicator's number. */
    private static final int FACTS = 3;

    private static final int FAILED = -1;

    private final Communicator local;
    private final Layer layer;
    private final int leader;
    private int other;
    private int tag;
    private int context;

    Meeting(Communicator local, int leader) {
        local.refuseFreed();
        if (leader < 0 || leader >= local.size()) {
            throw new IllegalArgumentException(
                    "the local leader is " + leader + ", and " + local + " has ranks 0 to " + (local.size() - 1));
        }
        this.local = local;
        this.layer = local.layer;
        this.leader = leader;
    }

    private boolean isLeader() {
        return local.rank() == leader;
    }

    Intercommunicator with(Communicator peer, int remoteLeader, int newTag) {
        long[] facts = new long[FACTS];
        int[] members = null;
        int[] own = local.group().members();
        if (isLeader()) {
            try {
                find(peer, remoteLeader, newTag);
                swap(new long[] {own.length, layer.device().rank(), local.number()}, facts, FACTS);
                members = new int[(int) facts[0]];
                swap(own, members, members.length);
            } catch (RuntimeException e) {
                facts[0] = FAILED;
                local.tell(facts, leader);
                throw e;
            }
        }
        local.tell(facts, leader);
        if (facts[0] == FAILED) {
            throw new IllegalStateException("no intercommunicator was made: the local leader, rank " + leader + " of "
                    + local + ", gave wrong arguments, or has lost the other group");
        }
        members = members == null ? new int[(int) facts[0]] : members;
        local.tell(members, leader);
        checkApart(own, members);
        int created = local.spaces.agree(agreement(own[leader], facts), 0, true, this::exchange);
        Sides sides = Sides.of(own, members, local.rank(), layer.device().size());
        return new Intercommunicator(local.spaces, sides, created, local.name + ".intercommunicator");
    }

    private void find(Communicator peer, int remoteLeader, int newTag) {
        if (peer == null) {
            throw new IllegalArgumentException("the communicator of the leaders is null: give one that both are in");
        }
        peer.refuseFreed();
        if (remoteLeader < 0 || remoteLeader >= peer.size() || remoteLeader == peer.rank()) {
            throw new IllegalArgumentException("the remote leader is " + remoteLeader + ": give another rank of " + peer
                    + " than this one, 0 to " + (peer.size() - 1));
        }
        if (newTag < 0) {
            throw new IllegalArgumentException("tag " + newTag + ": 0 or more");
        }
        other = peer.inDevice(remoteLeader);
        if (local.here(other) >= 0) {
            throw new IllegalArgumentException("the remote leader, rank " + remoteLeader + " of " + peer + ", is in the"
                    + " own group: give the leader of the other one");
        }
        tag = newTag;
        context = peer.context + Communicator.LEADERS;
    }

    /** Between the leaders. */
    private void swap(Object told, Object heard, int count) {
        Request sent = layer.isend(told, 0, java.lang.reflect.Array.getLength(told), other, tag, context);
        layer.recv(heard, 0, count, other, tag, context, new Status());
        sent.waitFor();
    }

    private static void checkApart(int[] own, int[] members) {
        for (int member : members) {
            if (Arrays.stream(own).anyMatch(each -> each == member)) {
                throw new IllegalArgumentException("rank " + member + " of the job is in both groups: those of an"
                        + " intercommunicator have no rank in common");
            }
        }
    }

    /** No other agreement is the same meanwhile, as the leader makes one at a time of its communicator. */
    private long agreement(long ownLeader, long[] facts) {
        boolean isOwn = ownLeader < facts[1];
        return OF_GROUPS | (isOwn ? ownLeader : facts[1]) << NUMBER_BITS | (isOwn ? local.number() : facts[2]);
    }

    /** What all ranks of both groups have in common. */
    private void exchange(long[] offered, long[] agreed) {
        local.offer(offered, agreed);
        if (isLeader()) {
            try {
                long[] others = new long[agreed.length];
                swap(agreed, others, others.length);
                for (int i = 0; i < agreed.length; i++) {
                    agreed[i] &= others[i];
                }
            } catch (RuntimeException e) {
                agreed[Spaces.IS_WILLING] = FAILED;
                local.tell(agreed, leader);
                throw e;
            }
        }
        local.tell(agreed, leader);
    }
}
