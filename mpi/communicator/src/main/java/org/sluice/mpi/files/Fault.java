package org.sluice.mpi.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What has gone wrong with a file at one rank, as a number for the others, which throw the like. */
enum Fault {
    NONE,
    FAILED,
    DENIED,
    EXISTS,
    MISSING;

    static Fault of(IOException error) {
        if (error instanceof NoSuchFileException) {
            return MISSING;
        }
        if (error instanceof FileAlreadyExistsException) {
            return EXISTS;
        }
        return error instanceof AccessDeniedException ? DENIED : FAILED;
    }

    IOException exception(Path path, String reason) {
        switch (this) {
            case MISSING:
                return new NoSuchFileException(path.toString(), null, reason);
            case EXISTS:
                return new FileAlreadyExistsException(path.toString(), null, reason);
            case DENIED:
                return new AccessDeniedException(path.toString(), null, reason);
            default:
                return new FileSystemException(path.toString(), null, reason);
        }
    }
}
