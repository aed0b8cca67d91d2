package org.sluice.launch;

import java.nio.ByteBuffer;

/**
 * The first that a connection says once it is known to be of the job's user, or to know its secret.
 *
 * @param refusal why it is none of this job's, or null
 * @param rank the first of them
 * @param ranks how many
 */
record Hello(String refusal, byte role, int rank, int ranks) {
    static final byte ROLE_RANK = 0;
    /** A JVM, which wants to notice when the launcher ends, and speaks the last words of its ranks. */
    static final byte ROLE_JVM = 1;

    private static final int NO_RANK = -1;

    static byte[] frame(byte role, int rank, int ranks, int size, String version) {
        return new Frame.Writer(Frame.HELLO)
                .number(Frame.MAGIC)
                .text(version)
                .flag(role)
                .number(rank)
                .number(ranks)
                .number(size)
                .finish();
    }

    static Hello read(ByteBuffer frame, int size) throws Frame.Malformed {
        if (Frame.number(frame) != Frame.MAGIC) {
            throw new Frame.Malformed("a hello that is not this Sluice's: use one version for the whole job");
        }
        String version = Frame.text(frame, Frame.HELLO_LIMIT_BYTES);
        // What another version says after this may mean something else.
        if (!version.equals(SluiceVersion.CURRENT)) {
            return refused("it has Sluice " + version + ", the launcher has " + SluiceVersion.CURRENT
                    + ": use one version for the whole job (look for an older Sluice in the program's jar or "
                    + "class path)");
        }
        byte role = Frame.flag(frame);
        int rank = Frame.number(frame);
        int ranks = Frame.number(frame);
        int itsSize = Frame.number(frame);
        Frame.end(frame);
        if (rank < 0 || ranks < 1 || itsSize != size || rank + (long) ranks > size) {
            return refused(
                    "it says that it is " + (ranks == 1 ? "rank " + rank : ranks + " ranks from rank " + rank + " on,")
                            + " of " + itsSize + ", but this job has " + size + " ranks");
        }
        return new Hello(null, role, rank, ranks);
    }

    private static Hello refused(String reason) {
        return new Hello(reason, ROLE_RANK, NO_RANK, 0);
    }

    boolean isOfJvm() {
        return role == ROLE_JVM;
    }
}
