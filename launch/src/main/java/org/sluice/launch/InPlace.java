package org.sluice.launch;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import org.sluice.device.option.Options;

/**
 * The main class of the JVM of {@code ./sluice exec}, which has the program on its class path, as java would: the
 * command line is loaded apart from it, so that neither sees the other's libraries.
 *
 * <p>Proof: {@code OwnLibrariesProcessTest}, {@code NestedJarProcessTest}, {@code MainProcessTest}.
 */
public final class InPlace {
    /** The status of a JVM that ends as the program's main method did with an exception. */
    private static final int FAILED = 1;

    private InPlace() {}

    /**
     * Called by the script as {@code InPlace JAR WORD...}, with the jar of the command line and what the user wrote.
     */
    public static void main(String[] words) throws Throwable {
        Path jar = Path.of(words[0]);
        String[] written = new String[words.length - 1];
        System.arraycopy(words, 1, written, 0, written.length);
        // Not closed: it is in use for as long as the program.
        ClassLoader apart = new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
        Class<?> commandLine = Class.forName(mainClass(jar), true, apart);
        // By a handle: no frames of reflection stand in a user's stack trace.
        MethodHandle main = MethodHandles.publicLookup()
                .findStatic(commandLine, "main", MethodType.methodType(void.class, String[].class));
        main.invokeExact(written);
    }

    private static String mainClass(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.getManifest().getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
        }
    }

    /**
     * Called by the command line, when it has read its words. Returns when the main method has.
     *
     * @param asThreads whether it is called once for each rank of this JVM, on threads of their own
     * @param ownClassPath where the program is loaded from, by loaders of its own: one for each rank; empty where it is
     *     loaded from this JVM's class path
     * @param device that the program is told in front of its own arguments, as {@link MpiDialect#device}
     * @throws IllegalArgumentException where the program has no main method, or the ranks no launcher
     */
    public static void run(
            boolean asThreads,
            String ownClassPath,
            String device,
            String classPath,
            String mainClass,
            String[] arguments)
            throws InterruptedException {
        List<String> hidden = NestedJars.of(classPath, mainClass).hidden();
        ClassLoader above = InPlace.class.getClassLoader();
        IntFunction<ClassLoader> loaderOfRank;
        if (ownClassPath.isEmpty()) {
            ClassLoader shared = OwnClassesLoader.below(above, classPath, hidden);
            loaderOfRank = rank -> shared;
        } else {
            URL[] urls = Program.urls(ownClassPath);
            loaderOfRank = rank -> asThreads
                    ? new RankLoader(rank, urls, above, hidden)
                    : new OwnClassesLoader("program", urls, above, hidden);
        }
        ProgramWords words = new ProgramWords(device, arguments);
        if (asThreads) {
            RankMain.inPlace(loaderOfRank, classPath, mainClass, words);
            return;
        }
        int rank = device.isEmpty() ? 0 : Job.firstRank(Options.of(Map.of()));
        ClassLoader loader = loaderOfRank.apply(rank);
        Thread.currentThread().setContextClassLoader(loader);
        MethodHandle main = MainMethod.find(loader, mainClass, classPath);
        String[] all = words.of(rank);
        try {
            main.invokeExact(all);
        } catch (Throwable e) {
            try {
                Uncaught.inPlace(e);
            } finally {
                System.exit(FAILED);
            }
        }
        LeftThreads.ofProcess().watch();
    }
}
