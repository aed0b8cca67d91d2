package org.sluice.mpi.schedule;

/** Ranks of a communicator, as its device numbers them. Immutable. */
public final class Ranks {
    private final int[] inDevice;
    /** By rank of the device, -1 for those that aren't in it; null where both are the same. */
    private final int[] here;

    /** @param inDevice the members, in the order of their ranks */
    public Ranks(int[] inDevice, int deviceSize) {
        this.inDevice = inDevice.clone();
        int[] inverse = new int[deviceSize];
        boolean isSame = inDevice.length == deviceSize;
        java.util.Arrays.fill(inverse, -1);
        for (int i = 0; i < inDevice.length; i++) {
            inverse[inDevice[i]] = i;
            isSame &= inDevice[i] == i;
        }
        this.here = isSame ? null : inverse;
    }

    public int size() {
        return inDevice.length;
    }

    public int inDevice(int rank) {
        return here == null ? rank : inDevice[rank];
    }

    /** -1 for one that isn't in it. */
    public int here(int rankOfDevice) {
        return here == null ? rankOfDevice : here[rankOfDevice];
    }

    /** By rank of the device, or null where both are the same. Not to be written. */
    public int[] table() {
        return here;
    }
}
