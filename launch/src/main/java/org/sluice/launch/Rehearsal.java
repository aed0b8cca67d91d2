package org.sluice.launch;

import java.io.IOException;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.sluice.device.Device;
import org.sluice.device.Request;

/**
 * A job of two that does what most programs do, so that the JDK's classes for it are loaded, and that then loads all of
 * Sluice's own: which of them a job needs besides is a matter of speed.
 */
final class Rehearsal {
    private static final int[] LENGTHS = {1, 1 << 10, 1 << 18};
    private static final int TAG = 7;

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
        loadAll(System.getProperty("java.class.path"));
    }

    private static void loadAll(String core) throws IOException {
        try (JarFile jar = new JarFile(core)) {
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
        return name.endsWith(".class") && name.startsWith("org/sluice/") && !name.startsWith("org/sluice/bench/");
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
