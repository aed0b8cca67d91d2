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
     *
     * @param isRead whether the file is open for nothing else
     */
    static <T> T use(Path path, FileChannel file, boolean isRead, Use<T> use) throws IOException {
        synchronized (("org.sluice.mpi.file:" + path).intern()) {
            FileLock lock = file.lock(0, Long.MAX_VALUE, isRead);
            try {
                return use.of(file);
            } finally {
                lock.release();
            }
        }
    }
}
