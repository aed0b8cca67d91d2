package org.sluice.hybrid.request;

import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * Some who are told of the end of one request, one after the other. There may be very many: nothing here goes deeper
 * for more.
 */
final class SeveralCallbacks implements Callback {
    private Callback[] all;
    private int count = 2;

    SeveralCallbacks(Callback first, Callback second) {
        all = new Callback[] {first, second};
    }

    /** Told after those that are there. */
    void add(Callback callback) {
        if (count == all.length) {
            all = Arrays.copyOf(all, 2 * count);
        }
        all[count++] = callback;
    }

    /** Each is replaced by what this makes of it, the last that was attached first. */
    void replaceAll(UnaryOperator<Callback> by) {
        for (int i = count - 1; i >= 0; i--) {
            all[i] = by.apply(all[i]);
        }
    }

    @Override
    public boolean isWaiting() {
        for (int i = 0; i < count; i++) {
            if (all[i].isWaiting()) {
                return true;
            }
        }
        return false;
    }

    /** Those that need to be told no more don't count. */
    @Override
    public boolean tellsLast(Callback asking) {
        int last = count - 1;
        while (last > 0 && !all[last].isWaiting()) {
            last--;
        }
        return all[last].tellsLast(asking);
    }

    /**
     * What one throws it is told itself, and keeps no other from this. What says that the device has lost memory is
     * thrown on when all are told.
     */
    @Override
    public void ended(Completion completion) {
        VirtualMachineError lost = null;
        for (int i = 0; i < count; i++) {
            VirtualMachineError thrown = Callback.tell(all[i], completion);
            lost = thrown == null ? lost : thrown;
        }
        if (lost != null) {
            throw lost;
        }
    }

    /** Each knows what it threw. */
    @Override
    public void failed(Throwable cause) {}
}
