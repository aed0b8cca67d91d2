package org.sluice.ib.adapter;

import java.nio.charset.StandardCharsets;
import org.sluice.device.memory.Memory;
import org.sluice.jni.verbs.Verbs;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Memory that the first adapter of this machine is told of, and forgets again, for who wants to know how long that
 * takes.
 *
 * <p><i>Thread</i>: one. <i>Owns</i>: the adapter's context and the memory. <i>Fails</i>: IllegalStateException that
 * says what is missing. <i>Proof</i>: {@code BreakdownTest}.
 */
public final class RegistrationTrial implements AutoCloseable {
    private static final int FOR_PEERS =
            VerbsCalls.ACCESS_LOCAL_WRITE | VerbsCalls.ACCESS_REMOTE_WRITE | VerbsCalls.ACCESS_REMOTE_READ;

    private final VerbsCalls verbs = Verbs.calls();
    private final long[] out = new long[VerbsCalls.REGION_FIELDS];
    private final int bytes;
    private long context;
    private long domain;
    private long memory;

    public RegistrationTrial(int bytes) {
        this.bytes = bytes;
        String names = Adapter.deviceNames(verbs);
        if (!Verbs.available()) {
            throw new IllegalStateException("the native library is missing: " + Verbs.unavailableReason());
        }
        String first = names.split(" ")[0];
        if (first.equals("none")) {
            throw new IllegalStateException("there is no RDMA adapter here");
        }
        try {
            context = checked("ibv_open_device of " + first, verbs.openDevice(terminated(first)));
            domain = checked("ibv_alloc_pd", verbs.allocateProtectionDomain(context));
            memory = Memory.allocate(bytes);
            // Its pages are there before.
            Memory.setZero(memory, bytes);
        } catch (IllegalStateException e) {
            close();
            throw e;
        }
    }

    private static byte[] terminated(String name) {
        return (name + '\0').getBytes(StandardCharsets.US_ASCII);
    }

    /** Registers it, and gives it back. */
    public void once() {
        int status = verbs.registerMemory(domain, memory, bytes, FOR_PEERS, out);
        checked("ibv_reg_mr of " + bytes + " bytes (is the limit of locked memory, ulimit -l, in the way?)", status);
        int result = verbs.deregisterMemory(out[VerbsCalls.REGION_HANDLE]);
        if (result < 0) {
            // The adapter still knows it: it is never freed.
            memory = 0;
        }
        checked("ibv_dereg_mr", result);
    }

    private static long checked(String call, long result) {
        if (result < 0) {
            throw new IllegalStateException(call + " failed with errno " + -result);
        }
        return result;
    }

    @Override
    public void close() {
        if (domain != 0) {
            verbs.deallocateProtectionDomain(domain);
        }
        if (context != 0) {
            verbs.closeDevice(context);
        }
        if (memory != 0) {
            Memory.free(memory);
        }
    }
}
