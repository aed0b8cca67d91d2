package org.sluice.jni;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * One native library out of the jar: loaded, or else the reason why not.
 *
 * <p>The file {@code org/sluice/jni/linux-<machine>/libsluice_<name>.so} is copied into a private directory, loaded,
 * and deleted at once: the mapping lives on, and nothing stays behind however the JVM ends. Where whoever started this
 * JVM has it unpacked already, as {@code ./sluice run} has, it is loaded from there.
 *
 * <p>Thread: immutable once made.
 *
 * <p>Fails: {@link #load} never throws; {@link #loaded()}, {@link #reason()} and {@link #cause()} tell.
 *
 * <p>Proof: {@code NativeLibraryTest}.
 */
public final class NativeLibrary {
    /** The property with the folder of {@link #unpackAll}; what it holds is believed, as the class path is. */
    public static final String READY_FOLDER = "sluice.native.folder";

    private static final List<String> NAMES = List.of("os", "verbs", "pmix");
    private static final Set<StandardOpenOption> FRESH =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private final String name;
    private final String reason;
    private final Throwable cause;

    private NativeLibrary(String name, String reason, Throwable cause) {
        this.name = name;
        this.reason = reason;
        this.cause = cause;
    }

    /** Loads the library unless the option {@code sluice.<name>} or the variable {@code SLUICE_<NAME>} says "off". */
    public static NativeLibrary load(String name) {
        return load(
                name,
                Platform.current(),
                UnpackingDirectories.ofThisProcess(),
                System.getProperties(),
                System.getenv());
    }

    static NativeLibrary load(
            String name,
            Platform platform,
            List<Path> directories,
            Map<?, ?> properties,
            Map<String, String> environment) {
        try {
            String refusal = refusal(name, properties, environment);
            if (refusal != null) {
                return absent(name, refusal, null);
            }
            return isReady(name, properties.get(READY_FOLDER))
                    ? new NativeLibrary(name, "", null)
                    : unpackAndLoad(name, platform, directories);
        } catch (IOException | RuntimeException e) {
            return absent(name, "could not be read from the jar: " + e, e);
        }
    }

    /** What is wrong with one there is said of that in the jar, if that isn't better. */
    private static boolean isReady(String name, Object folder) {
        Path file = folder == null ? null : Path.of(folder.toString(), fileName(name));
        if (file == null || !file.isAbsolute() || !Files.isReadable(file)) {
            return false;
        }
        try {
            System.load(file.toString());
            return true;
        } catch (UnsatisfiedLinkError | IllegalCallerException e) {
            return false;
        }
    }

    /**
     * Writes this machine's libraries into a folder, as files that other JVMs of this user load while they last
     * ({@link #READY_FOLDER}). Each is there as a whole or not at all, and on the disk before: the JVM that loads one
     * which a failing machine cut short may be killed. JVMs that have loaded an older one keep that.
     */
    public static void unpackAll(Path folder) throws IOException {
        Platform platform = Platform.current();
        FileAttribute<?> ours = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        for (String name : NAMES) {
            byte[] library = PackedLibrary.read(resource(platform, name));
            Path file = folder.resolve(fileName(name));
            if (library == null) {
                Files.deleteIfExists(file);
            } else {
                Path made = folder.resolve(fileName(name) + ".new");
                Files.deleteIfExists(made);
                try (FileChannel channel = FileChannel.open(made, FRESH, ours)) {
                    for (ByteBuffer left = ByteBuffer.wrap(library); left.hasRemaining(); ) {
                        channel.write(left);
                    }
                    channel.force(true);
                }
                Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    private static String fileName(String name) {
        return "libsluice_" + name + ".so";
    }

    private static String resource(Platform platform, String name) {
        return platform.directory() + "/" + fileName(name);
    }

    private static NativeLibrary unpackAndLoad(String name, Platform platform, List<Path> directories)
            throws IOException {
        if (platform.unsupportedReason() != null) {
            return absent(name, platform.unsupportedReason(), null);
        }
        String resource = resource(platform, name);
        byte[] library = PackedLibrary.read(resource);
        if (library == null) {
            return absent(
                    name,
                    "there is no " + resource
                            + " in this jar; it was built for another machine, or where the headers that"
                            + " the library needs were missing: build it on a " + platform.machine()
                            + " machine and see what jni/build.sh says,"
                            + " or add that machine's file to the jar",
                    null);
        }
        String mismatch = platform.mismatch(library);
        if (mismatch != null) {
            return absent(name, resource + " is " + mismatch + "; build the jar again", null);
        }
        return loadFromFirstUsable(name, library, directories);
    }

    /** Another directory helps against a full, read-only or noexec one, and against nothing else. */
    private static NativeLibrary loadFromFirstUsable(String name, byte[] library, List<Path> directories) {
        StringBuilder refusals = new StringBuilder();
        Throwable first = null;
        for (Path directory : directories) {
            try {
                UnpackedLibrary.load(directory, fileName(name), library);
                return new NativeLibrary(name, "", null);
            } catch (IOException | SecurityException | UnsupportedOperationException e) {
                first = first == null ? e : first;
                refusals.append("; ").append(directory).append(": ").append(LoadFailure.explain(e));
            } catch (IllegalCallerException e) {
                return absent(
                        name,
                        "this JVM refuses native code (" + e.getMessage()
                                + "); start with ./sluice run, or give the JVM" + " --enable-native-access=ALL-UNNAMED",
                        e);
            } catch (UnsatisfiedLinkError e) {
                if (!LoadFailure.isOfDirectory(e)) {
                    return absent(name, LoadFailure.explain(e), e);
                }
                first = first == null ? e : first;
                refusals.append("; ").append(directory).append(": ").append(LoadFailure.explain(e));
            }
        }
        return absent(
                name,
                "no directory to load it from; point -Djava.io.tmpdir at one that can be written, by no"
                        + " other user, and is not mounted noexec" + refusals,
                first);
    }

    /** Null when nothing speaks against loading; the property goes before the variable. */
    private static String refusal(String name, Map<?, ?> properties, Map<String, String> environment) {
        String option = "sluice." + name;
        String variable = "SLUICE_" + name.toUpperCase(Locale.ROOT);
        Object property = properties.get(option);
        Object value = property != null ? property : environment.get(variable);
        String origin = property != null ? "-D" + option : variable;
        if (value == null || value.equals("on")) {
            return null;
        }
        if (value.equals("off")) {
            return "switched off by " + origin + "=off";
        }
        return origin + " is \"" + value + "\"; it may be \"on\" or \"off\"";
    }

    private static NativeLibrary absent(String name, String reason, Throwable cause) {
        return new NativeLibrary(name, "libsluice_" + name + " is not loaded: " + reason, cause);
    }

    /**
     * For a library that loaded and is of no use: this one, or, where {@code refusal} is not null, one that is not
     * loaded for that reason.
     */
    public NativeLibrary unless(String refusal) {
        return refusal == null ? this : absent(name, refusal, null);
    }

    public String name() {
        return name;
    }

    public boolean loaded() {
        return reason.isEmpty();
    }

    /** Why it is not loaded, and what to do; empty when it is. */
    public String reason() {
        return reason;
    }

    /** What was thrown, or null when it is loaded or was not tried. */
    public Throwable cause() {
        return cause;
    }
}
