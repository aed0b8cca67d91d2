package org.sluice.launch;

import java.nio.file.Path;

/**
 * Whether a SIGKILL may have been the kernel's, which ends processes where memory is out, and tells nobody but its log:
 * it counts them.
 *
 * <p>Thread: one.
 *
 * <p>Proof: {@code MemoryKillProcessTest}.
 */
final class MemoryKills {
    static final int STATUS = 137;
    private static final String COUNT = "oom_kill";

    private final ControlGroup group;
    private final Path ofMachine;
    private final long groupBefore;
    private final long machineBefore;

    /** Counts from now on. */
    MemoryKills() {
        this(ControlGroup.ofThisProcess(), Path.of("/proc/vmstat"));
    }

    MemoryKills(ControlGroup group, Path ofMachine) {
        this.group = group;
        this.ofMachine = ofMachine;
        this.groupBefore = group.memoryKills();
        this.machineBefore = ControlGroup.entry(ofMachine, COUNT);
    }

    /** @return by whom, as a clause; empty if the kernel has counted nothing since */
    String cause() {
        if (group.memoryKills() > groupBefore) {
            ControlGroup.Limit limit = group.memory();
            return "probably by the kernel for lack of memory: the control group allows "
                    + (limit.isThere()
                            ? (limit.amount() >> 20) + " MB (" + limit.file() + ")"
                            : "less than its processes wanted");
        }
        return ControlGroup.entry(ofMachine, COUNT) > machineBefore
                ? "probably by the kernel for lack of memory: the machine, or a control group, had none left"
                : "";
    }
}
