package org.sluice.launch;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.sluice.jni.NativeLibrary;

/**
 * Makes a {@link ClassArchive}: of what the first rank of a job has loaded in which two processes send each other
 * messages. {@code java -cp FOLDER/sluice-core.jar org.sluice.launch.ClassArchiveMaker JAVA_HOME...}
 */
public final class ClassArchiveMaker {
    private ClassArchiveMaker() {}

    /** Ends with status 1 where one or more were not made. */
    public static void main(String[] homes) throws InterruptedException {
        Path core = Path.of(System.getProperty("java.class.path")).toAbsolutePath();
        int status = 0;
        try {
            NativeLibrary.unpackAll(core.getParent());
        } catch (IOException e) {
            System.err.println("sluice: each rank unpacks the native libraries: " + e);
            status = 1;
        }
        for (String home : homes) {
            try {
                JavaHome java = JavaHome.of(Path.of(home));
                make(ClassArchive.in(core.getParent(), java), java);
                for (String dialect : ClassArchive.DIALECTS) {
                    ClassArchive archive = ClassArchive.in(core.getParent(), java, dialect);
                    if (Files.exists(archive.dialect())) {
                        make(archive, java);
                    }
                }
            } catch (IOException | RuntimeException e) {
                System.err.println("sluice: no archive of classes for " + home + ": " + e.getMessage());
                status = 1;
            }
        }
        System.exit(status);
    }

    /** @throws IOException with what the ranks printed, when there is no archive afterwards */
    static void make(ClassArchive archive, JavaHome java) throws IOException, InterruptedException {
        // Beside the old one, which running JVMs have mapped.
        Path made = archive.file().resolveSibling(archive.file().getFileName() + ".new");
        Files.deleteIfExists(made);
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        JobResult result = new Launcher(2, Program.ofClassPath(archive.classPath(), Rehearsal.class.getName()))
                .sluiceClassPath(archive.classPath())
                .java(java)
                // One of the two: both would write the same file. Whoever could write it could have ranks run his code:
                // it is never anybody else's.
                .commandPrefix(firstRank -> firstRank == 0
                        ? List.of(
                                "sh",
                                "-c",
                                "umask 077 && exec \"$@\"",
                                "sh",
                                "env",
                                "JAVA_TOOL_OPTIONS=-XX:ArchiveClassesAtExit='" + made + "'")
                        : List.of())
                .messages(lines::add)
                .output(RankOutput.captured((rank, error, line) -> lines.add(line)))
                .start()
                .waitFor();
        if (result.status() != 0 || !Files.exists(made)) {
            Files.deleteIfExists(made);
            throw new IOException("the ranks that were to make it ended with status " + result.status() + ":\n"
                    + String.join("\n", lines));
        }
        // A JVM that maps one which a failing machine cut short is killed.
        try (FileChannel channel = FileChannel.open(made, StandardOpenOption.READ)) {
            channel.force(true);
        }
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
        Files.move(made, archive.file(), StandardCopyOption.ATOMIC_MOVE);
    }
}
