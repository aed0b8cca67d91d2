package org.sluice.device.arena;

/** Makes the arena larger, and takes back what it no longer needs. */
public interface ExtentSource {
    /**
     * A new extent of at least this many bytes, all zero.
     *
     * @throws org.sluice.device.SluiceException NO_MEMORY, with the needed and the free size
     */
    Extent extend(long bytes);

    /** Nobody uses this extent any more, nor will. */
    void giveBack(Extent extent);
}
