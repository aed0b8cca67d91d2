package org.sluice.mpi;

import org.sluice.mpi.schedule.Ranks;

/**
 * The two groups of an intercommunicator, and where this rank is. Among all ranks, which are counted the same way by
 * both groups, those of the group with the lower first rank come first. Immutable.
 *
 * @param all of both groups
 * @param rank in its own group
 * @param localAt the first of the own group, among all
 * @param remoteAt the first of the other group, among all
 */
record Sides(Ranks all, int[] local, int[] remote, int rank, int localAt, int remoteAt) {
    static Sides of(int[] local, int[] remote, int rank, int deviceSize) {
        boolean isFirst = local[0] < remote[0];
        int[] members = new int[local.length + remote.length];
        System.arraycopy(isFirst ? local : remote, 0, members, 0, isFirst ? local.length : remote.length);
        System.arraycopy(
                isFirst ? remote : local,
                0,
                members,
                isFirst ? local.length : remote.length,
                isFirst ? remote.length : local.length);
        return new Sides(
                new Ranks(members, deviceSize),
                local,
                remote,
                rank,
                isFirst ? 0 : remote.length,
                isFirst ? local.length : 0);
    }

    /** This rank among all. */
    int own() {
        return localAt + rank;
    }

    boolean isRemote(int ofAll) {
        return ofAll >= remoteAt && ofAll < remoteAt + remote.length;
    }

    /** In its group, of one among all. */
    int rankOf(int ofAll) {
        return isRemote(ofAll) ? ofAll - remoteAt : ofAll - localAt;
    }
}
