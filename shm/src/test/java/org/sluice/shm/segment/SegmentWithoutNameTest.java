package org.sluice.shm.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.TestRank;
import org.sluice.jni.Errno;
import org.sluice.jni.os.FailingOs;
import org.sluice.jni.os.NativePath;
import org.sluice.jni.os.OsCalls;

/**
 * Segments that peers open by their owner's process and number: nothing is ever in the folder, and what stands behind
 * the number is checked as a named file is.
 */
final class SegmentWithoutNameTest {
    private static final int OPENINGS = 50;
    private static final int FAILED_CLOSES = 4;

    private Path directory;
    private SegmentChannel[] channels = {};

    @BeforeEach
    void createTwo() throws IOException {
        directory = Files.createTempDirectory(Path.of("/dev/shm"), "sluice-test-");
        String why = SegmentName.whyNeeded(directory, Segments.os());
        assumeTrue(why == null, "files without names in /dev/shm: " + why);
        channels = create(Segments.os());
    }

    @AfterEach
    void closeAndLookForNames() throws IOException {
        closeAll();
        assertArrayEquals(new String[0], directory.toFile().list());
        Files.delete(directory);
    }

    private void closeAll() {
        for (SegmentChannel channel : channels) {
            channel.close();
        }
    }

    private SegmentChannel[] create(OsCalls os) {
        SegmentChannel[] both = new SegmentChannel[2];
        String secret = UUID.randomUUID().toString();
        try {
            for (int rank = 0; rank < 2; rank++) {
                both[rank] = SegmentChannel.create(
                        secret,
                        rank,
                        2,
                        new int[] {1 - rank},
                        Segments.options("sluice.shm.dir", directory.toString()),
                        os,
                        Fences.SYMMETRIC,
                        true);
            }
            return both;
        } catch (SluiceException e) {
            if (both[0] != null) {
                both[0].close();
            }
            throw e;
        }
    }

    private static void connectAndSend(SegmentChannel[] both) {
        Segments.connect(both);
        both[0].unlink();
        both[1].unlink();
        TestRank[] ranks = Segments.ranks(both);
        ranks[0].send(1, 5, new byte[100]);
        assertEquals(5, ranks[1].receive().tag());
        ranks[1].send(0, 6, new byte[0]);
        assertEquals(6, ranks[0].receive().tag());
    }

    private SegmentFacts facts() {
        return SegmentFacts.decode(1, channels[1].facts());
    }

    private byte[] facts(String path, int pid, UUID nonce) {
        SegmentFacts facts = facts();
        return new SegmentFacts(
                        facts.rank(),
                        path,
                        facts.device(),
                        facts.inode(),
                        facts.uid(),
                        nonce,
                        facts.layout(),
                        facts.peers(),
                        pid,
                        facts.probeAddress(),
                        facts.probeValue())
                .encode();
    }

    private byte[] factsWithNumber(int number) {
        int pid = facts().pid();
        return facts("/proc/" + pid + "/fd/" + number, pid, facts().nonce());
    }

    private void refused(byte[] facts, String... words) {
        SluiceException refusal = assertThrows(SluiceException.class, () -> channels[0].connect(1, facts));
        assertEquals(ErrorCode.OPEN_FAILED, refusal.code());
        assertEquals(1, refusal.peer());
        for (String word : words) {
            assertTrue(refusal.getMessage().contains(word), "\"" + word + "\" is missing in: " + refusal.getMessage());
        }
    }

    @Test
    void nothingIsInTheFolderAndMessagesAndBuffersAreThere() {
        assertArrayEquals(new String[0], directory.toFile().list());
        assertEquals("/proc/" + ProcessHandle.current().pid() + "/fd/" + facts().descriptor(), facts().path());
        connectAndSend(channels);
        long address = channels[1].allocate(3 << 20);
        assertTrue(address != 0);
        channels[1].free(address);
        assertArrayEquals(new String[0], directory.toFile().list());
    }

    @Test
    void itsPermissionsAreTheOwnersAloneAndNobodyCanGiveItAName() throws Exception {
        Path file = Path.of(facts().path());
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        Process link = new ProcessBuilder(
                        "ln", "-L", file.toString(), directory.resolve("name").toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(link.getInputStream().readAllBytes());
        assertTrue(link.waitFor(20, TimeUnit.SECONDS) && link.exitValue() != 0, output);
    }

    @Test
    void anotherFileBehindTheNumberIsRefused() throws Exception {
        OsCalls os = Segments.os();
        int other = os.openUnnamed(NativePath.of(directory), 0600);
        try {
            refused(factsWithNumber(other), "is refused", "inode", "instead of " + facts().inode());
        } finally {
            os.close(other);
        }
        refused(factsWithNumber(other), "NoSuchFile", "rank 1 has ended, or closed its device, while this one opened");
    }

    @Test
    void aPipeBehindTheNumberIsRefusedWithoutWaiting() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertEquals(
                0,
                new ProcessBuilder("mkfifo", "-m", "600", pipe.toString())
                        .start()
                        .waitFor());
        int number = Segments.os().openExisting(NativePath.of(pipe));
        try {
            assertTrue(number >= 0, Errno.describe("open", number));
            refused(factsWithNumber(number), "file type");
        } finally {
            Segments.os().close(number);
            Files.delete(pipe);
        }
    }

    @Test
    void anotherProcessSignsAndNumbersThatAreNoneAreRefused() {
        SegmentFacts facts = facts();
        long shell = startSleeper();
        try {
            refused(facts("/proc/" + shell + "/fd/0", (int) shell, facts.nonce()), "is refused");
        } finally {
            ProcessHandle.of(shell).ifPresent(ProcessHandle::destroyForcibly);
        }
        String folder = "/proc/" + facts.pid() + "/fd/";
        refused(facts(folder + "+" + facts.descriptor(), facts.pid(), facts.nonce()), "can't be opened");
        refused(facts(folder + "-1", facts.pid(), facts.nonce()), "can't be opened");
        refused(facts(folder + "99999999999", facts.pid(), facts.nonce()), "can't be opened");
        refused(facts(folder + facts.descriptor(), facts.pid() + 1, facts.nonce()), "is refused: file type");
        refused(facts(folder, facts.pid(), facts.nonce()), "is refused");
    }

    private static long startSleeper() {
        try {
            return new ProcessBuilder("sleep", "60")
                    .redirectInput(Path.of("/dev/null").toFile())
                    .start()
                    .pid();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aWrongNonceAndAFileThatOthersMayReadAreRefused() throws IOException {
        refused(facts(facts().path(), facts().pid(), new UUID(1, 2)), "nonce");
        Files.setPosixFilePermissions(Path.of(facts().path()), PosixFilePermissions.fromString("rw-r--r--"));
        refused(channels[1].facts(), "permissions 0644 instead of 0600");
    }

    @Test
    void aFileThatWasCutShortIsRefused() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(facts().path(), "rw")) {
            file.setLength(10_000);
        }
        refused(
                channels[1].facts(),
                "size 10000 instead of at least " + facts().layout().bytes());
    }

    @Test
    void whoMayNotOpenItSaysHowToStart() {
        SegmentChannel denied = channelThatFails("openOf", Errno.EACCES);
        SluiceException refusal = assertThrows(SluiceException.class, () -> denied.connect(1, channels[1].facts()));
        denied.close();
        assertTrue(refusal.getMessage().contains("EACCES"), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("start all ranks of a node alike"), refusal.getMessage());
    }

    private SegmentChannel channelThatFails(String call, int errno) {
        return channel(FailingOs.failing(Segments.os(), call, 1, errno));
    }

    @Test
    void whereTheFileSystemHasNoSuchFilesTheSegmentHasANameAndPeersFollowIt() {
        SegmentChannel[] mixed = {channelThatFails("openUnnamed", Errno.EOPNOTSUPP), channels[1]};
        assertEquals(1, directory.toFile().list().length);
        connectAndSend(mixed);
        assertArrayEquals(new String[0], directory.toFile().list());
        mixed[0].close();
    }

    /** As of a process whose main thread has ended. */
    @Test
    void whereItsOwnNumberLeadsNowhereTheSegmentHasAName() {
        SegmentChannel[] mixed = {channel(otherwise("openUnnamed", arguments -> 1 << 20)), channels[1]};
        assertEquals(1, directory.toFile().list().length);
        connectAndSend(mixed);
        mixed[0].close();
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EMFILE, Errno.ENFILE, Errno.ENOMEM, Errno.ENOSPC, Errno.EACCES})
    void whateverElseIsWrongThereIsSaidAndNoNameTried(int errno) {
        SluiceException failure = assertThrows(SluiceException.class, () -> channelThatFails("openUnnamed", errno));
        assertEquals(ErrorCode.OPEN_FAILED, failure.code());
        String words = "the segment of rank 0 (without a name) in " + directory + ": open: " + Errno.name(errno);
        assertTrue(failure.getMessage().contains(words), failure.getMessage());
    }

    @Test
    void whatCannotBeReservedIsCalledByNoNameThatItNeverHad() {
        SluiceException failure =
                assertThrows(SluiceException.class, () -> channelThatFails("posixFallocate", Errno.ENOSPC));
        assertTrue(
                failure.getMessage()
                        .contains(" bytes in the segment of rank 0 (without a name) in " + directory
                                + ": posix_fallocate"),
                failure.getMessage());
        assertFalse(failure.getMessage().contains("sluice-0-"), failure.getMessage());
    }

    @Test
    void anotherDeviceOnceOpenIsRefused() {
        SegmentChannel moved = channel(otherwise("fstat", arguments -> {
            ((long[]) arguments[1])[OsCalls.STAT_DEVICE] = facts().device() + 1;
            ((long[]) arguments[1])[OsCalls.STAT_INODE] = facts().inode();
            return 0;
        }));
        SluiceException refusal = assertThrows(SluiceException.class, () -> moved.connect(1, channels[1].facts()));
        moved.close();
        assertTrue(refusal.getMessage().contains("device once open"), refusal.getMessage());
    }

    private SegmentChannel channel(OsCalls os) {
        return SegmentChannel.create(
                "otherwise",
                0,
                2,
                new int[] {1},
                Segments.options("sluice.shm.dir", directory.toString()),
                os,
                Fences.SYMMETRIC,
                true);
    }

    /** The calls of this machine, but one. */
    private static OsCalls otherwise(String call, Function<Object[], Object> instead) {
        return (OsCalls) Proxy.newProxyInstance(
                OsCalls.class.getClassLoader(),
                new Class<?>[] {OsCalls.class},
                (proxy, method, arguments) -> method.getName().equals(call)
                        ? instead.apply(arguments)
                        : method.invoke(Segments.os(), arguments));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 5", "-7 5", "7 -5"})
    void onlyNumbersThatAProcessAndAFileCanHaveLeadToOne(String numbers) {
        int pid = Integer.parseInt(numbers.split(" ")[0]);
        String path = SegmentFacts.pathOf(pid, Integer.parseInt(numbers.split(" ")[1]));
        assertEquals(
                -1, SegmentFacts.decode(1, facts(path, pid, facts().nonce())).descriptor());
    }

    @Test
    void noDescriptorStays() throws IOException {
        connectAndSend(channels);
        assertEquals(8, descriptors(), "two of each rank for each of two segments");
        closeAll();
        assertEquals(0, descriptors());
        for (int i = 0; i < OPENINGS; i++) {
            channels = create(Segments.os());
            connectAndSend(channels);
            closeAll();
        }
        assertEquals(0, descriptors());
    }

    /** Of files of this test: whatever else the JVM opens meanwhile is not counted. */
    private long descriptors() throws IOException {
        long count = 0;
        for (java.io.File entry : Path.of("/proc/self/fd").toFile().listFiles()) {
            try {
                count += Files.readSymbolicLink(entry.toPath()).startsWith(directory) ? 1 : 0;
            } catch (java.nio.file.NoSuchFileException e) {
                // That of the listing.
            }
        }
        return count;
    }

    @Test
    void everyNativeCallMayFailWhileOpening() throws IOException {
        closeAll();
        FailingOs counting = FailingOs.neverFailing(Segments.os());
        openAndSend(counting);
        assertTrue(counting.callCount() > 2, "calls " + counting.callCount());
        for (long call = 1; call <= counting.callCount(); call++) {
            try {
                openAndSend(FailingOs.failing(Segments.os(), call, Errno.ENOMEM));
            } catch (SluiceException e) {
                assertTrue(e.code() == ErrorCode.NO_MEMORY || e.code() == ErrorCode.OPEN_FAILED, call + ": " + e);
            }
            assertArrayEquals(new String[0], directory.toFile().list(), "left over after call " + call + " failed");
        }
        System.out.println("failed one by one: " + counting.callCount() + " calls");
        // The descriptor of a close that was made to fail is not closed.
        assertTrue(descriptors() <= FAILED_CLOSES, descriptors() + " descriptors stay");
    }

    private void openAndSend(OsCalls os) {
        channels = new SegmentChannel[0];
        channels = create(os);
        try {
            connectAndSend(channels);
        } finally {
            closeAll();
        }
    }

    @Test
    void theOwnersLockIsSeenThroughTheNumber() throws Exception {
        channels[1].connect(0, channels[0].facts());
        Path file = Path.of(SegmentFacts.decode(0, channels[0].facts()).path());
        channels[1].close();
        assertEquals(
                "locked",
                SegmentDeathProcessTest.lookFromAnotherProcess(directory, file),
                "a neighbour's close gave up the owner's lock");
        Files.delete(directory.resolve("Look.java"));
    }
}
