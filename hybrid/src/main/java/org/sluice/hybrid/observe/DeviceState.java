package org.sluice.hybrid.observe;

import java.util.List;
import java.util.Map;
import org.sluice.device.layer.LayerActivity;
import org.sluice.hybrid.request.RequestState;

/**
 * What one device was at, at one moment. Immutable.
 *
 * @param id of the device
 * @param job its id
 * @param isComplete false where the progress lock could not be had: then there are only counters
 * @param posted receives that no message has matched
 * @param unexpected messages that no receive has matched
 * @param waiting requests that are not over, {@code posted} included
 * @param requests of those the ones that are listed
 * @param unexpectedMessages the oldest, in words
 * @param activities of layers above the device
 * @param channels what each channel has counted, by its name, as far as it isn't 0
 * @param channelStates in words: connections, credits; last what waits for handlers
 */
public record DeviceState(
        int rank,
        int size,
        String id,
        String job,
        boolean isComplete,
        int posted,
        int unexpected,
        int waiting,
        List<RequestState> requests,
        List<String> unexpectedMessages,
        List<PeerState> peers,
        List<LayerActivity> activities,
        Map<String, Map<String, Long>> channels,
        List<String> channelStates) {}
