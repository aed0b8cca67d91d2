package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;
import static org.sluice.device.Device.WHOLE;
import static org.sluice.hybrid.device.DeviceCases.assertFails;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.Status;

/** Mistakes of callers: told at once, with what was given and what is allowed; nothing is sent. */
interface ArgumentCases extends DeviceCases {
    private static List<Executable> sends(Device device, int dest, int tag, int contextId) {
        byte[] body = new byte[1];
        return List.of(
                () -> device.send(body, 0, WHOLE, dest, tag, contextId),
                () -> device.ssend(body, 0, WHOLE, dest, tag, contextId),
                () -> device.isend(body, 0, WHOLE, dest, tag, contextId),
                () -> device.issend(body, 0, WHOLE, dest, tag, contextId),
                () -> {
                    try (MessageBuffer buffer = device.allocate(1)) {
                        device.give(buffer, 1, dest, tag, contextId);
                    }
                });
    }

    private static List<Executable> receives(Device device, int source, int tag, int contextId) {
        byte[] body = new byte[1];
        return List.of(
                () -> device.recv(body, 0, WHOLE, source, tag, contextId, new Status()),
                () -> device.irecv(body, 0, WHOLE, source, tag, contextId),
                () -> device.probe(source, tag, contextId),
                () -> device.iprobe(source, tag, contextId),
                () -> device.mprobe(source, tag, contextId),
                () -> device.improbe(source, tag, contextId));
    }

    private static void assertRefused(List<Executable> calls, int value) {
        for (Executable call : calls) {
            String said = assertThrows(IllegalArgumentException.class, call).getMessage();
            assertTrue(said.contains(Integer.toString(value)), said);
        }
    }

    @Test
    default void tagsRanksAndContextsOutOfRange() {
        try (DeviceJob job = open(2)) {
            Device device = job.device(0);
            for (int tag : new int[] {-1, ANY_SOURCE, ANY_TAG, Integer.MIN_VALUE}) {
                assertRefused(sends(device, 1, tag, 0), tag);
                if (tag != ANY_TAG) {
                    assertRefused(receives(device, 1, tag, 0), tag);
                }
            }
            for (int rank : new int[] {-1, 2, ANY_SOURCE, ANY_TAG, Integer.MAX_VALUE}) {
                assertRefused(sends(device, rank, 1, 0), rank);
                if (rank != ANY_SOURCE) {
                    assertRefused(receives(device, rank, 1, 0), rank);
                }
            }
            for (int contextId : new int[] {-1, Integer.MIN_VALUE}) {
                assertRefused(sends(device, 1, 1, contextId), contextId);
                assertRefused(receives(device, 1, 1, contextId), contextId);
            }
            assertThrows(IllegalArgumentException.class, () -> device.channelTo(2));
            assertThrows(IllegalArgumentException.class, () -> device.acknowledge(-1));
            for (int alive = 0; alive < 2; alive++) {
                int rank = alive;
                String told = assertThrows(IllegalStateException.class, () -> device.acknowledge(rank))
                        .getMessage();
                assertTrue(told.contains("rank " + rank) && told.contains("died"), told);
            }
            assertThrows(IllegalArgumentException.class, () -> Device.open(-1));
            assertThrows(IllegalArgumentException.class, () -> Device.open(-1, Map.of()));
            assertThrows(IllegalArgumentException.class, () -> Device.open(0, Map.of("sluice.wait.spin", "1")));
            assertNull(job.device(1).iprobe(ANY_SOURCE, ANY_TAG), "nothing was sent");
        }
    }

    @Test
    default void whatIsAllowedIsSaid() {
        try (DeviceJob job = open(2)) {
            Device device = job.device(0);
            assertEquals(
                    "rank 2 is out of range; this job has ranks 0 to 1",
                    assertThrows(IllegalArgumentException.class, () -> device.send(new byte[1], 2, 1))
                            .getMessage());
            assertEquals(
                    "rank -2 (ANY_SOURCE) is for receives and probes alone; this job has ranks 0 to 1",
                    assertThrows(IllegalArgumentException.class, () -> device.isend(new byte[1], ANY_SOURCE, 1))
                            .getMessage());
            assertEquals(
                    "rank -1 is out of range; this job has ranks 0 to 1, or ANY_SOURCE",
                    assertThrows(IllegalArgumentException.class, () -> device.irecv(new byte[1], -1, 1))
                            .getMessage());
        }
    }

    @Test
    default void aReceiveWithoutAStatusIsRefusedBeforeItTakesAMessage() {
        try (DeviceJob job = open(1)) {
            Device device = job.device(0);
            Request sent = device.isend(new byte[1], 0, 1);
            String said = assertThrows(IllegalArgumentException.class, () -> device.recv(new byte[1], 0, 1, null))
                    .getMessage();
            assertTrue(said.contains("status"), said);
            assertEquals(1, device.recv(new byte[1], 0, 1).bytes());
            sent.waitFor();
        }
    }

    @Test
    default void aRequestOfSomebodyElseCannotBeWaitedFor() {
        try (DeviceJob job = open(1)) {
            Request strange = (Request) java.lang.reflect.Proxy.newProxyInstance(
                    Request.class.getClassLoader(), new Class<?>[] {Request.class}, (proxy, method, args) -> null);
            Device device = job.device(0);
            assertThrows(IllegalArgumentException.class, () -> device.waitAny(strange));
            assertThrows(IllegalArgumentException.class, () -> device.waitSome(null, strange));
            assertThrows(IllegalArgumentException.class, () -> device.waitAll(null, strange));
        }
    }

    /** Nobody makes progress on the other device: a call that took it would never return. */
    @Test
    default void aRequestOfAnotherDeviceCannotBeWaitedFor() {
        try (DeviceJob job = open(1);
                Device other = Device.open()) {
            Device device = job.device(0);
            Request own = device.irecv(new byte[1], 0, 1);
            Request foreign = other.irecv(new byte[1], 0, 1);
            for (Executable call : List.<Executable>of(
                    () -> device.waitAny(own, foreign),
                    () -> device.waitSome(null, foreign),
                    () -> device.waitAll(own, foreign))) {
                String said = assertTimeoutPreemptively(
                        Duration.ofSeconds(20),
                        () -> assertThrows(IllegalArgumentException.class, call).getMessage());
                assertTrue(said.contains("request 1 belongs to another device"), said);
            }
            assertTrue(own.cancel(), "a call that is refused leaves it as it was");
            other.send(new byte[1], 0, 1);
            assertEquals(0, other.waitAny(foreign));
        }
    }

    @Test
    default void aClosedDeviceRefusesEverything() {
        try (DeviceJob job = open(1)) {
            Device device = job.device(0);
            device.close();
            device.close();
            List<Executable> calls = new ArrayList<>(receives(device, 0, 1, 0));
            calls.addAll(sends(device, 0, 1, 0));
            calls.add(device::barrier);
            calls.add(device::progress);
            calls.add(() -> device.allocate(1));
            for (Executable call : calls) {
                String said = assertFails(ErrorCode.DEVICE_CLOSED, call).getMessage();
                assertTrue(said.contains("rank 0"), said);
            }
            assertEquals(1, device.size());
            assertTrue(device.counters().containsKey("sent.eager"), "counters stay readable");
            assertTrue(device.toString().contains("rank 0"));
        }
    }
}
