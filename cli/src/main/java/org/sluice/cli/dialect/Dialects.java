package org.sluice.cli.dialect;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.sluice.launch.MpiDialect;
import org.sluice.launch.Program;
import org.sluice.launch.SluiceJar;

/**
 * The dialects of MPI that lie beside sluice.jar, and which of them a program gets.
 *
 * <p><i>Thread</i>: any. <i>Proof</i>: {@code DialectsTest}, {@code DialectsProcessTest}.
 */
public final class Dialects {
    /** The dialect is what the program speaks. */
    public static final String AUTO = "auto";
    /** The program keeps the package {@code mpi} that it brings, or has none. */
    public static final String NONE = "none";

    public static final String MPIJAVA = MpiDialect.MPIJAVA;
    /** What its MPI.Init reads a file in. */
    public static final String HOME_OF_MPJ_EXPRESS = "/usr/share/mpj";

    private static final List<String> NAMES = List.of(MPIJAVA, "openmpi");
    /** In each dialect's jar; its first word is the dialect's name. */
    private static final String MARK = "META-INF/sluice-mpi-dialect";

    private static final String MPI = "mpi/MPI.class";
    /** Of Debian's package. */
    private static final List<Path> MPJ_EXPRESS =
            List.of(Path.of("/usr/share/java/mpj.jar"), Path.of("/usr/share/java/log4j-1.2.jar"));
    /** Under which MPJ Express finds Sluice, as xdev.mxdev.MXDevice. */
    private static final String DEVICE_OF_MPJ_EXPRESS = "mxdev";

    private final Path folder;
    /** By name; both or none. */
    private final Map<String, Path> jars = new LinkedHashMap<>();

    private Dialects(Path folder) {
        this.folder = folder;
    }

    /** Those beside the sluice.jar that this JVM has; none, where it has Sluice of something else. */
    public static Dialects installed() {
        return in(Path.of(SluiceJar.classPath().split(File.pathSeparator, 2)[0])
                .toAbsolutePath()
                .resolveSibling("mpi"));
    }

    static Dialects in(Path folder) {
        Dialects dialects = new Dialects(folder);
        for (String name : NAMES) {
            Path jar = folder.resolve("sluice-" + name + ".jar");
            if (Files.isRegularFile(jar)) {
                dialects.jars.put(name, jar);
            }
        }
        return dialects;
    }

    /**
     * MPJ Express itself, as Debian has it, with Sluice as its device: all that a program gets of MPI.
     *
     * @throws IllegalArgumentException where one of the jars isn't there
     */
    public MpiDialect mpjExpress() {
        List<Path> all = new ArrayList<>(List.of(folder.resolve("sluice-xdev.jar")));
        all.addAll(MPJ_EXPRESS);
        for (Path jar : all) {
            if (!Files.isRegularFile(jar)) {
                throw new IllegalArgumentException("--under-mpj-express: there is no " + jar
                        + (MPJ_EXPRESS.contains(jar)
                                ? "; Debian's libmpj-java and liblog4j1.2-java have it"
                                : "; ./sluice --version builds it in a checkout"));
            }
        }
        return new MpiDialect(
                "mpj-express",
                String.join(File.pathSeparator, all.stream().map(Path::toString).toList()),
                true,
                DEVICE_OF_MPJ_EXPRESS);
    }

    /**
     * What a program gets, and what its user is to be told; without a dialect if it gets none.
     *
     * @param line null, if there is nothing to tell
     * @param called the dialect that the program calls, where it gets another; else null
     */
    public record Choice(Optional<MpiDialect> dialect, String line, String called) {
        private static final Choice NONE = new Choice(Optional.empty(), null, null);
    }

    /**
     * Chooses for a program.
     *
     * @param wanted a dialect's name, {@link #AUTO} or {@link #NONE}
     * @throws IllegalArgumentException for another word, and where the program, what is wanted, and dialects of
     *     Sluice's on the program's class path don't fit together
     */
    public Choice choose(Program program, String wanted) {
        if (wanted.equals(NONE)) {
            return Choice.NONE;
        }
        if (!wanted.equals(AUTO) && !NAMES.contains(wanted)) {
            throw new IllegalArgumentException("--mpi is '" + wanted + "'; it may be auto (by what the program calls), "
                    + String.join(", ", NAMES) + ", or none (the program keeps its own package mpi)");
        }
        if (jars.size() < NAMES.size()) {
            if (wanted.equals(AUTO)) {
                return Choice.NONE;
            }
            throw new IllegalArgumentException("--mpi " + wanted + ": there is no sluice-" + wanted
                    + ".jar in the folder mpi beside sluice.jar; ./sluice --version builds it in a checkout");
        }
        try (ClassPath files = new ClassPath(program.urls())) {
            List<String> mains = new ArrayList<>(List.of(program.mainClass()));
            files.addNested(program.mainClass()).ifPresent(mains::add);
            if (!wanted.equals(AUTO)) {
                return choose(files, new Spoken.Found(wanted, null), wanted, unlike(files, mains, wanted));
            }
            Optional<Spoken.Found> found = spoken(files, mains);
            return found.isEmpty() ? Choice.NONE : choose(files, found.get(), wanted, null);
        }
    }

    /** What a program calls that misses methods in the dialect that it gets; else null. */
    private String unlike(ClassPath files, List<String> mains, String wanted) {
        Optional<Spoken.Found> called;
        try {
            called = called(files, mains);
        } catch (IllegalArgumentException e) {
            // It calls several, and so was told which it gets.
            return null;
        }
        return called.filter(found ->
                        NAMES.contains(found.dialect()) && !found.dialect().equals(wanted) && found.line() == null)
                .map(Spoken.Found::dialect)
                .orElse(null);
    }

    private Optional<Spoken.Found> called(ClassPath files, List<String> mains) {
        Map<String, DialectJar> dialects = new TreeMap<>();
        jars.forEach((name, jar) -> dialects.put(name, new DialectJar(jar)));
        try {
            return Spoken.by(files, mains, dialects);
        } finally {
            dialects.values().forEach(DialectJar::close);
        }
    }

    private Optional<Spoken.Found> spoken(ClassPath files, List<String> mains) {
        Optional<Spoken.Found> found = called(files, mains);
        if (found.isEmpty() || !found.get().dialect().equals(Spoken.SHARED)) {
            return found;
        }
        Map<String, File> brought = brought(files);
        String name = brought.size() == 1 ? brought.keySet().iterator().next() : MPIJAVA;
        return Optional.of(new Spoken.Found(name, null));
    }

    private Choice choose(ClassPath files, Spoken.Found found, String wanted, String called) {
        String name = found.dialect();
        Map<String, File> brought = brought(files);
        if (brought.size() > 1) {
            throw new IllegalArgumentException("several dialects of MPI are on the class path, and all are the package"
                    + " mpi: "
                    + String.join(
                            " and ",
                            brought.values().stream().map(File::getPath).toList())
                    + "; leave the one that the program was written for, or none: it gets what it needs");
        }
        if (!brought.isEmpty() && !brought.containsKey(name)) {
            throw new IllegalArgumentException(brought.values().iterator().next() + " on the class path is "
                    + brought.keySet().iterator().next() + ", and "
                    + (wanted.equals(AUTO) ? "the program calls " : "--mpi is ") + name
                    + "; leave the jar out: the program gets what it needs");
        }
        List<File> having = files.holding(MPI);
        File own = brought.get(name);
        // Of two builds of ours it is the program's.
        Path jar = own == null ? jars.get(name) : own.toPath();
        // What stands behind the program's own gives way to that anyhow.
        Optional<File> others = having.stream()
                .takeWhile(place -> !place.equals(own))
                .filter(place -> files.read(place, MARK) == null)
                .findFirst();
        List<String> lines = new ArrayList<>();
        if (found.line() != null) {
            lines.add(found.line());
        }
        if (called != null) {
            lines.add("the program calls " + called + ", and gets " + wanted + ", as --mpi says");
        }
        if (others.isPresent() || files.isNested(MPI) && !files.isNested(MARK)) {
            lines.add("the package mpi " + others.map(place -> "in " + place).orElse("in a jar in the program's jar")
                    + " gives way to Sluice's (" + name + "), which runs the same programs; --mpi none keeps it");
        }
        boolean isThere = own != null && others.isEmpty() && !isSame(jar, jars.get(name));
        return new Choice(
                Optional.of(MpiDialect.of(name, isThere ? "" : jar.toString(), others.isPresent() || own != null)),
                lines.isEmpty() ? null : String.join("; ", lines),
                called);
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException e) {
            return false;
        }
    }

    /** Jars of dialects that a class path has, by their dialects. */
    private static Map<String, File> brought(ClassPath files) {
        Map<String, File> brought = new TreeMap<>();
        for (File place : files.holding(MARK)) {
            String text = new String(files.read(place, MARK), StandardCharsets.UTF_8);
            brought.putIfAbsent(text.split("\\W", 2)[0], place);
        }
        return brought;
    }
}
