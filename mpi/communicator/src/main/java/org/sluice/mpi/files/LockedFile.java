package org.sluice.mpi.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;

/** Has one rank after the other use a file, wherever the ranks are. */
final class LockedFile {
    interface Use<T> {
        T of(FileChannel file) throws IOException;
    }

    private LockedFile() {}

    /**
     * Locks are of JVMs. Ranks of one JVM have class loaders of their own, and nothing in common but the JDK: a text
     * that is one object for all of them.
     */
    private static Object ofThisJvm(Path path) {
        return ("org.sluice.mpi.file:" + path).intern();
    }

    /**
     * @param path the same wherever this file is used
     * @param isRead whether the file is open for nothing else
     */
    static <T> T use(Path path, FileChannel file, boolean isRead, Use<T> use) throws IOException {
        synchronized (ofThisJvm(path)) {
            FileLock lock = file.lock(0, Long.MAX_VALUE, isRead);
            try {
                return use.of(file);
            } finally {
                lock.release();
            }
        }
    }

    /** Closes it while nobody of this JVM uses the file: a process that closes a file loses all its locks on it. */
    static void close(Path path, FileChannel file) throws IOException {
        synchronized (ofThisJvm(path)) {
            file.close();
        }
    }
}
