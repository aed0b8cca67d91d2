package org.sluice.jni.os;

/**
 * The native calls of this machine, as an object that a test can replace.
 *
 * <p>Every result below zero is -errno, and nothing is thrown. An argument that no system call could accept (a negative
 * length, a null or too short array, a path without its closing zero) is {@code -EINVAL}.
 *
 * <p>Thread: any, any number at once; the calls keep no state, except which mappings there are. Addresses are the
 * caller's to keep valid: a wrong one is {@code -EFAULT} where the kernel looks at it, and a caller must not unmap what
 * another thread still uses.
 *
 * <p>Owns: nothing; descriptors and mappings belong to whoever asked for them.
 *
 * <p>Fails: by its result only.
 *
 * <p>Proof: the Os...Test classes, and {@code jni/src/test/c/os_harness.c}.
 */
public interface OsCalls {

    /** {@link #fstat} writes these fields, in this order. */
    int STAT_DEVICE = 0;

    int STAT_INODE = 1;
    int STAT_UID = 2;
    int STAT_MODE = 3;
    int STAT_SIZE_BYTES = 4;
    int STAT_LINKS = 5;
    int STAT_FIELDS = 6;

    /** {@link #statvfs} writes these fields, in this order. */
    int STATVFS_TOTAL_BYTES = 0;

    int STATVFS_FREE_BYTES = 1;
    int STATVFS_FIELDS = 2;

    /** The most 64-bit words of a processor mask: processor n is bit n % 64 of word n / 64. */
    int MASK_WORDS = 16;

    /** Of what {@link #findSocket} is given. */
    int ENDS_BYTES = 36;

    /** The longest {@link #readIntoArray}: some collections wait until it is over. */
    int SECTION_BYTES = 256 << 10;

    /** {@link #collector}: none of those below, or not known. */
    int COLLECTOR_OTHER = 0;

    int COLLECTOR_G1 = 1;
    int COLLECTOR_PARALLEL = 2;
    int COLLECTOR_SERIAL = 3;

    /** For {@link #prctlSetPtracer}: any process of the same user. */
    int PTRACER_ANY = -1;

    /** For {@link #membarrier}: a fence reaches only those processes that registered. */
    int MEMBARRIER_QUERY = 0;

    int MEMBARRIER_GLOBAL_EXPEDITED = 1 << 1;
    int MEMBARRIER_REGISTER_GLOBAL_EXPEDITED = 1 << 2;
    int MEMBARRIER_PRIVATE_EXPEDITED = 1 << 3;
    int MEMBARRIER_REGISTER_PRIVATE_EXPEDITED = 1 << 4;

    /**
     * Copies another process's memory into ours; any length, above 2 GB too.
     *
     * @return bytes copied; fewer than asked for when a page on the way could not be read (asking again from there
     *     gives the errno). {@code -EPERM}: not allowed to look into that process; {@code -ESRCH}: there is none;
     *     {@code -EFAULT}: nothing to read, or no place to write, at the very start
     */
    long processVmReadv(int pid, long localAddress, long remoteAddress, long bytes);

    /**
     * As {@link #processVmReadv}, into an array of this JVM, which does not move meanwhile.
     *
     * @param array of primitives; not checked
     * @param offset of the first byte from the first element; with {@code bytes} inside of the array, which is not
     *     checked
     * @param bytes at most {@link #SECTION_BYTES}; {@code -EINVAL} above
     * @return {@code -EOPNOTSUPP} too, where the JVM hands out copies of arrays, as under -Xcheck:jni
     */
    long readIntoArray(int pid, Object array, long offset, long remoteAddress, long bytes);

    /**
     * Where the first element of an array of primitives is at this moment, for a process that can read this one's
     * memory. Whether the array is still there afterwards {@link #countCollections} tells.
     *
     * @param array not checked
     * @return {@code -EOPNOTSUPP} where the JVM hands out copies of arrays, as under -Xcheck:jni
     */
    long arrayAddress(Object array);

    /**
     * Counts the collections of this JVM that stop all threads in a 64-bit word, each before it moves anything, until
     * {@link #endCounting}. What else moves arrays is not counted: see {@link #collector}.
     *
     * @param address of the word, which has to be there until then
     * @return what to end it by, or {@code -EOPNOTSUPP} where the JVM has no tool interface
     */
    long countCollections(long address);

    /** When it returns, nothing is written to the word any more. */
    int endCounting(long counting);

    /** Cannot fail: which of the {@code COLLECTOR_} this JVM has; 0, too, where it can't be told. */
    int collector();

    /**
     * Sleeps while the 32-bit word holds {@code expected}; the word may be shared between processes.
     *
     * @param timeoutNanos at least 0: an endless native sleep could not be interrupted from Java
     * @return 0 when woken (perhaps for no reason: look at the word again), {@code -EAGAIN} when the word held
     *     something else, {@code -ETIMEDOUT}, {@code -EINTR}
     */
    int futexWait(long address, int expected, long timeoutNanos);

    /** Wakes at most {@code count} sleepers and returns how many it were. */
    int futexWake(long address, int count);

    /**
     * Reserves the space of a file, so that writing to its mapping cannot hit a full file system.
     *
     * @return 0, or {@code -ENOSPC} and others; space that was reserved before an error may stay, so the caller removes
     *     the file
     */
    int posixFallocate(int fd, long offset, long bytes);

    /** Maps a shared file for reading and writing, at any length; returns the address, or -errno. */
    long mmapShared(int fd, long offset, long bytes);

    /** As {@link #mmapShared}, for reading alone. */
    long mmapReadOnly(int fd, long offset, long bytes);

    /**
     * Whether pages of a mapping were gone when somebody touched them, because the file had been cut short. There is no
     * SIGBUS then: from the first touch on, all of the mapping is private memory that began as zeros.
     *
     * @param address anywhere in what {@link #mmapShared} or {@link #mmapReadOnly} mapped
     * @return 1 when it was lost, 0 while it was not, {@code -EINVAL} for any other address
     */
    int lostPages(long address);

    /**
     * Gives the pages of what {@link #mmapShared} or {@link #mmapReadOnly} mapped back to their file, and keeps the
     * addresses: until {@link #munmap} whoever is late there meets private memory that began as zeros.
     */
    int mmapZeros(long address, long bytes);

    /**
     * Where the mappings of this process are counted that were lost: the address of an int, valid for ever, or -errno.
     * It grows before zeros can be read, so whoever reads from mappings and finds the same number before and after has
     * read what stood there.
     */
    long lostCount();

    /** Takes away what {@link #mmapShared} gave; whoever still reads there dies by SIGSEGV, and the JVM with it. */
    int munmap(long address, long bytes);

    /**
     * Creates a file that did not exist and opens it for reading and writing; a symbolic link in its place is refused.
     *
     * @param path UTF-8, closed by its only zero byte; see {@link NativePath}
     * @param mode permission bits, for instance 0600; the umask applies
     */
    int openExclusive(byte[] path, int mode);

    /**
     * Creates a file without a name and opens it for reading and writing: it is gone with the last descriptor and
     * mapping, however their processes end.
     *
     * @param directory on whose file system, as in {@link #openExclusive}; {@code -EOPNOTSUPP} where that has no such
     *     files
     */
    int openUnnamed(byte[] directory, int mode);

    /**
     * Opens for reading and writing what a process of this user has open under a number; {@code -EACCES} where the
     * kernel doesn't let it be looked into.
     */
    int openOf(int pid, int fd);

    /** Opens an existing file for reading and writing; a symbolic link in its place is {@code -ELOOP}. */
    int openExisting(byte[] path);

    /** Writes the {@code STAT_} fields into {@code out}, which holds at least {@link #STAT_FIELDS}. */
    int fstat(int fd, long[] out);

    int ftruncate(int fd, long bytes);

    int unlink(byte[] path);

    /** Writes the {@code STATVFS_} fields of the path's file system into {@code out}; free is what we may take. */
    int statvfs(byte[] path, long[] out);

    /** Never repeat it, whatever it returns: the descriptor is free again. */
    int close(int fd);

    /** Returns a descriptor that names the process for good, even when its number is given to another one. */
    int pidfdOpen(int pid);

    /** 1 when the process has ended (a zombie included), 0 while it lives. */
    int pidfdHasExited(int pidfd);

    /**
     * Lets the process {@code pid}, or {@link #PTRACER_ANY}, read our memory where Yama restricts that; 0 takes it
     * back.
     *
     * @return 0, or {@code -EINVAL} where the kernel has no Yama: nothing needs to be allowed there
     */
    int prctlSetPtracer(int pid);

    /**
     * Asks for a signal to this process when the <em>thread</em> that started it ends; 0 takes it back. The wish
     * belongs to the calling thread and ends with it, so call it from one that lives as long as the process. A parent
     * that died before the call sends nothing: look at the parent once more afterwards.
     */
    int setPdeathsig(int signal);

    /** Cannot fail; 0 to 2^32 - 1, as is {@link #STAT_UID}. */
    long getuid();

    /** Cannot fail. */
    long geteuid();

    /** Cannot fail. */
    int getpid();

    /** Cannot fail; the number that {@link #schedSetaffinity} takes. */
    int gettid();

    /**
     * The descriptor of this process's connected socket with these two ends, which Java keeps to itself.
     *
     * @param ends {@link #ENDS_BYTES}: this end's address as one of IPv6 (one of IPv4 is mapped), its port, then the
     *     peer's, all in network order
     * @return not the caller's to close; {@code -ENOENT} where there is none
     */
    int findSocket(byte[] ends);

    /**
     * How many segments TCP has sent again over a connection since it was made.
     *
     * @param fd from {@link #findSocket}
     * @param ends as there: the number may have become another socket's
     * @return {@code -ENOENT} where it is no socket with these ends, {@code -EOPNOTSUPP} where the kernel does not tell
     */
    long tcpRetransmits(int fd, byte[] ends);

    /**
     * Binds a thread to processors; new threads inherit it.
     *
     * @param tid 0 is the calling thread
     * @param mask 1 to {@link #MASK_WORDS} words; the missing ones are 0
     */
    int schedSetaffinity(int tid, long[] mask);

    /** Writes the mask of a thread; {@code -EOVERFLOW} when a processor beyond the array is in it. */
    int schedGetaffinity(int tid, long[] mask);

    /** The processor that the caller ran on at the time. */
    int schedGetcpu();

    /**
     * Gives the processor to whoever else can use it. What Thread.yield does, without the way through the JVM, which on
     * a crowded node is a tenth of a message's time; a virtual thread must call Thread.yield.
     */
    int schedYield();

    /** One of the {@code MEMBARRIER_} commands; the query returns those that the kernel has, as a bit set. */
    int membarrier(int command);
}
