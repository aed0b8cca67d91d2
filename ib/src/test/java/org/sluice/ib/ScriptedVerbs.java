package org.sluice.ib;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.sluice.device.memory.Memory;
import org.sluice.ib.queue.WorkIds;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * Hands all calls on, but makes a completion of one kind come with another status, rejections with another reason, and
 * the connection manager say something else.
 */
final class ScriptedVerbs {
    private static final int NONE = -1;

    private final VerbsCalls below;
    private volatile int what = NONE;
    private volatile int status;
    private volatile int reason;
    private volatile boolean isLast;
    private volatile boolean isSilent;
    private volatile int turned = NONE;
    private volatile int turnedInto;
    private volatile int turnedStatus;
    private volatile int turns;

    ScriptedVerbs(VerbsCalls below) {
        this.below = below;
    }

    VerbsCalls calls() {
        return (VerbsCalls) Proxy.newProxyInstance(
                VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, this::call);
    }

    /** The next completion of that kind ({@link WorkIds}) comes with this status. */
    void complete(int nextWhat, int nextStatus) {
        status = nextStatus;
        what = nextWhat;
    }

    /** The same, and it comes behind all that are there when it is looked for. */
    void completeLast(int nextWhat, int nextStatus) {
        isLast = true;
        complete(nextWhat, nextStatus);
    }

    /** No completion comes any more. */
    void beSilent() {
        isSilent = true;
    }

    boolean isDone() {
        return what == NONE;
    }

    void reject(int nextReason) {
        reason = nextReason;
    }

    /** From now on each event of that kind of the connection manager comes as one of another kind, with this status. */
    void turn(int kind, int intoKind, int intoStatus) {
        turnedInto = intoKind;
        turnedStatus = intoStatus;
        turned = kind;
    }

    /** As they come, from now on. */
    void turnNothing() {
        turned = NONE;
    }

    /** How many were turned. */
    int turns() {
        return turns;
    }

    private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (isSilent && method.getName().equals("poll")) {
            return 0;
        }
        Object result;
        try {
            result = method.invoke(below, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (method.getName().equals("poll")) {
            for (int i = 0; i < (int) result; i++) {
                long at = (long) arguments[2] + (long) i * VerbsLayout.WC_BYTES;
                if (WorkIds.what(Memory.getLong(at + VerbsLayout.WC_WR_ID)) == what) {
                    what = NONE;
                    Memory.putInt(at + VerbsLayout.WC_STATUS, status);
                    if (isLast) {
                        moveBehind(at, (int) result - i - 1);
                    }
                }
            }
        } else if (method.getName().equals("connectionEvent") && (int) result == 1) {
            change((long) arguments[1]);
        }
        return result;
    }

    private static void moveBehind(long at, int others) {
        byte[] moved = new byte[VerbsLayout.WC_BYTES];
        Memory.copy(null, at, moved, Memory.arrayOffset(moved), moved.length);
        long last = at;
        for (int i = 0; i < others; i++, last += VerbsLayout.WC_BYTES) {
            Memory.copy(null, last + VerbsLayout.WC_BYTES, null, last, VerbsLayout.WC_BYTES);
        }
        Memory.copy(moved, Memory.arrayOffset(moved), null, last, moved.length);
    }

    private void change(long event) {
        int kind = Memory.getInt(event + VerbsLayout.EVENT_KIND);
        if (kind == turned) {
            Memory.putInt(event + VerbsLayout.EVENT_KIND, turnedInto);
            Memory.putInt(event + VerbsLayout.EVENT_STATUS, turnedStatus);
            // Only the helper takes events.
            turns = turns + 1;
        } else if (kind == VerbsLayout.REJECTED) {
            Memory.putInt(event + VerbsLayout.EVENT_STATUS, reason);
        }
    }
}
