package org.sluice.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

final class ErrnoTest {

    private static final Pattern DEFINITION = Pattern.compile("#define\\s+(E[A-Z0-9]+)\\s+(\\d+)\\b.*");

    @Test
    void everyConstantHasItsNameAndText() throws IllegalAccessException {
        int constants = 0;
        for (Field field : Errno.class.getFields()) {
            int number = field.getInt(null);
            assertEquals(field.getName(), Errno.name(number));
            assertEquals(field.getName(), Errno.name(-number));
            assertFalse(Errno.text(number).isEmpty());
            constants++;
        }
        assertTrue(constants > 40, "constants: " + constants);
    }

    @Test
    void numbersAreTheKernels() throws Exception {
        Map<String, Integer> numbers = new HashMap<>();
        for (String header : List.of("errno-base.h", "errno.h")) {
            Path path = Path.of("/usr/include/asm-generic", header);
            Assumptions.assumeTrue(Files.exists(path), path + " is not installed (linux-libc-dev)");
            for (String line : Files.readAllLines(path)) {
                Matcher matcher = DEFINITION.matcher(line);
                if (matcher.matches()) {
                    numbers.put(matcher.group(1), Integer.parseInt(matcher.group(2)));
                }
            }
        }
        for (Field field : Errno.class.getFields()) {
            assertEquals(numbers.get(field.getName()), field.getInt(null), field.getName());
        }
    }

    @Test
    void describesTheCallAndWhatToTry() {
        String text = Errno.describe("posixFallocate", -Errno.ENOSPC);
        assertTrue(text.startsWith("posixFallocate: ENOSPC, no space left on device; free space"), text);
        assertTrue(text.contains("--shm-size"), text);
        assertEquals("futexWait: ETIMEDOUT, timed out", Errno.describe("futexWait", -Errno.ETIMEDOUT));
        assertEquals("x: errno 4000, see errno(3)", Errno.describe("x", -4000));
        assertEquals("mmapShared: no error (140000000000000)", Errno.describe("mmapShared", 140_000_000_000_000L));
    }
}
