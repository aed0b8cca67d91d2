package org.sluice.device.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;

/** What is said where no more files can be opened. {@code FewFilesProcessTest} has processes that are there. */
final class FileLimitTest {
    private static final SocketException OF_PROCESS = new SocketException("Too many open files");

    @Test
    void theLimitIsNamedWithWhatToDo() throws IOException {
        String limit = Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> line.split(" +")[3])
                .findFirst()
                .orElseThrow();
        FileLimit.read();
        String said = FileLimit.words(OF_PROCESS);
        assertTrue(said.contains(", " + limit + " (ulimit -n): raise that"), said);
    }

    @Test
    void thatOfTheMachineIsAnother() {
        String said = FileLimit.words(new FileNotFoundException("/dev/null (Too many open files in system)"));
        assertTrue(said.contains("(fs.file-max): raise that"), said);
        assertFalse(said.contains("ulimit"), said);
    }

    @Test
    void onlyWhatFailedSoHasThatCode() {
        SluiceException few =
                assertInstanceOf(SluiceException.class, FileLimit.failure("listening failed", OF_PROCESS));
        assertEquals(ErrorCode.NO_MEMORY, few.code());
        assertEquals(OF_PROCESS, few.getCause());
        assertTrue(few.getMessage().contains("listening failed: this process has all the files"), few.getMessage());
        RuntimeException other = FileLimit.failure("listening failed", new IOException("Address already in use"));
        assertEquals("listening failed: Address already in use", other.getMessage());
        assertFalse(FileLimit.isReached(new IOException()));
    }
}
