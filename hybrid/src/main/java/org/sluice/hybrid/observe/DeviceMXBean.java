package org.sluice.hybrid.observe;

import java.util.List;
import java.util.Map;

/**
 * One open device as management clients see it: {@code org.sluice:type=Device,rank=N,id=UUID}. Each attribute is read
 * when it is asked for, and takes the progress lock for a moment, but for counters.
 */
public interface DeviceMXBean {
    int getRank();

    /** Ranks in the job. */
    int getSize();

    long getPid();

    /** The job's id: the same for all its ranks. */
    String getJob();

    /** As {@code Device.counters()}: sums by name (docs/reference/counters.md). */
    Map<String, Long> getCounters();

    /** What each channel has counted by itself, by its name, as far as it isn't 0. */
    Map<String, Map<String, Long>> getChannels();

    /** By rank, this one included. */
    List<PeerState> getPeers();

    /** Receives that no message has matched. */
    int getPostedReceives();

    /** Messages that no receive has matched. */
    int getUnexpectedMessages();

    /** Requests that are not over. */
    int getWaitingRequests();

    /** What waits for whom, as text. */
    String dump();
}
