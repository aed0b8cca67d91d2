package org.sluice.jni.os;

import java.nio.file.Files;
import java.nio.file.Path;

/** Makes each call, once as meant and once wrongly: for tests that watch what calls leave behind. */
final class EveryCall {

    private static final int BYTES = 8192;

    private EveryCall() {}

    /** As a process of its own, under -Xcheck:jni: prints "done", and nothing else unless the JVM complains. */
    public static void main(String[] args) throws Exception {
        Path directory = Files.createTempDirectory("sluice-calls-");
        sweep(Os.calls(), directory);
        Files.delete(directory);
        System.out.println("done");
    }

    static void sweep(OsCalls os, Path directory) {
        byte[] path = NativePath.of(directory.resolve("file"));
        files(os, path, NativePath.of(directory));
        int fd = os.openExclusive(path, 0600);
        os.posixFallocate(fd, 0, BYTES);
        memory(os, fd);
        os.close(fd);
        os.unlink(path);
        processes(os);
        processors(os);
        sockets(os);
    }

    private static void sockets(OsCalls os) {
        byte[] nowhere = new byte[OsCalls.ENDS_BYTES];
        os.findSocket(nowhere);
        os.findSocket(null);
        os.findSocket(new byte[1]);
        os.tcpRetransmits(-1, nowhere);
        os.tcpRetransmits(0, null);
    }

    private static void files(OsCalls os, byte[] path, byte[] directory) {
        long[] out = new long[OsCalls.STAT_FIELDS];
        os.openExisting(path);
        os.openExisting(null);
        os.openExclusive(new byte[] {1}, 0600);
        int fd = os.openExclusive(path, 0600);
        os.openExclusive(path, 0600);
        os.ftruncate(fd, BYTES);
        os.fstat(fd, out);
        os.fstat(fd, new long[1]);
        os.statvfs(directory, out);
        os.statvfs(path, null);
        os.close(fd);
        os.close(-1);
        int unnamed = os.openUnnamed(directory, 0600);
        os.openUnnamed(path, 0600);
        os.close(os.openOf(os.getpid(), unnamed));
        os.openOf(-1, 0);
        os.close(unnamed);
        os.close(os.openExisting(path));
        os.unlink(path);
        os.unlink(path);
    }

    private static void memory(OsCalls os, int fd) {
        long address = os.mmapShared(fd, 0, BYTES);
        os.mmapShared(-1, 0, BYTES);
        os.munmap(os.mmapReadOnly(fd, 0, BYTES), BYTES);
        os.mmapReadOnly(-1, 0, BYTES);
        os.lostPages(address);
        os.lostPages(0);
        os.lostCount();
        os.processVmReadv(os.getpid(), address, address + BYTES / 2, BYTES / 2);
        os.processVmReadv(os.getpid(), address, 4096, 8);
        arrays(os, address);
        os.futexWait(address, 1, 0);
        os.futexWait(address, 0, 0);
        os.futexWait(address + 1, 0, 0);
        os.futexWake(address, 1);
        os.mmapZeros(address, BYTES);
        os.mmapZeros(0, 0);
        os.munmap(address, BYTES);
        os.munmap(0, 0);
    }

    private static void arrays(OsCalls os, long address) {
        long[] array = new long[BYTES / Long.BYTES];
        os.arrayAddress(array);
        os.arrayAddress(null);
        os.readIntoArray(os.getpid(), array, Long.BYTES, address, BYTES - Long.BYTES);
        os.readIntoArray(os.getpid(), array, 0, 4096, 8);
        os.collector();
        os.endCounting(os.countCollections(address));
        os.countCollections(0);
        os.endCounting(0);
    }

    private static void processes(OsCalls os) {
        int pidfd = os.pidfdOpen(os.getpid());
        os.pidfdHasExited(pidfd);
        os.close(pidfd);
        os.pidfdOpen(-1);
        os.pidfdHasExited(-1);
        os.prctlSetPtracer(OsCalls.PTRACER_ANY);
        os.prctlSetPtracer(0);
        os.setPdeathsig(0);
        os.getuid();
        os.geteuid();
        os.gettid();
    }

    private static void processors(OsCalls os) {
        long[] mask = new long[OsCalls.MASK_WORDS];
        os.schedGetaffinity(0, mask);
        os.schedSetaffinity(0, mask);
        os.schedSetaffinity(0, null);
        os.schedGetaffinity(0, new long[OsCalls.MASK_WORDS + 1]);
        os.schedGetcpu();
        os.schedYield();
        os.membarrier(OsCalls.MEMBARRIER_QUERY);
        os.membarrier(-1);
    }
}
