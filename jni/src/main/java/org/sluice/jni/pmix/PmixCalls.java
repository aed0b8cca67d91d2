package org.sluice.jni.pmix;

/**
 * The calls of this process's PMIx client, as an object that a test can replace. A process has one client, so its
 * processes are numbered: here {@code process} is what PMIx calls a rank.
 *
 * <p>Every result below zero is a status of PMIx, which {@link #errorString} puts into words, and nothing is thrown. An
 * argument that can't be right (a null or too short array, a text without its closing zero) is {@link #BAD_PARAM}.
 *
 * <p>Thread: any, any number at once, after {@link #init}. A call may block as long as the launcher likes: timeouts are
 * the launcher's to keep.
 *
 * <p>Owns: nothing; a value is copied in and out.
 *
 * <p>Fails: by its result only.
 *
 * <p>Proof: {@code jni/src/test/c/pmix}.
 */
public interface PmixCalls {
    int SUCCESS = 0;
    /** Statuses, and codes of events. */
    int BAD_PARAM = -27;

    int TIMEOUT = -24;
    int NOT_FOUND = -46;
    int LOST_CONNECTION = -61;
    /** Of releases before 4. */
    int LOST_CONNECTION_TO_SERVER = -101;

    int PROC_ABORTED = -7;
    int PROC_REQUESTED_ABORT = -8;
    int PROC_TERM_WO_SYNC = -200;
    int PROC_KILLED_BY_CMD = -400;
    int PROC_ABORTED_BY_SIG = -402;
    int EXIT_NONZERO_TERM = -404;

    int NAMESPACE_BYTES = 256;
    int KEY_LIMIT_BYTES = 511;
    int MESSAGE_LIMIT_BYTES = 1023;

    /** {@link #init} writes these fields, in this order. */
    int MEMBER_RANK = 0;

    int MEMBER_SIZE = 1;
    int MEMBER_FIELDS = 2;

    /** {@link #awaitEvent} writes these fields, in this order. */
    int EVENT_CODE = 0;

    int EVENT_RANK = 1;
    int EVENT_FIELDS = 2;

    /** In {@link #EVENT_RANK}, of an event that is of no process of this job. */
    int NO_RANK = -1;

    /**
     * Writes the words of libpmix for its version, as "OpenPMIx 4.2.2, ...".
     *
     * @return their length in bytes
     */
    int version(byte[] out);

    /**
     * Writes the name of a status.
     *
     * @return its length in bytes
     */
    int errorString(int status, byte[] out);

    /**
     * Connects to the launcher's server; the first call, and once.
     *
     * @param namespace {@link #NAMESPACE_BYTES}, for the job's name, ended by a zero
     * @param out {@link #MEMBER_FIELDS}
     */
    int init(byte[] namespace, long[] out);

    /**
     * Sets what other processes get under a key once this one has called {@link #commit}.
     *
     * @param key ended by a zero
     */
    int put(byte[] key, long address, long bytes);

    int commit();

    /** Returns when all processes of the job have called it, with what they had committed within reach. */
    int fence(int timeoutSeconds);

    /**
     * What a process has committed under a key.
     *
     * @param key ended by a zero
     * @return the length of the value; where that is more than {@code capacity}, nothing was written
     */
    long get(int process, byte[] key, int timeoutSeconds, long address, long capacity);

    /**
     * Asks the launcher to end all processes of the job.
     *
     * @param message ended by a zero
     */
    int abort(int status, byte[] message);

    /** Says goodbye: from now on the end of this process is no death. The last call. */
    int finish();

    /** From now on the launcher's events can be waited for; once. */
    int watch();

    /** Who waits for an event gets one of code 0. */
    int endWait();

    /**
     * @param out {@link #EVENT_FIELDS}
     * @return 1 with an event, 0 where none came in time
     */
    int awaitEvent(int timeoutMs, int[] out);
}
