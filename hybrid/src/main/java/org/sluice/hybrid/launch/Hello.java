package org.sluice.hybrid.launch;

import java.nio.ByteBuffer;

/**
 * The first that a connection says: nothing else of it is believed before this was checked.
 *
 * @param refusal why it is none of this job's, or null
 * @param blame of a last word: the rank of whose end it ended, or null
 * @param reason of a last word: what the rank failed of by itself; empty if it did not, or there is nothing to tell
 * @param failed of a last word: that the rank failed, and its JVM lives on
 */
record Hello(String refusal, byte role, int rank, Blame blame, String reason, boolean failed) {
    static final byte ROLE_RANK = 0;
    /** A JVM that has no device (yet) and only wants to notice when the launcher ends. */
    static final byte ROLE_LIFE_LINE = 1;
    /** In the name of a rank whose program has ended, by its JVM, which may live on. */
    static final byte ROLE_LAST_WORD = 2;

    private static final int NO_RANK = -1;

    static Hello read(ByteBuffer frame, String token, int size) throws Frame.Malformed {
        if (Frame.number(frame) != Frame.MAGIC) {
            throw new Frame.Malformed("a hello that is not Sluice's");
        }
        String version = Frame.text(frame, Frame.HELLO_LIMIT_BYTES);
        if (!JobToken.equal(token, Frame.text(frame, Frame.HELLO_LIMIT_BYTES))) {
            return refused("the token is wrong: this process does not belong to the job, or SLUICE_JOB_TOKEN "
                    + "was changed");
        }
        // What another version says after this may mean something else.
        if (!version.equals(SluiceVersion.CURRENT)) {
            return refused("it has Sluice " + version + ", the launcher has " + SluiceVersion.CURRENT
                    + ": use one version for the whole job (look for an older Sluice in the program's jar or "
                    + "class path)");
        }
        byte role = Frame.flag(frame);
        int rank = Frame.number(frame);
        int itsSize = Frame.number(frame);
        int blamed = role == ROLE_LAST_WORD ? Frame.number(frame) : LastWord.NOBODY;
        boolean certain = role == ROLE_LAST_WORD && Frame.flag(frame) != 0;
        boolean failed = role == ROLE_LAST_WORD && Frame.flag(frame) != 0;
        String reason = role == ROLE_LAST_WORD ? Frame.text(frame, Reason.LONGEST) : "";
        Frame.end(frame);
        if (blamed < LastWord.NOBODY || blamed >= size) {
            return refused("it speaks of rank " + blamed + " in a job of " + size);
        }
        if (role != ROLE_LIFE_LINE && (rank < 0 || rank >= size || itsSize != size)) {
            return refused("it says that it is rank " + rank + " of " + itsSize + ", but this job has " + size
                    + " ranks");
        }
        return new Hello(null, role, rank, blamed == LastWord.NOBODY ? null : new Blame(blamed, certain), reason, failed);
    }

    private static Hello refused(String reason) {
        return new Hello(reason, ROLE_RANK, NO_RANK, null, "", false);
    }

    boolean isLifeLine() {
        return role == ROLE_LIFE_LINE;
    }

    boolean isLastWord() {
        return role == ROLE_LAST_WORD;
    }
}
