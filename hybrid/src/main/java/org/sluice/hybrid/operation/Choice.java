package org.sluice.hybrid.operation;

import org.sluice.hybrid.request.AsyncCalls;
import org.sluice.hybrid.request.Completion;

/**
 * Receives of which exactly one takes a message: they wait in the queue like any others, and the moment one is matched
 * the rest is out of it.
 *
 * <p><i>Thread</i>: under the progress lock, in which all of them are posted and withdrawn, so that no other message
 * comes between. <i>Owns</i>: its members, until one is matched or all have failed. <i>Proof</i>:
 * {@code CoroutineSelectTest}.
 */
public final class Choice {
    public final Completion completion;
    private final AsyncCalls.Chooser chooser;
    /** Nulls where nothing is waited for any more. */
    private final ReceiveOperation[] members;

    public Choice(Completion completion, AsyncCalls.Chooser chooser, int size) {
        this.completion = completion;
        this.chooser = chooser;
        this.members = new ReceiveOperation[size];
    }

    public void set(int index, ReceiveOperation member) {
        members[index] = member;
        member.choice = this;
    }

    public int size() {
        return members.length;
    }

    public ReceiveOperation get(int index) {
        return members[index];
    }

    /** One is matched, or fails for all. The others are the caller's to withdraw. */
    public void settle(ReceiveOperation chosen) {
        for (int i = 0; i < members.length; i++) {
            if (members[i] == chosen) {
                members[i] = null;
                chooser.chosen(i);
            }
        }
        chosen.choice = null;
        // The others' may be another receive's before this one is over.
        completion.operation(chosen);
    }

    /**
     * Takes a member out.
     *
     * @return null where there is none any more
     */
    public ReceiveOperation remove(int index) {
        ReceiveOperation member = members[index];
        members[index] = null;
        return member;
    }
}
