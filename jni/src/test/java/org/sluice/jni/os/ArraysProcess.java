package org.sluice.jni.os;

import java.util.Arrays;
import org.sluice.jni.Errno;

/** Reads arrays of its own where they lie, which -Xcheck:jni, under which tests run, does not let be; prints "done". */
final class ArraysProcess {
    private static final OsCalls OS = Os.calls();

    private ArraysProcess() {}

    public static void main(String[] args) throws Exception {
        anArrayIsRead();
        noSectionIsLongerThanItsBound();
        byte[] into = new byte[8];
        expect(-Errno.EINVAL, read(null, 0, 4096, 8));
        expect(-Errno.EINVAL, read(into, -1, 4096, 8));
        expect(-Errno.EFAULT, read(into, 0, 4096, 8));
        System.out.println("done");
    }

    private static void anArrayIsRead() throws Exception {
        byte[] from = new byte[1 << 20];
        for (int i = 0; i < from.length; i++) {
            from[i] = (byte) (i * 31);
        }
        byte[] into = new byte[OsCalls.SECTION_BYTES + 1];
        try (SharedWords count = new SharedWords(OS, 4096)) {
            long counting = OS.countCollections(count.address());
            long before;
            // Until no collection came between the address and the copy.
            do {
                before = count.buffer().getLong(0);
                expect(OsCalls.SECTION_BYTES, read(into, 1, OS.arrayAddress(from) + 5, OsCalls.SECTION_BYTES));
            } while (before != count.buffer().getLong(0));
            expect(0, OS.endCounting(counting));
        }
        expect(0, into[0]);
        expect(-1, Arrays.mismatch(from, 5, 5 + OsCalls.SECTION_BYTES, into, 1, into.length));
    }

    /** A collection waits no longer than the copy of so much takes. */
    private static void noSectionIsLongerThanItsBound() {
        byte[] into = new byte[OsCalls.SECTION_BYTES + 1];
        expect(256 << 10, OsCalls.SECTION_BYTES);
        expect(-Errno.EINVAL, read(into, 0, OS.arrayAddress(into), OsCalls.SECTION_BYTES + 1));
    }

    private static long read(byte[] into, long offset, long remote, long bytes) {
        return OS.readIntoArray(OS.getpid(), into, offset, remote, bytes);
    }

    private static void expect(long expected, long found) {
        if (expected != found) {
            throw new AssertionError("found " + found + " instead of " + expected);
        }
    }
}
