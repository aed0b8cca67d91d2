package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Body;

/** What programs keep with communicators: values, names, error handlers. */
final class AttributeTest {
    private static void run(int ranks, Body body) {
        try (CommunicatorJob job = new CommunicatorJob(ranks, CommunicatorJob.Place.THREADS)) {
            job.run(30, body);
        }
    }

    /** Tells of each end, in order. */
    private static AttributeKey<String> watched(List<String> ends) {
        return AttributeKey.of(
                (communicator, value) -> value.startsWith("local") ? null : value + "'",
                (communicator, value) -> ends.add(communicator.name() + " " + value));
    }

    @Test
    void eachKeyHasAValueOfItsOwn() {
        run(1, world -> {
            AttributeKey<Integer> first = AttributeKey.create();
            AttributeKey<Integer> second = AttributeKey.inherited();
            assertNull(world.attribute(first));
            world.setAttribute(first, 1);
            world.setAttribute(second, 2);
            assertEquals(1, world.attribute(first));
            assertEquals(2, world.attribute(second));
            assertNull(Communicator.self(world.device()).attribute(first));
            Communicator duplicate = world.duplicate();
            assertNull(duplicate.attribute(first));
            assertEquals(2, duplicate.attribute(second));
            assertNull(world.split(0, 0).attribute(second));
            world.deleteAttribute(first);
            world.deleteAttribute(first);
            assertNull(world.attribute(first));
            assertThrows(IllegalArgumentException.class, () -> world.setAttribute(first, null));
            duplicate.free();
            assertThrows(IllegalStateException.class, () -> duplicate.setAttribute(first, 3));
        });
    }

    @Test
    void callbacksRunWhenMpiSaysSo() {
        run(2, world -> {
            List<String> ends = new ArrayList<>();
            AttributeKey<String> first = watched(ends);
            AttributeKey<String> second = watched(ends);
            AttributeKey<String> third = watched(ends);
            Communicator made = world.duplicate();
            made.rename("made");
            made.setAttribute(first, "a");
            made.setAttribute(second, "b");
            made.setAttribute(third, "local");
            made.setAttribute(first, "c");
            assertEquals(List.of("made a"), ends);
            made.deleteAttribute(second);
            assertEquals(List.of("made a", "made b"), ends);
            made.setAttribute(second, "d");
            Communicator duplicate = made.duplicate();
            duplicate.rename("copy");
            assertEquals("c'", duplicate.attribute(first));
            assertEquals("d'", duplicate.attribute(second));
            assertNull(duplicate.attribute(third));
            ends.clear();
            made.free();
            // What was set last goes first.
            assertEquals(List.of("made d", "made c", "made local"), ends);
            ends.clear();
            duplicate.free();
            assertEquals(List.of("copy d'", "copy c'"), ends);
        });
    }

    @Test
    void aFreedKeyServesTheValuesThatAreThere() {
        run(1, world -> {
            List<String> ends = new ArrayList<>();
            AttributeKey<String> key = watched(ends);
            Communicator made = world.duplicate();
            made.setAttribute(key, "a");
            key.free();
            assertThrows(IllegalStateException.class, () -> made.setAttribute(key, "b"));
            assertEquals("a", made.attribute(key));
            Communicator duplicate = made.duplicate();
            assertEquals("a'", duplicate.attribute(key));
            made.deleteAttribute(key);
            duplicate.free();
            assertEquals(2, ends.size());
            made.free();
            assertEquals(2, ends.size());
        });
    }

    @Test
    void aCallbackThatThrowsFailsItsCall() {
        run(2, world -> {
            boolean[] throwsNow = {true};
            AttributeKey<String> key = AttributeKey.of((communicator, value) -> value, (communicator, value) -> {
                if (throwsNow[0]) {
                    throw new UnsupportedOperationException(value);
                }
            });
            Communicator made = world.duplicate();
            made.setAttribute(key, "a");
            assertThrows(UnsupportedOperationException.class, () -> made.setAttribute(key, "b"));
            assertThrows(UnsupportedOperationException.class, () -> made.deleteAttribute(key));
            assertEquals("a", made.attribute(key));
            throwsNow[0] = false;
            made.setAttribute(key, "b");
            throwsNow[0] = world.rank() == 1;
            // The other rank doesn't wait for ever.
            if (world.rank() == 1) {
                assertEquals(
                        "b",
                        assertThrows(UnsupportedOperationException.class, made::free)
                                .getMessage());
            } else {
                made.free();
            }
            assertThrows(IllegalStateException.class, made::barrier);
            world.barrier();
        });
    }

    @Test
    void whereACopyCallbackThrowsNobodyHasADuplicate() {
        run(3, world -> {
            List<String> ends = new ArrayList<>();
            AttributeKey<String> whole = watched(ends);
            AttributeKey<String> broken = AttributeKey.of(
                    (communicator, value) -> {
                        throw new UnsupportedOperationException(value);
                    },
                    (communicator, value) -> {});
            Communicator made = world.duplicate();
            made.setAttribute(whole, "a");
            if (world.rank() == 1) {
                made.setAttribute(broken, "b");
                assertThrows(UnsupportedOperationException.class, made::duplicate);
            } else {
                IllegalStateException refused = assertThrows(IllegalStateException.class, made::duplicate);
                assertTrue(refused.getMessage().contains("another rank"), refused.getMessage());
            }
            // What was copied in vain is deleted.
            assertEquals(List.of("world.duplicate a'"), ends);
            made.deleteAttribute(broken);
            made.duplicate().free();
            made.free();
        });
    }

    @Test
    void aLayerDeletesThoseOfWhatIsNeverFreed() {
        run(1, world -> {
            List<String> ends = new ArrayList<>();
            Communicator self = Communicator.self(world.device());
            AttributeKey<String> broken = AttributeKey.of((communicator, value) -> null, (communicator, value) -> {
                throw new UnsupportedOperationException(value);
            });
            self.setAttribute(watched(ends), "a");
            self.setAttribute(broken, "b");
            self.setAttribute(watched(ends), "c");
            assertEquals(
                    "b",
                    assertThrows(UnsupportedOperationException.class, self::deleteAttributes)
                            .getMessage());
            assertEquals(List.of("self c", "self a"), ends);
            self.deleteAttributes();
        });
    }

    /** As libraries do it: a communicator of their own is cached with the program's. */
    @Test
    void callbacksMayUseCommunicators() {
        run(2, world -> {
            AttributeKey<Communicator> key =
                    AttributeKey.of((communicator, value) -> value.duplicate(), (communicator, value) -> value.free());
            Communicator made = world.duplicate();
            Communicator cached = world.duplicate();
            made.setAttribute(key, cached);
            Communicator duplicate = made.duplicate();
            Communicator copy = duplicate.attribute(key);
            copy.barrier();
            made.free();
            assertThrows(IllegalStateException.class, cached::barrier);
            copy.barrier();
            duplicate.free();
            assertThrows(IllegalStateException.class, copy::barrier);
        });
    }

    @Test
    void namesAreOfOneRankAndInErrors() {
        run(1, world -> {
            Communicator made = world.duplicate();
            assertEquals("world.duplicate", made.name());
            made.rename("halo");
            assertEquals("halo", made.name());
            assertTrue(made.toString().contains("halo"), made::toString);
            assertThrows(IllegalArgumentException.class, () -> made.rename(null));
            made.free();
            IllegalStateException freed = assertThrows(IllegalStateException.class, made::barrier);
            assertTrue(freed.getMessage().contains("halo"), freed.getMessage());
        });
    }

    // --- error handlers ----------------------------------------------------------------------------------------------

    @Test
    void aHandlerDecidesWhetherACallThrows() {
        run(2, world -> {
            Communicator made = world.duplicate();
            assertSame(ErrorHandler.THROW, made.errorHandler());
            if (world.rank() == 0) {
                for (int i = 0; i < 4; i++) {
                    made.send(new int[3], 1, 1);
                }
                made.send(new byte[3], 1, 1);
            } else {
                assertThrows(SluiceException.class, () -> made.recv(new int[2], 0, 1));
                List<RuntimeException> told = new ArrayList<>();
                made.setErrorHandler((communicator, error) -> {
                    assertSame(made, communicator);
                    told.add(error);
                });
                Status status = made.recv(new int[2], 0, 1);
                assertEquals(ErrorCode.TRUNCATED, status.error());
                assertEquals(ErrorCode.TRUNCATED, ((SluiceException) told.get(0)).code());
                status = made.recv(new int[2], 0, 1, 20, TimeUnit.SECONDS);
                assertEquals(ErrorCode.TRUNCATED, status.error());
                assertEquals(2, told.size());
                made.setErrorHandler((communicator, error) -> {
                    throw new UnsupportedOperationException(error);
                });
                assertThrows(UnsupportedOperationException.class, () -> made.recv(new int[2], 0, 1));
                assertThrows(UnsupportedOperationException.class, () -> made.receive(int[].class, 0, 1, null));
                // Wrong arguments are thrown, whoever handles errors.
                assertThrows(IllegalArgumentException.class, () -> made.recv(new int[2], 7, 1));
                assertThrows(IllegalArgumentException.class, () -> made.setErrorHandler(null));
            }
            made.free();
        });
    }

    @Test
    void collectivesTellTheHandler() {
        run(2, world -> {
            Communicator made = world.duplicate();
            List<RuntimeException> told = new ArrayList<>();
            made.setErrorHandler((communicator, error) -> told.add(error));
            // Made of it, it has the same.
            Communicator duplicate = made.duplicate();
            Communicator part = duplicate.split(0, 0);
            assertSame(made.errorHandler(), part.errorHandler());
            if (world.rank() == 0) {
                // What it sends nobody takes, and who doesn't is told of it.
                part.broadcast(new int[1], 0);
                part.allReduce(new int[1], new int[1], Reduction.SUM);
            } else {
                part.barrier();
            }
            assertEquals(1, told.size(), told::toString);
            assertTrue(told.get(0) instanceof MismatchedCallException, told::toString);
            RuntimeException own = new UnsupportedOperationException();
            part.callErrorHandler(own);
            assertSame(own, told.get(told.size() - 1));
        });
    }
}
