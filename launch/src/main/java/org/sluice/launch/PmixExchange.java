package org.sluice.launch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.memory.Memory;
import org.sluice.jni.pmix.PmixCalls;

/**
 * Exchanges one value of each process of the job after another, over the launcher's PMIx server. The n-th value is put
 * under {@code sluice.n}, so none is ever replaced: a server, and libpmix itself, may keep what they once had.
 *
 * <p>A call of libpmix blocks as long as the server likes. So each is made on a thread of its own, and waited for as
 * long as its caller has time; one that never returns keeps nothing but that thread, and ends with the JVM.
 *
 * <p><i>Thread</i>: one exchanges and gets; {@link #lose} and {@link #end} from any. <i>Fails</i>: with
 * {@link SluiceException}, which names the processes that didn't come as ranks where it can. <i>Proof</i>:
 * {@code PmixJobTest}, {@code MpirunProcessTest}.
 */
final class PmixExchange {
    /** The server keeps the time itself; only one that hangs is noticed here. */
    private static final long SERVER_SLACK_MS = 5000;
    /** To ask who has not come: the time that was given is up already. */
    private static final long ABSENT_PATIENCE_MS = 5000;

    private static final int ABSENT_ASKED_S = 1;
    private static final long END_PATIENCE_MS = 2000;
    private static final int FIRST_CAPACITY_BYTES = 1 << 14;
    private static final int TEXT_BYTES = 256;
    /**
     * So many processes tell that they wait: more would say the same, and one alone may be the one that others wait
     * for.
     */
    private static final int TELLING = 2;

    /** How a process is called in messages. */
    interface Names {
        String of(List<Integer> processes);
    }

    private final PmixCalls calls;
    private final long silentMs;
    private final Consumer<String> lines;
    private boolean told;
    /**
     * Held while a value is asked for: where two threads wait for values of one process, libpmix 5.0.7 may give one its
     * value and forget the other.
     */
    private final Object asking = new Object();

    private int process;
    private int processes;
    private String namespace;
    private int exchanged;
    /** Of the exchange that others are waited for in; null else. */
    private volatile CompletableFuture<Long> waiting;
    /** A process is gone, and why no exchange will end; null: all live. */
    private volatile SluiceException lost;

    PmixExchange(PmixCalls calls) {
        this(
                calls,
                TimeUnit.NANOSECONDS.toMillis(LateRanks.PATIENCE_NANOS),
                line -> System.err.println("sluice: " + line));
    }

    /** @param silentMs after which it is told that others are waited for, once */
    PmixExchange(PmixCalls calls, long silentMs, Consumer<String> lines) {
        this.calls = calls;
        this.silentMs = silentMs;
        this.lines = lines;
    }

    private abstract static class Call implements Runnable {
        private final CompletableFuture<Long> result = new CompletableFuture<>();

        abstract long make();

        @Override
        public void run() {
            try {
                result.complete(make());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        }
    }

    private static long await(Call call, String what, long patienceMs) {
        start(call);
        return result(call, what, patienceMs);
    }

    private static void start(Call call) {
        Thread thread = new Thread(null, call, "sluice-pmix", 0, false);
        thread.setDaemon(true);
        thread.start();
    }

    private static long result(Call call, String what, long patienceMs) {
        try {
            return call.result.get(patienceMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new SluiceException(
                    ErrorCode.TIMEOUT,
                    -1,
                    "the job's launcher does not answer " + what + " within " + patienceMs + " ms; is it stopped?",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SluiceException(ErrorCode.OPEN_FAILED, -1, "interrupted while waiting for the job's launcher", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SluiceException known) {
                throw known;
            }
            throw new SluiceException(ErrorCode.OPEN_FAILED, -1, what + " failed: " + e.getCause(), e.getCause());
        }
    }

    void init(long timeoutMs) {
        byte[] name = new byte[PmixCalls.NAMESPACE_BYTES];
        long[] member = new long[PmixCalls.MEMBER_FIELDS];
        long status = await(
                new Call() {
                    @Override
                    long make() {
                        return calls.init(name, member);
                    }
                },
                "PMIx_Init",
                timeoutMs);
        if (status != PmixCalls.SUCCESS) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    "the launcher's PMIx server refuses this process (PMIx_Init: " + words(status)
                            + "): the PMIX_ variables of the environment are left over from a job that has ended, or"
                            + " the launcher's PMIx and this libpmix don't fit; start the ranks with mpirun, srun"
                            + " --mpi=pmix or ./sluice run, or unset PMIX_NAMESPACE");
        }
        process = Math.toIntExact(member[PmixCalls.MEMBER_RANK]);
        processes = Math.toIntExact(member[PmixCalls.MEMBER_SIZE]);
        int end = 0;
        while (end < name.length && name[end] != 0) {
            end++;
        }
        namespace = new String(name, 0, end, StandardCharsets.UTF_8);
    }

    int process() {
        return process;
    }

    int processes() {
        return processes;
    }

    String namespace() {
        return namespace;
    }

    /** How many values each process has put. */
    int exchanged() {
        return exchanged;
    }

    /**
     * Puts this process's next value, and returns when all others have put theirs.
     *
     * @param late what is said of those that have not, after their names
     */
    void exchange(byte[] value, long timeoutMs, Names names, String late) {
        byte[] key = key(exchanged);
        ByteBuffer memory = ByteBuffer.allocateDirect(Math.max(1, value.length)).put(0, value);
        int seconds = (int) Math.min(Integer.MAX_VALUE, (timeoutMs + 999) / 1000);
        Call call = new Call() {
            @Override
            long make() {
                long status = calls.put(key, Memory.address(memory), value.length);
                status = status != PmixCalls.SUCCESS ? status : calls.commit();
                return status != PmixCalls.SUCCESS ? status : calls.fence(seconds);
            }
        };
        waiting = call.result;
        long status = PmixCalls.TIMEOUT;
        try {
            // Set before it looks for who waits, so one of both finds the other.
            if (lost != null) {
                throw lost;
            }
            start(call);
            long waitedMs = tellIfLate(call, names, late, timeoutMs);
            status = result(
                    call,
                    "PMIx_Fence",
                    (timeoutMs > Long.MAX_VALUE - SERVER_SLACK_MS ? timeoutMs : timeoutMs + SERVER_SLACK_MS)
                            - waitedMs);
        } catch (SluiceException e) {
            if (e.code() != ErrorCode.TIMEOUT) {
                throw e;
            }
        } finally {
            waiting = null;
        }
        if (status == PmixCalls.TIMEOUT) {
            List<Integer> absent = absent(key);
            throw new SluiceException(
                    absent.isEmpty() ? ErrorCode.TIMEOUT : ErrorCode.OPEN_FAILED,
                    (absent.isEmpty() ? "the job's launcher does not end the exchange" : names.of(absent) + " " + late)
                            + " within " + timeoutMs + " ms (sluice.open.timeout.ms)");
        }
        if (status != PmixCalls.SUCCESS) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    "the ranks can't exchange what they need to know of each other: the launcher's PMIx server says "
                            + words(status) + "; a rank or the launcher may have ended");
        }
        exchanged++;
    }

    /**
     * Not who is late: to ask for what a process has not put yet may spoil what it puts then.
     *
     * @return how long it has waited
     */
    private long tellIfLate(Call call, Names names, String late, long timeoutMs) {
        if (told || process >= TELLING || timeoutMs <= silentMs || !isPendingAfter(call, silentMs)) {
            return 0;
        }
        told = true;
        lines.accept(names.of(List.of(process)) + " waits in Device.open: another rank " + late
                + " so far; it gives up after " + timeoutMs + " ms (sluice.open.timeout.ms)");
        return silentMs;
    }

    private static boolean isPendingAfter(Call call, long milliseconds) {
        try {
            call.result.get(milliseconds, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            // Whoever takes the result is told.
            return false;
        }
        return false;
    }

    /** A process that is gone will not come any more: whoever waits for it, or will, is told. */
    void lose(SluiceException death) {
        lost = death;
        CompletableFuture<Long> current = waiting;
        if (current != null) {
            current.completeExceptionally(death);
        }
    }

    /** Those whose value isn't there: asked until the patience is over, so perhaps not all of them. */
    private List<Integer> absent(byte[] key) {
        List<Integer> absent = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ABSENT_PATIENCE_MS);
        for (int other = 0; other < processes && System.nanoTime() - end < 0; other++) {
            if (other != process && !isThere(other, key)) {
                absent.add(other);
            }
        }
        return absent;
    }

    private boolean isThere(int other, byte[] key) {
        ByteBuffer place = ByteBuffer.allocateDirect(1);
        try {
            return await(
                            new Call() {
                                @Override
                                long make() {
                                    return get(other, key, ABSENT_ASKED_S, place, 0);
                                }
                            },
                            "PMIx_Get",
                            2000L * ABSENT_ASKED_S)
                    >= 0;
        } catch (SluiceException e) {
            return false;
        }
    }

    private long get(int of, byte[] key, int seconds, ByteBuffer place, int capacity) {
        synchronized (asking) {
            return calls.get(of, key, seconds, Memory.address(place), capacity);
        }
    }

    /** The values that processes from {@code first} on, {@code count} of them, have put in exchange {@code number}. */
    byte[][] values(int number, int first, int count, long timeoutMs) {
        byte[][] values = new byte[count][];
        byte[] key = key(number);
        int seconds = (int) Math.min(Integer.MAX_VALUE, (timeoutMs + 999) / 1000);
        await(
                new Call() {
                    @Override
                    long make() {
                        ByteBuffer place = ByteBuffer.allocateDirect(FIRST_CAPACITY_BYTES);
                        for (int i = 0; i < count; i++) {
                            long length = get(first + i, key, seconds, place, place.capacity());
                            if (length > place.capacity() && length <= Frame.VALUES_LIMIT_BYTES) {
                                place = ByteBuffer.allocateDirect((int) length);
                                length = get(first + i, key, seconds, place, place.capacity());
                            }
                            if (length < 0 || length > place.capacity()) {
                                throw new SluiceException(
                                        ErrorCode.OPEN_FAILED,
                                        "the launcher's PMIx server has nothing of process " + (first + i)
                                                + ", which has come: "
                                                + (length < 0 ? words(length) : length + " bytes"));
                            }
                            values[i] = new byte[(int) length];
                            place.get(0, values[i]);
                        }
                        return PmixCalls.SUCCESS;
                    }
                },
                "PMIx_Get",
                timeoutMs > Long.MAX_VALUE - SERVER_SLACK_MS ? timeoutMs : timeoutMs + SERVER_SLACK_MS);
        return values;
    }

    /** Says goodbye; a server that doesn't listen takes this process for dead. */
    void end() {
        await(
                new Call() {
                    @Override
                    long make() {
                        return calls.finish();
                    }
                },
                "PMIx_Finalize",
                END_PATIENCE_MS);
    }

    /** The launcher ends all processes of the job, this one too: perhaps before this returns. */
    void abort(int status, String message) {
        byte[] text = zeroEnded(message, PmixCalls.MESSAGE_LIMIT_BYTES);
        await(
                new Call() {
                    @Override
                    long make() {
                        return calls.abort(status, text);
                    }
                },
                "PMIx_Abort",
                END_PATIENCE_MS);
    }

    private static byte[] key(int number) {
        return zeroEnded("sluice." + number, PmixCalls.KEY_LIMIT_BYTES);
    }

    private static byte[] zeroEnded(String text, int limitBytes) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] ended = new byte[Math.min(bytes.length, limitBytes) + 1];
        System.arraycopy(bytes, 0, ended, 0, ended.length - 1);
        return ended;
    }

    /** A status by its name and number. */
    String words(long status) {
        byte[] text = new byte[TEXT_BYTES];
        int length = calls.errorString((int) status, text);
        return (length > 0 ? new String(text, 0, length, StandardCharsets.UTF_8) + ", " : "") + "status " + status;
    }
}
