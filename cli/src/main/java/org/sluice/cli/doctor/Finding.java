package org.sluice.cli.doctor;

import java.io.IOException;
import java.nio.file.FileSystemException;

/**
 * One thing that the doctor looked at.
 *
 * @param level how bad it is
 * @param topic a word or two: "shared memory"
 * @param text what was found
 * @param advice what to change; empty where nothing needs to be
 */
public record Finding(Level level, String topic, String text, String advice) {
    /**
     * How bad it is: INFORMATION and OK are fine, SLOWER works less well than it could, UNUSABLE does not work; IGNORED
     * is what somebody has set in vain.
     */
    public enum Level {
        INFORMATION,
        OK,
        SLOWER,
        UNUSABLE,
        IGNORED
    }

    static Finding information(String topic, String text) {
        return new Finding(Level.INFORMATION, topic, text, "");
    }

    static Finding ok(String topic, String text) {
        return new Finding(Level.OK, topic, text, "");
    }

    static Finding slower(String topic, String text, String advice) {
        return new Finding(Level.SLOWER, topic, text, advice);
    }

    static Finding ignored(String topic, String text, String advice) {
        return new Finding(Level.IGNORED, topic, text, advice);
    }

    static Finding unusable(String topic, String text, String advice) {
        return new Finding(Level.UNUSABLE, topic, text, advice);
    }

    /** What went wrong, for a text: the message of most exceptions about files is the file alone. */
    static String reason(IOException failure) {
        return failure instanceof FileSystemException
                ? failure.getClass().getSimpleName() + " " + failure.getMessage()
                : failure.getMessage();
    }
}
