package org.sluice.launch;

import org.sluice.jni.pmix.PmixCalls;

/**
 * What the launcher reports of the job's processes: which of them died, and that it has ended itself. Which deaths it
 * reports is the launcher's to choose; where it ends the job at the first, there is nobody left to report to.
 *
 * <p><i>Thread</i>: its own, a daemon. <i>Fails</i>: by ending; then peers' deaths are found by the channels alone.
 * <i>Proof</i>: {@code PmixJobTest}, {@code PmixEventsTest}.
 */
final class PmixEvents extends Thread {
    private static final int LOOK_MS = 60_000;

    /** Who is told. */
    interface Listener {
        void died(int process);

        void launcherEnded();
    }

    private final PmixCalls calls;
    private final Listener listener;
    private volatile boolean isOver;

    PmixEvents(PmixCalls calls, Listener listener) {
        super(null, null, "sluice-pmix-events", 0, false);
        this.calls = calls;
        this.listener = listener;
        setDaemon(true);
    }

    @Override
    public void run() {
        if (calls.watch() != PmixCalls.SUCCESS) {
            return;
        }
        int[] event = new int[PmixCalls.EVENT_FIELDS];
        for (int came = 0; came >= 0 && !isOver; came = calls.awaitEvent(LOOK_MS, event)) {
            if (came > 0) {
                tell(event[PmixCalls.EVENT_CODE], event[PmixCalls.EVENT_RANK]);
            }
        }
    }

    /** Nothing is told any more: a JVM that ends would wait 0.3 s for a thread that waits in the library. */
    void end() {
        isOver = true;
        calls.endWait();
    }

    private void tell(int code, int process) {
        switch (code) {
            case PmixCalls.LOST_CONNECTION, PmixCalls.LOST_CONNECTION_TO_SERVER -> listener.launcherEnded();
            case PmixCalls.PROC_ABORTED,
                    PmixCalls.PROC_REQUESTED_ABORT,
                    PmixCalls.PROC_TERM_WO_SYNC,
                    PmixCalls.PROC_KILLED_BY_CMD,
                    PmixCalls.PROC_ABORTED_BY_SIG,
                    PmixCalls.EXIT_NONZERO_TERM -> {
                if (process != PmixCalls.NO_RANK) {
                    listener.died(process);
                }
            }
            default -> {
                // Of a debugger, of a node, of what a later PMIx has.
            }
        }
    }
}
