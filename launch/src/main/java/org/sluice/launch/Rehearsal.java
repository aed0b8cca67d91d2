package org.sluice.launch;

import java.io.File;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.option.Option;

/**
 * A job of two that does what most programs do, so that the JDK's classes for it are loaded, and that then loads all of
 * Sluice's own: which of them a job needs besides is a matter of speed.
 */
final class Rehearsal {
    private static final int[] LENGTHS = {1, 1 << 10, 1 << 18};
    private static final int TAG = 7;
    /** With the packages of dialects. */
    private static final List<String> OURS = List.of("org/sluice/", "mpi/", "mpjbuf/", "mpjdev/", "xdev/");

    private Rehearsal() {}

    public static void main(String[] arguments) throws IOException {
        try (Device device = Device.open()) {
            int other = 1 - device.rank();
            for (int length : LENGTHS) {
                byte[] given = new byte[length];
                byte[] taken = new byte[length];
                Request send = device.isend(given, other, TAG);
                device.recv(taken, other, TAG);
                send.waitFor();
            }
            device.barrier();
        }
        String[] jars = System.getProperty("java.class.path").split(File.pathSeparator);
        if (jars.length > 1) {
            beginAndEndMpi(new String[] {System.getenv(Option.JOB_RANK.environmentVariable()), "2", "sluice"});
        }
        for (String jar : jars) {
            loadAll(jar);
        }
    }

    /** In either dialect, with what programs of MPJ Express get. */
    private static void beginAndEndMpi(String[] words) {
        try {
            Class<?> mpi = Class.forName("mpi.MPI");
            mpi.getMethod("Init", String[].class).invoke(null, (Object) words);
            mpi.getMethod("Finalize").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no dialect of MPI behind Sluice's classes", e);
        }
    }

    private static void loadAll(String path) throws IOException {
        try (JarFile jar = new JarFile(path)) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (isOurs(entry.getName())) {
                    load(entry.getName()
                            .substring(0, entry.getName().length() - ".class".length())
                            .replace('/', '.'));
                }
            }
        }
    }

    /** A rank of a benchmark loads two or three of its classes. */
    private static boolean isOurs(String name) {
        return name.endsWith(".class")
                && OURS.stream().anyMatch(name::startsWith)
                && !name.startsWith("org/sluice/bench/");
    }

    private static void load(String name) {
        try {
            Class.forName(name, false, Rehearsal.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            // What stands on a library that the core's jar doesn't have, as Chronicle Bytes, is loaded from the
            // program's when it is used.
            return;
        }
    }
}
