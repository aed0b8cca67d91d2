package org.sluice.hybrid.observe;

import java.util.Map;

/** An open device as those see it who look inside; found through {@link OpenDevices}. <i>Thread</i>: any. */
public interface Observed {
    int rank();

    /** Ranks of its job. */
    int size();

    /** The job's id. */
    String job();

    /** What each channel has counted, by its name, as far as it isn't 0. */
    Map<String, Map<String, Long>> channels();

    /** @param most requests, and messages, that are listed one by one */
    DeviceState state(int most);

    /** Sums over all peers and channels, by name. */
    Map<String, Long> counters();

    /** Has an action run when it closes, instead of the one before. */
    void onClose(Runnable action);

    /**
     * Writes its state where its options say.
     *
     * @param reason why, as a clause
     */
    void dump(String reason);
}
