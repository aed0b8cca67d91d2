package org.sluice.mpi.files;

import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/** What a {@link SharedFile} is opened for (MPI 4.1, section 14.2.1). */
public enum FileMode {
    READ,
    WRITE,
    /** Makes the file if there is none. */
    CREATE,
    /** Makes the file, and fails if there is one. */
    CREATE_NEW,
    /** The pointers begin at the file's end; offsets are those of any other file. */
    APPEND,
    DELETE_ON_CLOSE,
    /** Read or written from its beginning to its end, with the shared pointer alone. */
    SEQUENTIAL;

    /** What is wrong with so many together, or null. */
    static IllegalArgumentException wrongWith(Set<FileMode> modes) {
        boolean isMade = modes.contains(CREATE) || modes.contains(CREATE_NEW);
        String wrong = null;
        if (!modes.contains(READ) && !modes.contains(WRITE)) {
            wrong = "neither FileMode.READ nor WRITE is among them";
        } else if (isMade && !modes.contains(WRITE)) {
            wrong = "a file that is made is opened with FileMode.WRITE, too";
        } else if (modes.contains(SEQUENTIAL) && modes.contains(READ) && modes.contains(WRITE)) {
            wrong = "with FileMode.SEQUENTIAL it is read or written, not both";
        }
        return wrong == null ? null : new IllegalArgumentException("the modes are " + modes + ": " + wrong);
    }

    /** @param isMaking for the rank that makes the file, if it is made */
    static Set<OpenOption> options(Set<FileMode> modes, boolean isMaking) {
        Set<OpenOption> options = new HashSet<>();
        if (modes.contains(READ)) {
            options.add(StandardOpenOption.READ);
        }
        if (modes.contains(WRITE)) {
            options.add(StandardOpenOption.WRITE);
        }
        if (isMaking && modes.contains(CREATE_NEW)) {
            options.add(StandardOpenOption.CREATE_NEW);
        } else if (isMaking && modes.contains(CREATE)) {
            options.add(StandardOpenOption.CREATE);
        }
        return options;
    }
}
