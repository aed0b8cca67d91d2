package org.sluice.jni;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One native library out of the jar: loaded, or else the reason why not.
 *
 * <p>The file {@code org/sluice/jni/linux-<machine>/libsluice_<name>.so} is copied into a private directory, loaded,
 * and deleted at once: the mapping lives on, and nothing stays behind however the JVM ends.
 *
 * <p>Thread: immutable once made.
 *
 * <p>Fails: {@link #load} never throws; {@link #loaded()}, {@link #reason()} and {@link #cause()} tell.
 *
 * <p>Proof: {@code NativeLibraryTest}.
 */
public final class NativeLibrary {

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
            return refusal != null ? absent(name, refusal, null) : unpackAndLoad(name, platform, directories);
        } catch (IOException | RuntimeException e) {
            return absent(name, "could not be read from the jar: " + e, e);
        }
    }

    private static NativeLibrary unpackAndLoad(String name, Platform platform, List<Path> directories)
            throws IOException {
        if (platform.unsupportedReason() != null) {
            return absent(name, platform.unsupportedReason(), null);
        }
        String resource = platform.directory() + "/libsluice_" + name + ".so";
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
                UnpackedLibrary.load(directory, "libsluice_" + name + ".so", library);
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
