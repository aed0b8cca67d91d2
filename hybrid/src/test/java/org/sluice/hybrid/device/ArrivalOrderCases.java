package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sluice.device.Request;
import org.sluice.device.Status;

/** Whatever comes first is taken first, also of messages that came over different channels. */
interface ArrivalOrderCases extends DeviceCases {
    /** Rank 1 receives. Each of the others follows each other one, and itself. */
    int[] SENDERS = {0, 2, 3, 0, 3, 2, 0, 0, 2, 2, 3, 3, 0};

    int GO = 100;

    /** Counts a rank's messages, so that ranks share tags, and none of theirs is probed for twice. */
    private static int tag(int number) {
        return (int) Arrays.stream(SENDERS, 0, number)
                .filter(before -> before == SENDERS[number])
                .count();
    }

    private static int bytes(int number) {
        return number % 4 == 1 ? LARGE : 8 + number;
    }

    @Test
    default void aReceiveFromAnyoneTakesWhatCameFirstOverWhicheverChannel() {
        try (DeviceJob job = open(4)) {
            RankBody sender = device -> {
                List<Request> sent = new ArrayList<>();
                for (int number = 0; number < SENDERS.length; number++) {
                    if (SENDERS[number] == device.rank()) {
                        device.recv(null, 1, GO + number);
                        sent.add(device.isend(pattern(number, bytes(number)), 1, tag(number)));
                    }
                }
                device.waitAll(sent.toArray(new Request[0]));
            };
            job.run(
                    sender,
                    device -> {
                        Set<String> channels = new HashSet<>();
                        for (int number = 0; number < SENDERS.length; number++) {
                            device.send(null, SENDERS[number], GO + number);
                            // Only now, when it is there, may the next be sent.
                            device.probe(SENDERS[number], tag(number));
                            channels.add(device.channelTo(SENDERS[number]));
                        }
                        assertEquals(new HashSet<>(channelsOfRankOne()), channels);
                        byte[] into = new byte[LARGE];
                        for (int number = 0; number < SENDERS.length; number++) {
                            Status status = device.recv(into, ANY_SOURCE, number % 3 == 0 ? tag(number) : ANY_TAG);
                            assertEquals(
                                    SENDERS[number] + " " + tag(number),
                                    status.source() + " " + status.tag(),
                                    "source and tag of message " + number);
                            assertArrayEquals(
                                    pattern(number, bytes(number)),
                                    Arrays.copyOf(into, (int) status.bytes()),
                                    "message " + number);
                        }
                    },
                    sender,
                    sender);
        }
    }

    /** By which rank 1 reaches the others. */
    List<String> channelsOfRankOne();
}
