package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.user.OtherUser;
import org.sluice.jni.NativeLibrary;

/**
 * Another user who may write where native libraries are unpacked puts files of his in the place of all that he sees.
 */
@Tag("once")
@Timeout(120)
final class UnpackedLibraryProcessTest {
    private static final int LOADS = 100;

    @TempDir
    private Path output;

    /** Not JUnit's, which are closed to others. */
    private Path open;

    private Path folder;
    private Process swapping;

    /** Loads a library again and again. */
    static final class Loads {
        private Loads() {}

        public static void main(String[] arguments) {
            for (int i = 0; i < LOADS; i++) {
                NativeLibrary library = NativeLibrary.load("os");
                if (!library.loaded()) {
                    System.out.println(library.reason());
                    return;
                }
            }
            System.out.println("loaded");
        }
    }

    @BeforeEach
    void makeFolders() throws Exception {
        open = Files.createTempDirectory("sluice-open-");
        Files.setAttribute(open, "unix:mode", 0755);
        folder = Files.createDirectory(open.resolve("tmp"));
    }

    @AfterEach
    void removeFolders() throws Exception {
        if (swapping != null) {
            swapping.destroyForcibly().waitFor();
        }
        try (Stream<Path> left = Files.list(folder)) {
            for (Path path : (Iterable<Path>) left::iterator) {
                Files.delete(path);
            }
        }
        Files.delete(folder);
        Files.delete(open);
    }

    /** He renames a file of his over each file that is not his yet, and gives folders of others another name. */
    private void letHimSwap() throws Exception {
        OtherUser stranger = OtherUser.stranger();
        Path ready = folder.resolve("ready");
        swapping = stranger.command(
                        "bash",
                        "-c",
                        "cd \"$1\" && echo his >ready && chmod 755 ready && while :; do for f in *; do"
                                + " [ -O \"$f\" ] || { [ -d \"$f\" ] && mv \"$f\" \"moved$RANDOM\" && mkdir \"$f\";"
                                + " for l in \"$f\"/*; do cp ready \"$l\"; done; cp ready x && mv -f x \"$f\"; };"
                                + " done; done 2>/dev/null",
                        "bash",
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20); !Files.exists(ready); ) {
            assertTrue(System.nanoTime() < end && swapping.isAlive(), "the other user can't write " + folder);
            Thread.sleep(5);
        }
    }

    private String load() throws IOException, InterruptedException {
        Path said = output.resolve("said");
        ProcessBuilder builder = new ProcessBuilder(JavaHome.current().command());
        builder.command().addAll(JavaHome.current().flags());
        builder.command()
                .addAll(List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.io.tmpdir=" + folder,
                        "-Duser.home=?",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Loads.class.getName()));
        builder.environment().keySet().removeIf(name -> name.startsWith("XDG_") || name.startsWith("SLUICE_"));
        Process process =
                builder.redirectErrorStream(true).redirectOutput(said.toFile()).start();
        assertTrue(process.waitFor(100, TimeUnit.SECONDS), "still loading after 100 s");
        String text = Files.readString(said);
        assertEquals(0, process.exitValue(), text);
        return text.strip();
    }

    @Test
    void whereHeMaySwapFilesNothingIsUnpacked() throws Exception {
        Files.setAttribute(folder, "unix:mode", 0777);
        letHimSwap();
        assertUnpackedElsewhere();
    }

    /** He would have put a file of his over each that he found, so that none of these says what was there. */
    private void assertUnpackedElsewhere() throws IOException, InterruptedException {
        WatchService watch = folder.getFileSystem().newWatchService();
        try (watch) {
            folder.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
            assertEquals("loaded", load());
            for (WatchKey key = watch.poll(); key != null; key = watch.poll()) {
                for (WatchEvent<?> event : key.pollEvents()) {
                    assertFalse(event.context().toString().contains("sluice"), "made there: " + event.context());
                }
                key.reset();
            }
        }
    }

    @Test
    void norInAFolderOfHis() throws Exception {
        OtherUser.stranger().give(folder);
        letHimSwap();
        assertUnpackedElsewhere();
    }

    /** As {@code /tmp} is. */
    @Test
    void whereFilesOfOthersStayWhatIsLoadedIsOurs() throws Exception {
        Files.setAttribute(folder, "unix:mode", 01777);
        letHimSwap();
        assertEquals("loaded", load());
    }
}
