package org.sluice.bench.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CompilerTimeTest {

    private static void thread(Path folder, int id, String name, int user, int system) throws IOException {
        Path thread = Files.createDirectories(folder.resolve(Integer.toString(id)));
        Files.writeString(thread.resolve("comm"), name + "\n");
        Files.writeString(
                thread.resolve("stat"),
                id + " (" + name + ") S 1 2 3 4 5 6 7 8 9 10 " + user + " " + system + " 0 0 20\n");
    }

    @Test
    void compilersAloneCountAndNothingIsForgottenOfOneThatEnds(@TempDir Path folder) throws IOException {
        thread(folder, 1, "C1 CompilerThre", 3, 1);
        thread(folder, 2, "C2 CompilerThre", 50, 6);
        thread(folder, 3, "main", 1000, 1000);
        CompilerTime time = new CompilerTime(folder);
        assertEquals(600, time.ms());
        Files.delete(folder.resolve("2/comm"));
        thread(folder, 4, "C2 CompilerThre", 2, 0);
        assertEquals(620, time.ms());
    }

    @Test
    void thisJvmsOwnCanBeRead() {
        CompilerTime time = new CompilerTime();
        long before = time.ms();
        assertTrue(before >= 0 && before < 3_600_000, before + " ms");
        assertTrue(time.ms() >= before);
    }
}
