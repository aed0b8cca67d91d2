package org.sluice.jni.os;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** The form in which a path goes down to C: UTF-8, closed by a zero byte. Made once and kept, not once per call. */
public final class NativePath {

    private NativePath() {}

    public static byte[] of(Path path) {
        return of(path.toString());
    }

    public static byte[] of(String path) {
        if (path.isEmpty()) {
            throw new IllegalArgumentException("The path is empty; give the path of a file.");
        }
        int zero = path.indexOf('\0');
        if (zero >= 0) {
            throw new IllegalArgumentException("The path \"" + path.replace("\0", "\\0") + "\" has a zero character at"
                    + " index " + zero + "; C would read it as the end of the path.");
        }
        byte[] text = path.getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(text, text.length + 1);
    }
}
