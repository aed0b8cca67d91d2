package org.sluice.launch;

import org.sluice.device.SluiceException;

/**
 * What a rank failed of by itself, in one line: it is the last line of a job, too, whose ranks may all print what they
 * failed of then.
 *
 * <p>Proof: {@code ReasonTest}, {@code VerdictTest}.
 */
final class Reason {
    static final int LONGEST = 600;
    private static final String CUT = " ...";

    private Reason() {}

    /**
     * @return empty for what Sluice has not said, which stands where the rank has printed it, and for the end of
     *     another rank
     */
    static String of(Throwable failure) {
        return failure instanceof SluiceException && Blame.of(failure) == null
                ? line(((SluiceException) failure).code() + ": " + failure.getMessage())
                : "";
    }

    /** Of what a terminal only prints, and a frame holds. */
    private static String line(String text) {
        String plain = text.replaceAll("\\s+", " ").replaceAll("[^\\x20-\\x7e]", "?");
        return plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST - CUT.length()) + CUT;
    }
}
