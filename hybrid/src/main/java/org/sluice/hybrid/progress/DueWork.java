package org.sluice.hybrid.progress;

/** The program's own work that messages bring, item by item; see {@link Serving}. */
public interface DueWork {
    /** Whether there is an item. Under the lock. */
    boolean isDue();

    /** Whether the calling thread may run items. Under the lock. */
    boolean runsHere();

    /** Takes the next item, if there is one. Under the lock. */
    boolean begin();

    /** Runs it; not under the lock. Throws nothing. */
    void run();

    /** It is over. Under the lock. */
    void end();
}
