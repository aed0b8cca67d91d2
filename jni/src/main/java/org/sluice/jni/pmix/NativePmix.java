package org.sluice.jni.pmix;

/** The real calls: each goes straight down to {@link Pmix}. */
final class NativePmix implements PmixCalls {

    @Override
    public int version(byte[] out) {
        return Pmix.version(out);
    }

    @Override
    public int errorString(int status, byte[] out) {
        return Pmix.errorString(status, out);
    }

    @Override
    public int init(byte[] namespace, long[] out) {
        return Pmix.init(namespace, out);
    }

    @Override
    public int put(byte[] key, long address, long bytes) {
        return Pmix.put(key, address, bytes);
    }

    @Override
    public int commit() {
        return Pmix.commit();
    }

    @Override
    public int fence(int timeoutSeconds) {
        return Pmix.fence(timeoutSeconds);
    }

    @Override
    public long get(int process, byte[] key, int timeoutSeconds, long address, long capacity) {
        return Pmix.get(process, key, timeoutSeconds, address, capacity);
    }

    @Override
    public int abort(int status, byte[] message) {
        return Pmix.abort(status, message);
    }

    @Override
    public int finish() {
        return Pmix.finish();
    }

    @Override
    public int watch() {
        return Pmix.watch();
    }

    @Override
    public int endWait() {
        return Pmix.endWait();
    }

    @Override
    public int awaitEvent(int timeoutMs, int[] out) {
        return Pmix.awaitEvent(timeoutMs, out);
    }
}
