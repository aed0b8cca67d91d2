package org.sluice.bench.rank;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Step;
import org.sluice.jni.Errno;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;

/**
 * What one copy of an array costs: the sender says where it is, the kernel copies it into the receiver's, who says that
 * it has it. No matching, and nothing that would notice a collection in between, so content is not to be relied on.
 *
 * <pre>
 * direction d (0: from rank 0, 1: from rank 1) starts at d * 4096
 *     0  messages sent   8
 *     8  process         8   of the sender
 *    16  address         8   of the message that was sent last
 *   128  messages taken  8
 * </pre>
 */
final class BareExchange implements Exchange {
    static final int FILE_BYTES = 8192;
    private static final int DIRECTION = FILE_BYTES / 2;
    private static final int PROCESS_AT = 8;
    private static final int ADDRESS_AT = 16;
    private static final int TAKEN_AT = 128;

    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final OsCalls os = Os.calls();
    private final MappedByteBuffer file;
    private final Payloads payloads = new Payloads(BufferKind.ARRAY, null);
    private final int out;
    private final int in;
    private int size;
    private long sent;
    private long received;

    BareExchange(Path path, int rank) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            file = channel.map(FileChannel.MapMode.READ_WRITE, 0, FILE_BYTES);
        }
        file.order(ByteOrder.nativeOrder());
        out = rank * DIRECTION;
        in = DIRECTION - out;
        os.prctlSetPtracer(OsCalls.PTRACER_ANY);
        file.putLong(out + PROCESS_AT, ProcessHandle.current().pid());
    }

    @Override
    public void prepare(Step step) {
        payloads.prepare(step);
        size = step.size();
    }

    @Override
    public ByteBuffer outgoing() {
        return payloads.outgoing();
    }

    @Override
    public ByteBuffer incoming() {
        return payloads.incoming();
    }

    @Override
    public void post(int rank, int slot) {
        long address = os.arrayAddress(payloads.outgoingHandle());
        require("GetPrimitiveArrayCritical", address);
        file.putLong(out + ADDRESS_AT, address + (long) slot * size);
        say(out);
        // The array may be written again.
        while ((long) WORD.getAcquire(file, out + TAKEN_AT) != sent) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void expect(int rank, int slot) {
        hear();
        int pid = (int) file.getLong(in + PROCESS_AT);
        long address = file.getLong(in + ADDRESS_AT);
        for (int done = 0; done < size; ) {
            int piece = Math.min(size - done, OsCalls.SECTION_BYTES);
            long result =
                    os.readIntoArray(pid, payloads.incomingHandle(), (long) slot * size + done, address + done, piece);
            require("process_vm_readv", result);
            done += (int) result;
        }
        WORD.setRelease(file, in + TAKEN_AT, received);
    }

    private static void require(String call, long result) {
        if (result <= 0) {
            throw new IllegalStateException(Errno.describe(call, result));
        }
    }

    private void say(int direction) {
        sent++;
        WORD.setRelease(file, direction, sent);
    }

    private void hear() {
        received++;
        while ((long) WORD.getAcquire(file, in) != received) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void finish() {
        // All is done when post and expect return.
    }

    @Override
    public void acknowledge(int rank) {
        say(out);
    }

    @Override
    public void awaitAcknowledge(int rank) {
        hear();
    }

    @Override
    public void close() {
        payloads.close();
    }
}
