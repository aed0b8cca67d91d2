package org.sluice.mpi.algorithm;

/** Where what belongs to each rank lies in a buffer, in bytes: blocks of one size one after another, or anywhere. */
public final class Blocks {
    private long block;
    private long[] at;
    private long[] bytes;
    private boolean isUniform = true;

    /** As many blocks of this size as there are ranks. */
    public void uniform(long blockBytes) {
        block = blockBytes;
        isUniform = true;
    }

    /** Blocks of any place and size, to be set one by one. */
    public void varied(int ranks) {
        if (at == null || at.length < ranks) {
            at = new long[ranks];
            bytes = new long[ranks];
        }
        isUniform = false;
    }

    public void set(int rank, long newAt, long newBytes) {
        at[rank] = newAt;
        bytes[rank] = newBytes;
    }

    public boolean isUniform() {
        return isUniform;
    }

    public long at(int rank) {
        return isUniform ? rank * block : at[rank];
    }

    public long bytes(int rank) {
        return isUniform ? block : bytes[rank];
    }
}
