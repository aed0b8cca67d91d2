package org.sluice.jni.pmix;

import java.nio.charset.StandardCharsets;
import org.sluice.jni.NativeLibrary;

/**
 * The Java mirror of {@code libsluice_pmix.so}, which is loaded once, when this class is first used, and libpmix with
 * it; {@code -Dsluice.pmix=off} or {@code SLUICE_PMIX=off} keeps it out. What each call does and returns stands in
 * {@link PmixCalls}, and rooms above hold one of those: a native method here, called where {@link #available()} is
 * false, is an UnsatisfiedLinkError.
 *
 * <p>Thread: any.
 *
 * <p>Fails: never while loading; {@link #unavailableReason()} says what went wrong.
 *
 * <p>Proof: {@code PmixAvailabilityTest}.
 */
public final class Pmix {
    /** Of earlier ones values have another size. */
    private static final int OLDEST = 3;

    private static final int VERSION_BYTES = 128;

    private static final NativeLibrary LIBRARY = load();

    private Pmix() {}

    private static NativeLibrary load() {
        NativeLibrary library = NativeLibrary.load("pmix");
        if (!library.loaded()) {
            return library;
        }
        byte[] version = new byte[VERSION_BYTES];
        int length = version(version);
        return library.unless(refusal(length < 0 ? "" : new String(version, 0, length, StandardCharsets.UTF_8)));
    }

    /**
     * @param version as libpmix says it
     * @return null where it is none to refuse
     */
    static String refusal(String version) {
        int digits = 0;
        while (digits < version.length() && !isDigit(version.charAt(digits))) {
            digits++;
        }
        int end = digits;
        while (end < version.length() && isDigit(version.charAt(end))) {
            end++;
        }
        // More than three digits are no version.
        boolean isKnown = end > digits && end - digits < 4;
        if (isKnown && Integer.parseInt(version, digits, end, 10) >= OLDEST) {
            return null;
        }
        return "libpmix.so.2 says that it is '" + version + "'; version " + OLDEST
                + " or newer is needed: install it, or let LD_LIBRARY_PATH name the folder of that which the launcher"
                + " has";
    }

    private static boolean isDigit(char letter) {
        return letter >= '0' && letter <= '9';
    }

    public static boolean available() {
        return LIBRARY.loaded();
    }

    /** Why the library is not there and what to do about it; empty when it is. */
    public static String unavailableReason() {
        return LIBRARY.reason();
    }

    /**
     * The native calls.
     *
     * @throws IllegalStateException where the library is not available
     */
    public static PmixCalls calls() {
        if (!available()) {
            throw new IllegalStateException(unavailableReason(), LIBRARY.cause());
        }
        return new NativePmix();
    }

    static native int version(byte[] out);

    static native int errorString(int status, byte[] out);

    static native int init(byte[] namespace, long[] out);

    static native int put(byte[] key, long address, long bytes);

    static native int commit();

    static native int fence(int timeoutSeconds);

    static native long get(int process, byte[] key, int timeoutSeconds, long address, long capacity);

    static native int abort(int status, byte[] message);

    static native int finish();

    static native int watch();

    static native int endWait();

    static native int awaitEvent(int timeoutMs, int[] out);
}
