package org.sluice.launch;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;

/**
 * A rank's part in what the processes of a job exchange over PMIx, from one opening of its device to the close.
 *
 * <p><i>Thread</i>: as {@link Bootstrap}; deaths come on the thread of {@link PmixEvents}. <i>Owns</i>: what it got of
 * the others so far. <i>Fails</i>: with {@link SluiceException}. <i>Proof</i>: {@code PmixJobTest}.
 */
final class PmixBootstrap implements Bootstrap {
    /** Processes whose values are fetched together: who asks for one mostly asks for the next too. */
    private static final int TOGETHER = 32;

    private final PmixJob job;
    private final int rank;
    private final String jobId;
    /** The first exchange of this opening. */
    private final int first;

    private final List<Map<String, byte[]>> values = new ArrayList<>();
    /** Of each process, up to which exchange its values are here. */
    private final int[] fetched;

    private final RankNews lost = new RankNews();
    private int unsentCount;
    private final ByteArrayOutputStream unsent = new ByteArrayOutputStream();
    private final PutBudget budget = new PutBudget();
    private int fences;
    private boolean closed;
    private volatile Object kept;

    PmixBootstrap(PmixJob job, int rank, int size, int processes, int first, String jobId) {
        this.job = job;
        this.rank = rank;
        this.jobId = jobId;
        this.first = first;
        for (int i = 0; i < size; i++) {
            values.add(new HashMap<>());
        }
        fetched = new int[processes];
        Arrays.fill(fetched, first);
    }

    int rank() {
        return rank;
    }

    /** True until the first fence of this opening is over. */
    boolean isNew() {
        return fences == 0;
    }

    String jobId() {
        return jobId;
    }

    @Override
    public boolean tellsOfDeaths() {
        return PmixLauncher.tellsOfDeaths(System.getenv());
    }

    @Override
    public void put(String key, byte[] value) {
        byte[] keyBytes = budget.take(key, value);
        checkOpen();
        if (key.equals(LEFT_OVER)) {
            // Not this launcher's to remove.
            return;
        }
        unsent.writeBytes(ByteBuffer.allocate(2 * Integer.BYTES + keyBytes.length + value.length)
                .putInt(keyBytes.length)
                .put(keyBytes)
                .putInt(value.length)
                .put(value)
                .array());
        unsentCount++;
    }

    @Override
    public void fence(long timeoutMs) {
        if (timeoutMs < 1) {
            throw new IllegalArgumentException("timeoutMs is " + timeoutMs + "; it must be at least 1");
        }
        checkOpen();
        byte[] section = ByteBuffer.allocate(2 * Integer.BYTES + unsent.size())
                .putInt(rank)
                .putInt(unsentCount)
                .put(unsent.toByteArray())
                .array();
        unsent.reset();
        unsentCount = 0;
        budget.fence();
        job.fence(this, section, timeoutMs);
        fences++;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the bootstrap of rank " + rank + " is closed");
        }
    }

    @Override
    public byte[] get(int ofRank, String key) {
        Objects.checkIndex(ofRank, values.size());
        int process = job.processOf(ofRank);
        if (fetched[process] < first + fences) {
            fetch(process);
        }
        byte[] value = values.get(ofRank).get(key);
        return value == null ? null : value.clone();
    }

    /** All exchanges that are over and not here yet, of this process and of those after it that lack as many. */
    private void fetch(int process) {
        int from = fetched[process];
        int count = 1;
        while (count < TOGETHER && process + count < fetched.length && fetched[process + count] == from) {
            count++;
        }
        for (int number = from; number < first + fences; number++) {
            byte[][] all = job.values(number, process, count);
            for (int i = 0; i < count; i++) {
                take(process + i, ByteBuffer.wrap(all[i]));
                fetched[process + i] = number + 1;
            }
        }
    }

    private void take(int process, ByteBuffer value) {
        try {
            while (value.hasRemaining()) {
                int ofRank = Frame.number(value);
                if (ofRank < 0 || ofRank >= values.size() || job.processOf(ofRank) != process) {
                    throw new Frame.Malformed("it speaks of rank " + ofRank);
                }
                for (int left = Frame.number(value); left > 0; left--) {
                    values.get(ofRank).put(Frame.text(value, KEY_LIMIT_BYTES), Frame.bytes(value, VALUE_LIMIT_BYTES));
                }
            }
        } catch (Frame.Malformed e) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    -1,
                    "what process " + process + " of the job published can't be read: " + e.getMessage(),
                    e);
        }
    }

    @Override
    public void onRankLost(IntConsumer listener) {
        lost.listen(listener);
    }

    void lose(int ofRank) {
        synchronized (this) {
            if (closed) {
                return;
            }
        }
        lost.tell(ofRank);
    }

    @Override
    public void keep(Object device) {
        kept = device;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            kept = null;
        }
        job.close(this);
    }
}
