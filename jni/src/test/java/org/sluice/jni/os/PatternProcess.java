package org.sluice.jni.os;

/** A JVM with something to read: prints the address of a pattern and stays until its input ends. */
final class PatternProcess {

    private static final int BYTES = 64 << 10;

    private PatternProcess() {}

    static long word(int offset) {
        return offset * 0x9E3779B97F4A7C15L;
    }

    public static void main(String[] args) throws Exception {
        OsCalls os = Os.calls();
        try (SharedWords words = new SharedWords(os, BYTES)) {
            for (int i = 0; i < BYTES; i += Long.BYTES) {
                words.buffer().putLong(i, word(i));
            }
            os.prctlSetPtracer(OsCalls.PTRACER_ANY);
            System.out.println(words.address());
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        }
    }
}
