package org.sluice.mpi.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The position that all ranks of a file have in common: a number in a file beside it, which is made by the first rank
 * that needs it. <i>Thread</i>: any.
 */
final class SharedPointer {
    private static final String NEEDED =
            "the pointer that all ranks share is in this file: ranks need a folder that they"
                    + " may write to, also for a file that is only read";

    private final Path path;
    private final long initial;
    private FileChannel file;

    SharedPointer(Path path, long initial) {
        this.path = path;
        this.initial = initial;
    }

    private synchronized FileChannel file() throws IOException {
        if (file == null) {
            try {
                file = FileChannel.open(
                        path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            } catch (AccessDeniedException e) {
                throw new AccessDeniedException(e.getFile(), null, NEEDED);
            } catch (FileSystemException e) {
                throw e.getReason() == null
                        ? e
                        : new FileSystemException(e.getFile(), null, e.getReason() + "; " + NEEDED);
            }
        }
        return file;
    }

    /** Moves it on; returns where it was. */
    long getAndAdd(long etypes) throws IOException {
        return LockedFile.use(path, file(), false, opened -> {
            ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
            long before = opened.read(number, 0) == Long.BYTES ? number.getLong(0) : initial;
            if (etypes != 0) {
                opened.write(number.clear().putLong(0, before + etypes), 0);
            }
            return before;
        });
    }

    /** @return what it is then */
    long set(long etypes) throws IOException {
        return LockedFile.use(path, file(), false, opened -> {
            opened.write(ByteBuffer.allocate(Long.BYTES).putLong(0, etypes), 0);
            return etypes;
        });
    }

    /** Whether this rank has needed it. */
    synchronized boolean isUsed() {
        return file != null;
    }

    synchronized void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }

    /** By one rank, when all have closed it. */
    void delete() throws IOException {
        Files.deleteIfExists(path);
    }
}
