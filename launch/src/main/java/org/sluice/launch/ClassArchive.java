package org.sluice.launch;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarFile;
import org.sluice.jni.NativeLibrary;

/**
 * What spares a rank most of the work of loading classes (ADR 0040): a jar of Sluice's own classes alone, and for one
 * release of Java an archive of these and of the JDK's. The JVM believes the archive only where its class path begins
 * as it did when the archive was made, so that this jar stands in front of the program's; it holds nobody else's
 * classes, whose version the program may want to choose. Beside them lie the jar's native libraries as files. A JVM
 * that finds the archive made for another build of Java, or its jar changed, says nothing and loads classes as ever.
 *
 * <p>Proof: {@code ClassArchiveTest}, {@code ClassArchiveProcessTest} in bench, where the jars are.
 *
 * @param core the jar
 * @param dialect the jar of a dialect of MPI behind it, whose classes are in the archive too; null for none
 */
public record ClassArchive(Path core, Path dialect, Path file) {
    static final String CORE = "sluice-core.jar";
    /** Those that archives are made of, if they are there. */
    static final List<String> DIALECTS = List.of("mpijava", "openmpi");

    /**
     * Set by {@code ./sluice}, which also sees to it that the archive is whole and of the jars beside it. No other
     * place is trusted.
     */
    private static final String HOME = "sluice.home";
    /**
     * With these there is an archive of the user's own, or none, or we can't know: two that don't fit keep a JVM from
     * starting, or have it print of them.
     */
    private static final List<String> OF_ARCHIVES =
            List.of("share", "Archive", "AOT", "DynamicDump", "VMOptionsFile", "-XX:Flags");

    private static final List<String> OF_LOGS = List.of("all", "cds", "disable");
    /** What a JVM reads flags from besides its command. */
    private static final List<String> OF_THE_ENVIRONMENT =
            List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

    private static final String A_CLASS_OF_OURS = "org/sluice/launch/SluiceVersion.class";

    /** Empty where {@code ./sluice} has made none for this release of Java, or didn't start this JVM. */
    public static Optional<ClassArchive> of(JavaHome java) {
        return of(java, null);
    }

    /** @param spoken what the program speaks; null for none. Where there is none of it, that of no dialect will do */
    static Optional<ClassArchive> of(JavaHome java, MpiDialect spoken) {
        String home = System.getProperty(HOME, "");
        if (home.isEmpty()) {
            return Optional.empty();
        }
        Path folder = Path.of(home, ".build").toAbsolutePath();
        if (spoken != null) {
            ClassArchive archive = in(folder, java, spoken.name());
            if (archive.isThere() && Files.isReadable(archive.dialect)) {
                return Optional.of(archive);
            }
        }
        ClassArchive archive = in(folder, java);
        return archive.isThere() ? Optional.of(archive) : Optional.empty();
    }

    private boolean isThere() {
        return Files.isReadable(core) && Files.isReadable(file);
    }

    static ClassArchive in(Path folder, JavaHome java) {
        return new ClassArchive(folder.resolve(CORE), null, folder.resolve("classes-" + java.feature() + ".jsa"));
    }

    /** The dialect's jar there names no neighbours, so that the program's versions of libraries win. */
    static ClassArchive in(Path folder, JavaHome java, String dialect) {
        return new ClassArchive(
                folder.resolve(CORE),
                folder.resolve("sluice-" + dialect + ".jar"),
                folder.resolve("classes-" + java.feature() + "-" + dialect + ".jsa"));
    }

    boolean hasDialect() {
        return dialect != null;
    }

    /** With which the class path of a JVM begins that takes its classes from here. */
    String classPath() {
        return hasDialect() ? core + File.pathSeparator + dialect : core.toString();
    }

    /** Whether flags, or what the environment adds to them, leave the choice to us. */
    static boolean isWelcome(Collection<String> flags, Map<String, String> environment) {
        if (flags.stream().anyMatch(ClassArchive::speaksOfArchives)) {
            return false;
        }
        return OF_THE_ENVIRONMENT.stream()
                .flatMap(name ->
                        Arrays.stream(environment.getOrDefault(name, "").trim().split("\\s+")))
                // A file of more flags.
                .noneMatch(word -> word.startsWith("@") || speaksOfArchives(word));
    }

    private static boolean speaksOfArchives(String flag) {
        if (flag.startsWith("-Xlog")) {
            return flag.equals("-Xlog") || OF_LOGS.stream().anyMatch(flag::contains);
        }
        return flag.startsWith("-X") && OF_ARCHIVES.stream().anyMatch(flag::contains)
                || flag.startsWith("-Djava.system.class.loader");
    }

    /**
     * Whether a program has Sluice's classes on its own class path: which of two builds it meets must not depend on
     * there being an archive.
     */
    static boolean isBroughtBy(Program program) {
        return Arrays.stream(program.urls()).anyMatch(ClassArchive::holdsOurs);
    }

    private static boolean holdsOurs(URL entry) {
        Path path = Path.of(URI.create(entry.toString()));
        if (!Files.isRegularFile(path)) {
            return Files.exists(path.resolve(A_CLASS_OF_OURS));
        }
        try (JarFile jar = new JarFile(path.toFile())) {
            return jar.getEntry(A_CLASS_OF_OURS) != null;
        } catch (IOException | UncheckedIOException e) {
            // No jar; the rank's JVM is the one to say so.
            return false;
        }
    }

    /** An archive that doesn't fit is no reason to say anything. */
    public List<String> flags() {
        return List.of(
                "-XX:SharedArchiveFile=" + file,
                "-Xlog:cds=off",
                "-Xlog:cds+dynamic=off",
                "-D" + NativeLibrary.READY_FOLDER + "=" + core.getParent());
    }

    /** Several class paths as one in which nothing is named twice. */
    static String join(List<String> classPaths) {
        Set<String> entries = new LinkedHashSet<>();
        classPaths.forEach(path -> entries.addAll(Arrays.asList(path.split(File.pathSeparator, -1))));
        return String.join(File.pathSeparator, entries);
    }
}
