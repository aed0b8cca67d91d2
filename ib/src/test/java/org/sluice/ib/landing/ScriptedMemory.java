package org.sluice.ib.landing;

import java.lang.reflect.Proxy;
import org.sluice.device.memory.Memory;
import org.sluice.ib.queue.WorkRequest;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * An adapter without a device: registers everything, and carries out a work request in the steps that a test chooses.
 */
final class ScriptedMemory {
    private static final int LKEY = 3;
    static final int RKEY = 0x80000005;

    private int nextKey = RKEY;
    /** What the next registrations, and their ends, are answered with; and how many were asked for. */
    int refusal;

    int refusedBack;
    int asked;
    private final VerbsCalls verbs = (VerbsCalls) Proxy.newProxyInstance(
            VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, (proxy, method, arguments) -> {
                switch (method.getName()) {
                    case "registerMemory":
                        asked++;
                        if (refusal != 0) {
                            return -refusal;
                        }
                        ((long[]) arguments[4])[VerbsCalls.REGION_RKEY] = nextKey++;
                        return 0;
                    case "deregisterMemory":
                        return -refusedBack;
                    case "lockedMemoryLimit":
                        return Long.MAX_VALUE;
                    case "postSend":
                        posted = (long) arguments[1];
                        return 0;
                    default:
                        throw new AssertionError(method.getName());
                }
            });
    private final long memory = Memory.allocate(WorkRequest.BYTES);
    final WorkRequest request;
    private long posted;

    ScriptedMemory() {
        Memory.setZero(memory, WorkRequest.BYTES);
        request = new WorkRequest(memory);
    }

    VerbsCalls verbs() {
        return verbs;
    }

    /** Writes a packet through the gate; what the work request says is looked at with the others. */
    void fill(LandingGate gate, long packet, int packetBytes) {
        gate.fill(request, 1, 0, packet, packetBytes, LKEY);
        request.post(verbs, 0);
    }

    private long sge() {
        return Memory.getLong(posted + VerbsLayout.WR_SGE_LIST);
    }

    int bytes() {
        return Memory.getInt(sge() + VerbsLayout.SGE_LENGTH);
    }

    long destination() {
        return Memory.getLong(posted + VerbsLayout.SEND_WR_REMOTE_ADDRESS);
    }

    int opcode() {
        return Memory.getInt(posted + VerbsLayout.SEND_WR_OPCODE);
    }

    int immediate() {
        return Memory.getInt(posted + VerbsLayout.SEND_WR_IMMEDIATE);
    }

    /** Lets these bytes of the write arrive. */
    void land(int from, int to) {
        Memory.copy(
                null, Memory.getLong(sge() + VerbsLayout.SGE_ADDRESS) + from, null, destination() + from, to - from);
    }

    void free() {
        Memory.free(memory);
    }
}
