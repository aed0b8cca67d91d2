package org.sluice.hybrid.launch;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The class loader of one rank: the program's classes are its own, so that static state is not shared between ranks of
 * one JVM. What must exist once (Sluice, Kotlin, Chronicle, JCTools, the JDK) comes from above.
 *
 * <p>Thread: any.
 * <p>Proof: {@code RankThreadsProcessTest}.
 */
final class RankLoader extends URLClassLoader {
    private static final List<String> SHARED =
            List.of("java.", "javax.", "jdk.", "sun.", "org.sluice.", "kotlin.", "kotlinx.", "net.openhft.",
            "org.jctools.");

    static {
        registerAsParallelCapable();
    }

    private final int rank;

    RankLoader(int rank, URL[] classPath, ClassLoader parent) {
        super("rank-" + rank, classPath, parent);
        this.rank = rank;
    }

    int rank() {
        return rank;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (SHARED.stream().anyMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                try {
                    loaded = findClass(name);
                } catch (ClassNotFoundException e) {
                    return super.loadClass(name, resolve);
                }
            }
            if (resolve) {
                resolveClass(loaded);
            }
            return loaded;
        }
    }

    @Override
    public URL getResource(String name) {
        URL own = findResource(name);
        return own != null ? own : super.getResource(name);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        Stream<URL> own = Collections.list(findResources(name)).stream();
        Stream<URL> above = getParent() == null ? Stream.empty()
                : Collections.list(getParent().getResources(name)).stream();
        return Collections.enumeration(Stream.concat(own, above).distinct().toList());
    }
}
