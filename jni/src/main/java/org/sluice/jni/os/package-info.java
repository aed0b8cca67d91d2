/**
 * The operating system calls that Java lacks: reading another process's memory, futexes in shared memory, reserving
 * file space, processors, pidfds, opening files without a race, and what TCP sent again.
 *
 * <p>Rooms above take an {@link org.sluice.jni.os.OsCalls}, so that a test can hand them a
 * {@link org.sluice.jni.os.FailingOs}; {@link org.sluice.jni.os.Os#calls()} gives the one for this machine. No failure
 * is thrown: a result below zero is -errno, which {@link org.sluice.jni.Errno} puts into words.
 *
 * <p>Must not: know of ranks, segments or channels, retry beyond a bounded EINTR, or keep anything between calls.
 * Called by {@code shm}, {@code tcp}, {@code hybrid} and the doctor. Tests: {@code OsFilesTest}, {@code OsFutexTest}
 * and their neighbours, and the C harness {@code jni/src/test/c}.
 */
package org.sluice.jni.os;
