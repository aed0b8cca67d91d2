package org.sluice.device.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a channel and its capabilities answer by number, where an object costs too much, is never mistaken. */
@Tag("once")
final class ResultsTest {
    private static final List<Class<?>> ANSWERING = List.of(
            Channel.class,
            Coalescing.class,
            Connecting.class,
            EagerTaking.class,
            Endpoint.class,
            Keeping.class,
            Lending.class,
            Pacing.class,
            Reading.class,
            Registering.class,
            RemoteSlots.class,
            Sharing.class,
            Writing.class);

    @Test
    void noTwoResultsHaveOneNumber() throws IllegalAccessException {
        Map<Long, String> names = new HashMap<>();
        for (Class<?> each : ANSWERING) {
            for (Field field : each.getFields()) {
                String name = each.getSimpleName() + "." + field.getName();
                assertNull(names.put(((Number) field.get(null)).longValue(), name), name);
            }
        }
        assertEquals(7, names.size(), names.toString());
    }

    /** Whoever asks for a packet tells by the sign whether there was one. */
    @Test
    void aPacketThatWasTakenIsNoneOfTheOtherAnswers() {
        assertTrue(Endpoint.NOTHING < 0 && Endpoint.FOR_POLL < 0);
        assertTrue(Endpoint.taken(Integer.MAX_VALUE, Integer.MAX_VALUE) > 0);
        assertEquals(Integer.MAX_VALUE, Endpoint.takenTag(Endpoint.taken(Integer.MAX_VALUE, 0)));
        assertEquals(7, Endpoint.takenBytes(Endpoint.taken(Integer.MAX_VALUE, 7)));
    }
}
