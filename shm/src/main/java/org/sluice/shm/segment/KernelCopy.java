package org.sluice.shm.segment;

import java.nio.ByteBuffer;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.device.random.Unguessable;
import org.sluice.jni.Errno;
import org.sluice.jni.os.OsCalls;

/**
 * Kernel-assisted copy: reading a peer's memory with process_vm_readv, where the system allows it. Whether it does is
 * not derived from settings but tried: each rank publishes a random value and its address, and only who has read it
 * knows that reading works.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: the probe word. <i>Proof</i>: {@code KernelCopyTest}.
 */
final class KernelCopy {
    /** The other process is no more. */
    static final int FAILED = -1;
    /**
     * It has nothing at that address: pages of its program's buffer are gone, or the address is nonsense. Or it doesn't
     * let itself be read any more.
     */
    static final int SOURCE_LOST = -2;
    /** This process has no memory at the destination: pages of its program's buffer are gone. */
    static final int TARGET_LOST = -3;

    /**
     * So long that a system call costs little of it, and no longer: nothing else is received meanwhile, and a
     * collection waits where it goes into an array.
     */
    static final int PIECE_BYTES = OsCalls.SECTION_BYTES;

    private final OsCalls os;
    private final boolean wanted;
    private final boolean always;
    private final long leastBytes;
    private final ByteBuffer probe = ByteBuffer.allocateDirect(Long.BYTES);
    private final long probeValue = Unguessable.number();
    /** A byte that is read to find something out. */
    private final ByteBuffer trial = ByteBuffer.allocateDirect(1);

    private String lastRefusal = "";

    KernelCopy(OsCalls os, Options options) {
        this.os = os;
        String mode = options.text(Option.SHM_CMA);
        if (!mode.equals("auto") && !mode.equals("on") && !mode.equals("off")) {
            throw new IllegalArgumentException(Option.SHM_CMA.property() + " = '" + mode + "' ("
                    + options.origin(Option.SHM_CMA) + "): allowed are auto, on, off");
        }
        this.always = mode.equals("on");
        this.wanted = !mode.equals("off");
        this.leastBytes = always ? 1 : options.number(Option.SHM_CMA_MIN);
        Memory.putLong(Memory.address(probe), probeValue);
        if (always) {
            // Asked for by name: so let the ranks in also where Yama keeps processes of one user apart.
            os.prctlSetPtracer(OsCalls.PTRACER_ANY);
        }
    }

    boolean isRequired() {
        return always;
    }

    long probeAddress() {
        return Memory.address(probe);
    }

    long probeValue() {
        return probeValue;
    }

    /** Whether this process can read the other's memory; {@link #lastRefusal} says why not. */
    boolean canRead(SegmentFacts facts) {
        if (!wanted) {
            lastRefusal = Option.SHM_CMA.property() + " is off";
            return false;
        }
        ByteBuffer found = ByteBuffer.allocateDirect(Long.BYTES);
        long result = os.processVmReadv(facts.pid(), Memory.address(found), facts.probeAddress(), Long.BYTES);
        if (result != Long.BYTES) {
            lastRefusal =
                    result < 0 ? Errno.describe("process_vm_readv", result) : result + " bytes were read instead of 8";
            return false;
        }
        if (Memory.getLong(Memory.address(found)) != facts.probeValue()) {
            lastRefusal = "process " + facts.pid() + " here is another process than over there";
            return false;
        }
        return true;
    }

    String lastRefusal() {
        return lastRefusal;
    }

    /** Whether a message of this size is worth it. */
    boolean isWorth(long bytes) {
        return wanted && bytes >= leastBytes;
    }

    /**
     * Reads the other's memory.
     *
     * @return how many system calls it took, or {@link #FAILED}, {@link #SOURCE_LOST} or {@link #TARGET_LOST}
     */
    int read(int pid, long remote, Object base, long address, int bytes) {
        int calls = 0;
        int done = 0;
        while (done < bytes) {
            long result = base == null
                    ? os.processVmReadv(pid, address + done, remote + done, bytes - done)
                    : os.readIntoArray(
                            pid,
                            base,
                            address - Memory.arrayOffset(base) + done,
                            remote + done,
                            Math.min(PIECE_BYTES, bytes - done));
            calls++;
            if (result <= 0) {
                lastRefusal = Errno.describe("process_vm_readv", result);
                return result == -Errno.EFAULT && base == null
                        ? whoseFault(pid, remote + done)
                        : result == -Errno.ESRCH ? FAILED : SOURCE_LOST;
            }
            done += (int) result;
        }
        return calls;
    }

    /**
     * The kernel says of neither side that it was the one: the byte that it got to is read to where there is memory for
     * certain.
     */
    private int whoseFault(int pid, long remote) {
        long result = os.processVmReadv(pid, Memory.address(trial), remote, 1);
        return result == 1 ? TARGET_LOST : result == -Errno.ESRCH ? FAILED : SOURCE_LOST;
    }
}
