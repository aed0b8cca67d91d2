package org.sluice.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a rank that was killed left in the folder of the segments. <i>Proof</i>: {@code LeftOverTest}. */
final class LeftOver {
    private LeftOver() {}

    /**
     * Removes the segment of a rank that died, by the path that the rank told; leaves whatever is no regular file, is
     * not called as a segment is, or belongs to another user than it says. In which folder it must be nobody but the
     * rank knows.
     */
    static void remove(String told) throws IOException {
        try {
            Path file = Path.of(told);
            Path name = file.getFileName();
            Matcher matcher =
                    Pattern.compile("sluice-(\\d+)-[0-9a-f]{32}").matcher(name == null ? "" : name.toString());
            if (matcher.matches() && isFileOf(file, matcher.group(1))) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException | InvalidPathException e) {
            // It was never made, or removed before.
            return;
        }
    }

    private static boolean isFileOf(Path file, String uid) throws IOException {
        Map<String, Object> facts = Files.readAttributes(file, "unix:uid,isRegularFile", LinkOption.NOFOLLOW_LINKS);
        return (Boolean) facts.get("isRegularFile")
                && facts.get("uid").toString().equals(uid);
    }
}
