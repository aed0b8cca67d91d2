package org.sluice.ib;

import org.sluice.ib.adapter.GivingBack;

/** Gives back all, in this order, whatever goes wrong with one. */
final class CloseAll {
    private CloseAll() {}

    /** @param all may hold nulls: what was not made */
    static void of(AutoCloseable... all) {
        GivingBack back = new GivingBack();
        for (AutoCloseable each : all) {
            back.close(each);
        }
        back.end();
    }
}
