package org.sluice.hybrid.route;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One flag for all routes of a device: some route has something parked. A round of progress that finds it down looks at
 * no route.
 *
 * <p><i>Thread</i>: any. A route marks its own work before it sets this flag, and progress clears the flag before it
 * looks at the routes: so what was marked is seen now or in the next round. <i>Proof</i>: {@code RouteTest}, the device
 * conformance suite.
 */
public final class DeferredWork {
    private static final VarHandle SET;

    static {
        try {
            SET = MethodHandles.lookup().findVarHandle(DeferredWork.class, "set", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused")
    private boolean set;

    public boolean isSet() {
        return (boolean) SET.getOpaque(this);
    }

    public void set() {
        SET.setVolatile(this, true);
    }

    /** A full fence: the routes are read after it. */
    public void clear() {
        SET.setVolatile(this, false);
    }
}
