package org.sluice.launch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.sluice.device.memory.Memory;
import org.sluice.jni.pmix.PmixCalls;

/** A launcher with its PMIx server, whose processes all live in this JVM: what PMIx promises, and nothing more. */
final class SimulatedPmix {
    private static final int FOREVER_S = 3600;

    private final int size;
    private final List<Client> clients = new ArrayList<>();
    private final Map<String, byte[]> committed = new HashMap<>();
    private int inFence;
    private int fences;

    SimulatedPmix(int size) {
        this.size = size;
        for (int process = 0; process < size; process++) {
            clients.add(new Client(process));
        }
    }

    Client client(int process) {
        return clients.get(process);
    }

    /** One process's calls; the n-th of them fails where a test says so, and all hang where it says that. */
    final class Client implements PmixCalls {
        private final int process;
        private final Map<String, byte[]> put = new HashMap<>();
        private final Queue<int[]> events = new ArrayDeque<>();
        private int calls;
        /** Put and got. */
        private long bytes;

        private int failingCall;
        private int failure;
        private boolean hanging;
        private long answerMs;
        private boolean asked;
        private int finished;
        private String aborted = "";

        Client(int process) {
            this.process = process;
        }

        void fail(int nth, int status) {
            failingCall = nth;
            failure = status;
        }

        void hang() {
            hanging = true;
        }

        /** Each get takes so long; two at a time are never allowed. */
        void answerAfter(long milliseconds) {
            answerMs = milliseconds;
        }

        int calls() {
            return calls;
        }

        long bytes() {
            return bytes;
        }

        String aborted() {
            return aborted;
        }

        void event(int code, int of) {
            synchronized (SimulatedPmix.this) {
                events.add(new int[] {code, of});
                SimulatedPmix.this.notifyAll();
            }
        }

        private int called() {
            synchronized (SimulatedPmix.this) {
                while (hanging) {
                    pause(TimeUnit.SECONDS.toMillis(FOREVER_S));
                }
                return ++calls == failingCall ? failure : SUCCESS;
            }
        }

        @Override
        public int version(byte[] out) {
            return words("Simulated 4", out);
        }

        @Override
        public int errorString(int status, byte[] out) {
            return words("NAME-OF" + status, out);
        }

        private int words(String text, byte[] out) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            System.arraycopy(bytes, 0, out, 0, bytes.length);
            return bytes.length;
        }

        @Override
        public int init(byte[] namespace, long[] out) {
            words("simulated", namespace);
            out[MEMBER_RANK] = process;
            out[MEMBER_SIZE] = size;
            return called();
        }

        @Override
        public int put(byte[] key, long address, long bytes) {
            byte[] value = new byte[(int) bytes];
            for (int i = 0; i < bytes; i++) {
                value[i] = Memory.getByte(address + i);
            }
            int status = called();
            this.bytes += bytes;
            if (status == SUCCESS) {
                put.put(text(key), value);
            }
            return status;
        }

        @Override
        public int commit() {
            int status = called();
            synchronized (SimulatedPmix.this) {
                for (Map.Entry<String, byte[]> entry : put.entrySet()) {
                    if (status == SUCCESS
                            && committed.putIfAbsent(process + entry.getKey(), entry.getValue()) != null) {
                        throw new AssertionError("process " + process + " puts " + entry.getKey()
                                + " again, which servers may have kept");
                    }
                }
            }
            put.clear();
            return status;
        }

        @Override
        public int fence(int timeoutSeconds) {
            int status = called();
            if (status != SUCCESS) {
                return status;
            }
            synchronized (SimulatedPmix.this) {
                int mine = fences;
                if (++inFence == size) {
                    inFence = 0;
                    fences++;
                    SimulatedPmix.this.notifyAll();
                }
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
                while (fences == mine) {
                    long leftMs = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                    if (leftMs <= 0) {
                        return TIMEOUT;
                    }
                    pause(leftMs);
                }
            }
            return SUCCESS;
        }

        @Override
        public long get(int of, byte[] key, int timeoutSeconds, long address, long capacity) {
            int status = called();
            byte[] value;
            synchronized (SimulatedPmix.this) {
                if (asked) {
                    throw new AssertionError(
                            "process " + process + " asks for " + text(key) + " while another of its threads asks");
                }
                asked = true;
                if (answerMs > 0) {
                    pause(answerMs);
                }
                asked = false;
                value = committed.get(of + text(key));
            }
            if (status != SUCCESS || value == null) {
                return status != SUCCESS ? status : NOT_FOUND;
            }
            bytes += value.length;
            for (int i = 0; i < value.length && value.length <= capacity; i++) {
                Memory.putByte(address + i, value[i]);
            }
            return value.length;
        }

        @Override
        public int abort(int status, byte[] message) {
            aborted = status + " " + text(message);
            return called();
        }

        @Override
        public int finish() {
            finished++;
            return called();
        }

        @Override
        public int watch() {
            return SUCCESS;
        }

        @Override
        public int endWait() {
            synchronized (SimulatedPmix.this) {
                events.add(new int[] {0, NO_RANK});
                SimulatedPmix.this.notifyAll();
                return SUCCESS;
            }
        }

        @Override
        public int awaitEvent(int timeoutMs, int[] out) {
            synchronized (SimulatedPmix.this) {
                if (events.isEmpty()) {
                    pause(timeoutMs);
                }
                int[] event = events.poll();
                if (event == null) {
                    return 0;
                }
                System.arraycopy(event, 0, out, 0, EVENT_FIELDS);
                return 1;
            }
        }

        private String text(byte[] zeroEnded) {
            if (zeroEnded[zeroEnded.length - 1] != 0) {
                throw new AssertionError("a text without its end");
            }
            return new String(
                    ByteBuffer.wrap(zeroEnded, 0, zeroEnded.length - 1).array(),
                    0,
                    zeroEnded.length - 1,
                    StandardCharsets.UTF_8);
        }
    }

    private void pause(long milliseconds) {
        try {
            wait(milliseconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
