package org.sluice.launch;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Loads a program's classes by itself, although the loader above it could. What must exist once (Sluice, Kotlin,
 * Chronicle, JCTools, the JDK) comes from above, where the program's versions of these stand first.
 *
 * <p>Thread: any.
 *
 * <p>Proof: {@code RankThreadsProcessTest}, {@code NestedJarProcessTest}.
 */
class OwnClassesLoader extends URLClassLoader {
    /** What a program may bring a version of. */
    static final List<String> LIBRARIES = List.of("kotlin.", "kotlinx.", "net.openhft.", "org.jctools.");

    private static final List<String> ONCE = List.of("java.", "javax.", "jdk.", "sun.", "org.sluice.");

    static {
        registerAsParallelCapable();
    }

    private final List<String> hidden;

    /**
     * @param hidden the packages that a loader below this one has, so that they come neither from here nor from above,
     *     each with its dot
     */
    OwnClassesLoader(String name, URL[] classPath, ClassLoader parent, List<String> hidden) {
        super(name, classPath, parent);
        this.hidden = hidden;
    }

    /** The loader of a program: above itself, unless something is hidden. */
    static ClassLoader below(ClassLoader above, String classPath, List<String> hidden) {
        return hidden.isEmpty() ? above : new OwnClassesLoader("program", Program.urls(classPath), above, hidden);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (isOf(hidden, name)) {
            throw new ClassNotFoundException(name);
        }
        if (isOf(ONCE, name) || isOf(LIBRARIES, name)) {
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

    private static boolean isOf(List<String> packages, String name) {
        for (String prefix : packages) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public URL getResource(String name) {
        URL own = findResource(name);
        return own != null ? own : super.getResource(name);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        Stream<URL> own = Collections.list(findResources(name)).stream();
        Stream<URL> above = getParent() == null
                ? Stream.empty()
                : Collections.list(getParent().getResources(name)).stream();
        return Collections.enumeration(Stream.concat(own, above).distinct().toList());
    }
}
