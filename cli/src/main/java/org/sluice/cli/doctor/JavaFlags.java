package org.sluice.cli.doctor;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Option;
import org.sluice.jni.os.Os;
import org.sluice.launch.JavaHome;

/**
 * Whether this JVM lets Sluice have raw memory and native code, and whether it warns of either. Up to Java 23 it asks
 * for no flags.
 *
 * @param feature 17, 25, ...
 * @param arguments of this JVM
 * @param nativeAccess whether Sluice's native libraries were allowed, by a flag or by the jar's manifest
 * @param isUnsafe whether raw memory is sun.misc.Unsafe; else it is java.lang.foreign
 * @param memoryRefusal why there is no raw memory; empty where there is
 */
record JavaFlags(int feature, List<String> arguments, boolean nativeAccess, boolean isUnsafe, String memoryRefusal) {
    static final String TOPIC = "java flags";
    private static final String UNSAFE = "--sun-misc-unsafe-memory-access=allow";
    private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

    static JavaFlags ofThisJvm() {
        String refusal = refusedMemory();
        return new JavaFlags(
                Runtime.version().feature(),
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                mayLoadNatives(),
                refusal.isEmpty() && Memory.isUnsafe(),
                refusal);
    }

    List<Finding> examine() {
        if (!memoryRefusal.isEmpty()) {
            return List.of(Finding.unusable(
                    TOPIC,
                    "no channel works: " + memoryRefusal,
                    JavaHome.warnsOfUnsafeAndNative(feature)
                            ? "give the JVM " + UNSAFE + ", as ./sluice run does"
                            : "use an OpenJDK-based JDK"));
        }
        if (!JavaHome.warnsOfUnsafeAndNative(feature)) {
            return List.of();
        }
        List<String> missing = new ArrayList<>();
        if (isUnsafe && !arguments.contains(UNSAFE)) {
            missing.add(UNSAFE);
        }
        if (!nativeAccess) {
            missing.add(NATIVE);
        }
        if (missing.isEmpty() && !isUnsafe) {
            return List.of(Finding.ok(
                    TOPIC,
                    "raw memory is java.lang.foreign, since sun.misc.Unsafe is refused by this JVM or by "
                            + Option.UNSAFE.property()
                            + "; where the JVM refuses it there are no Chronicle Bytes. What java starts by"
                            + " itself is faster with -XX:MaxInlineLevel=26, which ./sluice run gives"));
        }
        return List.of(
                missing.isEmpty()
                        ? Finding.ok(
                                TOPIC,
                                UNSAFE + " and " + NATIVE + " are given, as by ./sluice run; without them Java "
                                        + feature + " warns")
                        : Finding.slower(
                                TOPIC,
                                "not given: " + String.join(" ", missing) + "; Java " + feature
                                        + " warns of it, and a later one may refuse",
                                "start with ./sluice run, or give them to the JVM"));
    }

    /** Asked for by name, as the method came with Java 22. */
    private static boolean mayLoadNatives() {
        try {
            return (Boolean) Module.class.getMethod("isNativeAccessEnabled").invoke(Os.class.getModule());
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }

    private static String refusedMemory() {
        try {
            Memory.settle();
            return "";
        } catch (LinkageError e) {
            Throwable cause = e;
            while (cause instanceof LinkageError && cause.getCause() != null) {
                cause = cause.getCause();
            }
            return cause.getMessage();
        }
    }
}
