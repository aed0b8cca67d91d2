package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Stack;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opentest4j.AssertionFailedError;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Message;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Objects: what comes is what was sent, what isn't allowed is refused, and consumed, and bad bytes do nothing else. */
final class ObjectSpaceTest {
    private static final String OPTION = "sluice.mpi.objects";

    private record Point(int x, BigInteger y, List<String> names) implements Serializable {}

    private interface Named extends Serializable {
        String name();
    }

    private static final class Unserializable {}

    private static void run(int ranks, Map<String, String> options, CommunicatorJob.Body body) {
        try (CommunicatorJob job = new CommunicatorJob(ranks, Place.THREADS, options)) {
            job.run(body);
        }
    }

    private static Object any(Random random) {
        switch (random.nextInt(6)) {
            case 0:
                return null;
            case 1:
                return "x".repeat(random.nextInt(100_000));
            case 2:
                return new Point(random.nextInt(), new BigInteger(80, random), List.of("a", "b"));
            case 3:
                return List.of(random.nextInt(), random.nextLong(), LocalDate.ofEpochDay(random.nextInt(10_000)));
            case 4:
                return new TreeMap<>(Map.of("k" + random.nextInt(), new BigDecimal("1.50")));
            default:
                return new ArrayList<>(Arrays.asList(random.nextDouble(), null, 'c'));
        }
    }

    private static List<Object> each(int count, Random random) {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(any(random));
        }
        return all;
    }

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM", "MIXED"})
    void allThatIsSentComes(Place place) {
        long seed = System.nanoTime();
        int ranks = 2 + (int) Math.floorMod(seed, 4L);
        System.out.println("ObjectSpaceTest: " + place + ", " + ranks + " ranks, seed " + seed);
        try (CommunicatorJob job = new CommunicatorJob(ranks, place)) {
            job.run(world -> {
                // The same numbers at all ranks: each knows what all of them send.
                Random random = new Random(seed);
                ObjectSpace<Object> objects = world.objects();
                for (int i = 0; i < 25; i++) {
                    step(objects, world.rank(), ranks, random);
                }
            });
        }
    }

    private static void step(ObjectSpace<Object> objects, int rank, int ranks, Random random) {
        BinaryOperator<Object> joined = (left, right) -> left + "," + right;
        List<Object> all = each(ranks, random);
        int root = random.nextInt(ranks);
        assertEquals(all.get(root), objects.broadcast(rank == root ? all.get(root) : null, root));
        assertEquals(rank == root ? all : null, objects.gather(all.get(rank), root));
        assertEquals(all, objects.allGather(all.get(rank)));
        assertEquals(all.get(rank), objects.scatter(rank == root ? all : null, root));
        List<List<Object>> table = new ArrayList<>();
        for (int i = 0; i < ranks; i++) {
            table.add(each(ranks, random));
        }
        List<Object> column = new ArrayList<>();
        table.forEach(row -> column.add(row.get(rank)));
        assertEquals(column, objects.allToAll(table.get(rank)));
        assertEquals(rank == root ? join(all, ranks) : null, objects.reduce(all.get(rank), joined, root));
        assertEquals(join(all, ranks), objects.allReduce(all.get(rank), joined));
        assertEquals(join(all, rank + 1), objects.scan(all.get(rank), joined));
        assertEquals(rank == 0 ? null : join(all, rank), objects.exclusiveScan(all.get(rank), joined));
        int before = (rank + ranks - 1) % ranks;
        assertEquals(all.get(before), objects.sendReceive(all.get(rank), (rank + 1) % ranks, 3, before, 3));
    }

    private static Object join(List<Object> all, int count) {
        Object result = all.get(0);
        for (Object next : all.subList(1, count)) {
            result = result + "," + next;
        }
        return result;
    }

    @Test
    void messagesInAllForms() {
        run(2, Map.of(), world -> {
            ObjectSpace<Object> objects = world.objects();
            if (world.rank() == 0) {
                objects.send("first", 1, 1);
                objects.ssend("second", 1, 2);
                Request request = objects.isend(new int[] {1, 2}, 1, 3);
                objects.issend(Map.of(), 1, 4).waitFor();
                request.waitFor();
                objects.send("to nobody", MessageSpace.PROC_NULL, 1);
                assertNull(objects.receive(MessageSpace.PROC_NULL, 1));
                return;
            }
            Status status = new Status();
            assertEquals("first", objects.receive(Device.ANY_SOURCE, Device.ANY_TAG, status));
            assertEquals(0, status.source());
            assertEquals(1, status.tag());
            assertTrue(status.bytes() > 5, status::toString);
            assertEquals("second", objects.receive(0, 2));
            Message message = world.mprobe(0, 3);
            assertArrayEquals(new int[] {1, 2}, (int[]) objects.receive(message, status));
            assertEquals(Map.of(), objects.receive(0, 4));
        });
    }

    /** Both ranks would wait for ever if what they have begun to receive came only when they wait for that. */
    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM"})
    void whatWasBegunComesWhileItsRankWaitsForItsOwnSend(Place place) {
        try (CommunicatorJob job = new CommunicatorJob(2, place)) {
            job.run(world -> {
                ObjectSpace<Object> objects = world.objects();
                int other = 1 - world.rank();
                String large = "x".repeat(300_000) + world.rank();
                ObjectReceive<Object> receive = objects.ireceive(other, 1);
                objects.send(large, other, 1);
                ObjectReceive<Object> small = objects.ireceive(other, 2);
                objects.ssend("small", other, 2);
                assertTrue(((String) receive.waitFor()).endsWith("x" + other));
                assertEquals("small", small.waitFor());
            });
        }
    }

    /** In a communicator whose ranks are others than the device's. */
    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM"})
    void receivesThatAreBegun(Place place) {
        try (CommunicatorJob job = new CommunicatorJob(2, place)) {
            job.run(all -> {
                Communicator world = all.split(0, -all.rank());
                ObjectSpace<Object> objects = world.objects();
                String large = "x".repeat(300_000);
                if (world.rank() == 0) {
                    world.recv(new int[1], 1, 9);
                    objects.send("first", 1, 1);
                    Request sent = objects.isend(large, 1, 1);
                    objects.send("by tag", 1, 2);
                    objects.ssend(new File("name"), 1, 3);
                    objects.send("last", 1, 1);
                    sent.waitFor();
                } else {
                    receiveBegun(world, objects, large);
                }
            });
        }
    }

    private static void receiveBegun(Communicator world, ObjectSpace<Object> objects, String large) {
        ObjectReceive<Object> cancelled = objects.ireceive(0, 1);
        ObjectReceive<Object> first = objects.ireceive(0, 1);
        ObjectReceive<Object> second = objects.ireceive(Device.ANY_SOURCE, 1);
        ObjectReceive<Object> byTag = objects.ireceive(0, 2);
        ObjectReceive<Object> refused = objects.ireceive(0, 3);
        assertNull(first.arrival().test());
        assertTrue(cancelled.arrival().cancel());
        world.send(new int[1], 0, 9);
        Status status = new Status();
        assertEquals("by tag", byTag.waitFor(status));
        assertEquals(0, status.source());
        assertEquals(2, status.tag());
        assertTrue(status.bytes() > 6, status::toString);
        world.waitAll(second.arrival(), refused.arrival());
        assertEquals(large, second.waitFor());
        assertEquals("first", first.waitFor());
        assertSame(first.waitFor(), first.waitFor(status));
        assertEquals(1, status.tag());
        ObjectRefusedException thrown = assertThrows(ObjectRefusedException.class, refused::waitFor);
        assertEquals(0, thrown.rank());
        assertEquals("last", objects.receive(0, 1));
        SluiceException gone = assertThrows(SluiceException.class, cancelled::waitFor);
        assertEquals(ErrorCode.CANCELLED, gone.code());
        assertNull(objects.ireceive(MessageSpace.PROC_NULL, 1).waitFor(status));
        assertEquals(MessageSpace.PROC_NULL, status.source());
        assertThrows(IllegalArgumentException.class, () -> objects.ireceive(2, 1));
        assertThrows(IllegalArgumentException.class, () -> objects.ireceive(0, -7));
    }

    @Test
    void valuesOfTheJdkAreTaken() {
        Point point = new Point(1, BigInteger.TEN, List.of());
        TreeMap<String, Integer> descending = new TreeMap<>(Comparator.reverseOrder());
        descending.put("a", 1);
        List<Object> values = List.of(
                true,
                (byte) 1,
                (short) 2,
                'c',
                3,
                4L,
                5f,
                6d,
                "text",
                new BigDecimal("7.0"),
                Duration.ofMillis(1),
                ZonedDateTime.now(ZoneId.of("UTC")),
                new UUID(1, 2),
                BitSet.valueOf(new long[] {5}),
                TimeUnit.DAYS,
                descending,
                EnumSet.of(ErrorCode.NONE),
                new EnumMap<>(Map.of(ErrorCode.NONE, point)),
                Collections.unmodifiableList(Arrays.asList(point, null)),
                Map.of("k", List.of(1, 2, 3)));
        // Enums of other jars are others' classes, and java.util.concurrent's are no values.
        run(1, Map.of(OPTION, "java.util.concurrent.TimeUnit;org.sluice.device.ErrorCode"), world -> {
            ObjectSpace<Object> objects = world.objects();
            for (Object value : values) {
                Object back = objects.sendReceive(value, 0, 1, 0, 1);
                assertEquals(value, back);
            }
            Object[] array = {1, "two", new double[] {3}, new ArrayDeque<>(List.of(4)).peek(), null, new Point[] {point}
            };
            assertTrue(Arrays.deepEquals(array, (Object[]) objects.sendReceive(array, 0, 1, 0, 1)));
            assertNotSame(point, objects.allGather(point).get(0));
            assertSame(point, objects.broadcast(point, 0));
        });
    }

    @Test
    void whatIsNotAllowedIsRefusedAndConsumed() {
        run(2, Map.of(), world -> {
            ObjectSpace<Object> objects = world.objects();
            if (world.rank() == 1) {
                objects.send(List.of(new File("name")), 0, 1);
                objects.send("next", 0, 1);
            } else {
                Status status = new Status();
                ObjectRefusedException refused =
                        assertThrows(ObjectRefusedException.class, () -> objects.receive(1, 1, status));
                assertEquals(1, refused.rank());
                assertEquals(1, status.source());
                String words = refused.getMessage();
                assertTrue(words.contains("rank 1 of world"), words);
                assertTrue(words.contains("java.io.File"), words);
                assertTrue(words.contains(OPTION + "=java.io.File"), words);
                assertEquals("next", objects.receive(1, 1));
            }
            List<Object> all = List.of("fine", new File("bad"));
            ObjectRefusedException refused =
                    assertThrows(ObjectRefusedException.class, () -> objects.allGather(all.get(world.rank())));
            assertEquals(1, refused.rank());
            assertEquals(List.of(0, 1), objects.allGather(world.rank()), "the communicator goes on");
        });
        run(1, Map.of(OPTION, "java.io.File"), world -> {
            File file = new File("name");
            assertEquals(file, world.objects().sendReceive(file, 0, 1, 0, 1));
        });
        run(1, Map.of(OPTION, "!java.math.*"), world -> {
            ObjectSpace<Object> objects = world.objects();
            ObjectRefusedException refused =
                    assertThrows(ObjectRefusedException.class, () -> objects.sendReceive(BigInteger.ONE, 0, 1, 0, 1));
            assertTrue(refused.getMessage().contains(OPTION + " refuses"), refused.getMessage());
        });
    }

    /** A library on the class path is none of the program's jar or folder. */
    @Test
    void othersOfTheSameClassLoaderAreNotTheProgramsOwn() {
        run(1, Map.of(), world -> {
            Serializable other = Group.class.getClassLoader() == Point.class.getClassLoader()
                    ? new MismatchedCallException(0, "of another jar")
                    : new File("");
            assertThrows(ObjectRefusedException.class, () -> world.objects().sendReceive(other, 0, 1, 0, 1));
            ObjectSpace<Object> onBehalf = ObjectSpace.of(world, MismatchedCallException.class);
            assertTrue(onBehalf.sendReceive(other, 0, 1, 0, 1) instanceof MismatchedCallException);
            Object proxy =
                    Proxy.newProxyInstance(Named.class.getClassLoader(), new Class<?>[] {Named.class}, new Answering());
            ObjectRefusedException refused = assertThrows(
                    ObjectRefusedException.class, () -> world.objects().sendReceive(proxy, 0, 1, 0, 1));
            assertTrue(refused.getMessage().contains("proxy"), refused.getMessage());
        });
    }

    private static final class Answering implements java.lang.reflect.InvocationHandler, Serializable {
        @Override
        public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
            return "name";
        }
    }

    private static byte[] serialized(Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }

    @Test
    void badBytesAreRefused() {
        long seed = System.nanoTime();
        System.out.println("ObjectSpaceTest: bad bytes, seed " + seed);
        run(1, Map.of(), world -> {
            ObjectSpace<Object> objects = world.objects();
            Random random = new Random(seed);
            int refused = 0;
            for (int i = 0; i < 3_000; i++) {
                byte[] bytes = serialized(any(random) + "" + i);
                if (i % 2 == 0) {
                    bytes = serialized(List.of(new Point(1, BigInteger.TEN, List.of("a")), Map.of(1, LocalDate.MIN)));
                }
                for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                    bytes[random.nextInt(Math.min(400, bytes.length))] = (byte) random.nextInt();
                }
                Request sent = world.isend(bytes, 0, 1);
                try {
                    objects.receive(0, 1);
                } catch (ObjectRefusedException e) {
                    assertEquals(0, e.rank());
                    refused++;
                }
                sent.waitFor();
                assertNull(world.iprobe(0, 1));
            }
            assertTrue(refused > 500, refused + " refused");
            byte[] longer = Arrays.copyOf(serialized("text"), 100);
            for (byte[] bytes : List.of(new byte[0], new byte[1], longer)) {
                world.send(bytes, 0, 1);
                assertThrows(ObjectRefusedException.class, () -> objects.receive(0, 1));
            }
        });
    }

    /** As the dialects send them: what is shared by several items comes as one, and no number of items is believed. */
    @Test
    void aLayersArrayIsItsItems() {
        run(1, Map.of(), world -> {
            Codec<Object> codec = ObjectSpace.codec(world, ObjectSpaceTest.class);
            double[] shared = {1, 2};
            Object[] sent = {shared, List.of(shared), null, "text", new Point(1, BigInteger.TEN, List.of())};
            byte[] bytes = codec.encode(sent);
            Object[] back = (Object[]) codec.decode(ByteBuffer.wrap(bytes));
            assertEquals(sent.length, back.length);
            assertArrayEquals(shared, (double[]) back[0]);
            assertSame(back[0], ((List<?>) back[1]).get(0));
            assertArrayEquals(Arrays.copyOfRange(sent, 2, 5), Arrays.copyOfRange(back, 2, 5));
            for (Object other : new Object[] {new Object[0], new Object[1], new String[] {"a"}, "text", 5}) {
                Object came = codec.decode(ByteBuffer.wrap(codec.encode(other)));
                assertTrue(Arrays.deepEquals(new Object[] {other}, new Object[] {came}));
                assertEquals(other.getClass(), came.getClass());
            }
            // Behind the stream's head, and the kind and length of its first block.
            int countAt = 6;
            assertEquals(sent.length, ByteBuffer.wrap(bytes).getInt(countAt));
            for (int wrong :
                    new int[] {-1, Integer.MIN_VALUE, 0, sent.length - 1, sent.length + 1, Integer.MAX_VALUE}) {
                ByteBuffer.wrap(bytes).putInt(countAt, wrong);
                assertThrows(IOException.class, () -> codec.decode(ByteBuffer.wrap(bytes)), "" + wrong);
            }
        });
        run(1, Map.of(OPTION, "maxarray=3"), world -> {
            Codec<Object> codec = ObjectSpace.codec(world, ObjectSpaceTest.class);
            ByteBuffer three = ByteBuffer.wrap(codec.encode(new Object[3]));
            assertArrayEquals(new Object[3], (Object[]) codec.decode(three));
            ByteBuffer four = ByteBuffer.wrap(codec.encode(new Object[4]));
            assertThrows(IOException.class, () -> codec.decode(four));
        });
    }

    /** A map that tells of an odd number of keys and values: the JDK takes it for an error of its own. */
    @Test
    void whatTheJdkTakesForItsOwnErrorIsRefused() throws IOException {
        byte[] bytes = serialized(Map.of(1, 2, 3, 4));
        byte[] count = {ObjectStreamConstants.TC_BLOCKDATA, Integer.BYTES, 0, 0, 0, 4};
        int at = 0;
        while (!Arrays.equals(bytes, at, at + count.length, count, 0, count.length)) {
            at++;
        }
        bytes[at + count.length - 1] = 3;
        run(1, Map.of(), world -> {
            world.send(bytes, 0, 1);
            ObjectRefusedException refused = assertThrows(
                    ObjectRefusedException.class, () -> world.objects().receive(0, 1));
            assertTrue(refused.getMessage().contains("InternalError: length is odd"), refused.getMessage());
        });
    }

    @Test
    void fewBytesMakeNoLargeArraysNorDeepOnes() {
        run(1, Map.of(), world -> {
            byte[] bomb = serialized(new long[0]);
            ByteBuffer.wrap(bomb).putInt(bomb.length - 4, Integer.MAX_VALUE - 8);
            world.send(bomb, 0, 1);
            ObjectRefusedException refused = assertThrows(
                    ObjectRefusedException.class, () -> world.objects().receive(0, 1));
            assertTrue(refused.getMessage().contains("2147483639 elements"), refused.getMessage());
            refused = assertThrows(
                    ObjectRefusedException.class, () -> world.objects().sendReceive(nested(200), 0, 1, 0, 1));
            assertTrue(refused.getMessage().contains(OPTION + "=maxdepth"), refused.getMessage());
            assertThrows(IllegalArgumentException.class, () -> world.objects().send(nested(200_000), 0, 1));
        });
        run(1, Map.of(OPTION, "maxdepth=1000"), world -> {
            Object[] back = (Object[]) world.objects().sendReceive(nested(200), 0, 1, 0, 1);
            assertEquals(1, back.length);
        });
        run(1, Map.of(OPTION, "maxdepth=many"), world -> {
            IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, world::objects);
            assertTrue(wrong.getMessage().contains(OPTION), wrong.getMessage());
        });
    }

    /** For dialects, whose programs know of no filter. */
    @Test
    void allOfTheClassPathIsTheProgramsForWhoAsks() {
        run(1, Map.of(), world -> {
            Codec<Object> codec = ObjectSpace.codec(world, ObjectSpaceTest.class);
            Object ofAnotherJar = new AssertionFailedError("of another jar");
            for (Object value : List.of(ofAnotherJar, new IllegalStateException(), new Stack<>(), nested(400))) {
                Object back = codec.decode(ByteBuffer.wrap(codec.encode(value)));
                assertEquals(value.getClass(), back.getClass());
            }
            byte[] deep = codec.encode(nested(600));
            assertThrows(IOException.class, () -> codec.decode(ByteBuffer.wrap(deep)));
            assertThrows(ObjectRefusedException.class, () -> world.objects().sendReceive(ofAnotherJar, 0, 1, 0, 1));
        });
    }

    private static Object nested(int depth) {
        Object value = "inside";
        for (int i = 0; i < depth; i++) {
            value = new Object[] {value};
        }
        return value;
    }

    /** All learn of it, and the next collective is as any. */
    @Test
    void oneRankThatHasNothingToSendEndsTheCallOfAll() {
        run(3, Map.of(), world -> {
            ObjectSpace<Object> objects = world.objects();
            Object own = world.rank() == 1 ? new Unserializable() : "fine";
            assertFails(world, 1, () -> objects.broadcast(own, 1));
            assertFails(world, 1, () -> objects.gather(own, 0));
            assertFails(world, 1, () -> objects.allGather(own));
            assertFails(world, 1, () -> objects.scatter(List.of(1, own, 2), 1));
            assertFails(world, 1, () -> objects.scatter(world.rank() == 1 ? List.of() : null, 1));
            assertFails(world, 1, () -> objects.allToAll(List.of(1, 2, own)));
            assertFails(world, 1, () -> objects.reduce(own, (left, right) -> left, 2));
            assertFails(world, 1, () -> objects.scan(own, (left, right) -> left));
            assertFails(
                    world,
                    0,
                    () -> objects.allReduce(1, (left, right) -> {
                        throw new IllegalArgumentException("the program's own");
                    }));
            assertEquals(List.of(0, 1, 2), objects.allGather(world.rank()));
        });
    }

    private static void assertFails(Communicator world, int culprit, org.junit.jupiter.api.function.Executable call) {
        if (world.rank() == culprit) {
            assertThrows(IllegalArgumentException.class, call);
        } else {
            SluiceException told = assertThrows(SluiceException.class, call);
            assertEquals(ErrorCode.COLLECTIVE_FAILED, told.code());
            assertEquals(culprit, told.peer());
        }
    }

    @Test
    void aCodecOfTheProgramsDoesItInstead() {
        Codec<String> codec = new Codec<>() {
            @Override
            public byte[] encode(String value) {
                return value.getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public String decode(ByteBuffer bytes) throws IOException {
                String text = StandardCharsets.UTF_8.decode(bytes).toString();
                if (text.isEmpty()) {
                    throw new IOException("nothing in it");
                }
                return text;
            }
        };
        run(3, Map.of(), world -> {
            ObjectSpace<String> texts = world.objects(codec);
            assertEquals(List.of("r0", "r1", "r2"), texts.allGather("r" + world.rank()));
            assertEquals("r0r1r2", texts.allReduce("r" + world.rank(), String::concat));
            ObjectRefusedException refused =
                    assertThrows(ObjectRefusedException.class, () -> texts.allGather(world.rank() == 2 ? "" : "full"));
            assertEquals(2, refused.rank());
            assertTrue(refused.getMessage().contains("nothing in it"), refused.getMessage());
            byte[] plain = new byte[2];
            if (world.rank() == 0) {
                texts.send("as", 1, 1);
            } else if (world.rank() == 1) {
                world.recv(plain, 0, 1);
                assertEquals("as", new String(plain, StandardCharsets.UTF_8));
            }
            assertThrows(IllegalArgumentException.class, () -> world.objects(null));
        });
    }

    /** What a receive into a strided part is cancelled by. */
    @Test
    void arrivalsAndUnpackedReceivesAreCancelled() {
        run(2, Map.of(), world -> {
            if (world.rank() == 0) {
                Request arrival = world.arrival(1, 1);
                assertTrue(arrival.cancel());
                assertEquals(ErrorCode.CANCELLED, arrival.error());
                Data strided = Data.of(new int[8], 0, 1, Layout.INT.vector(4, 1, 2));
                assertNull(world.recv(strided, 1, 1, 10, TimeUnit.MILLISECONDS));
                Request second = world.arrival(Device.ANY_SOURCE, 2);
                world.barrier();
                assertEquals(1, second.waitFor().source());
                assertEquals(12, world.recv(new int[3], 1, 2).bytes());
                assertTrue(world.arrival(MessageSpace.PROC_NULL, 1).isDone());
            } else {
                world.barrier();
                world.send(new int[3], 0, 2);
            }
        });
    }
}
