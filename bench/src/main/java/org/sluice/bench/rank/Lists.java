package org.sluice.bench.rank;

import java.util.ArrayList;
import java.util.List;

/** What is sent as an object: a list with one array of doubles. */
public final class Lists {
    private Lists() {}

    /** @param bytes of the doubles */
    public static List<double[]> of(int bytes) {
        double[] values = new double[bytes / Double.BYTES];
        for (int i = 0; i < values.length; i++) {
            values[i] = i;
        }
        List<double[]> list = new ArrayList<>();
        list.add(values);
        return list;
    }

    /** Looks at the last of the doubles alone: it is part of what is timed. */
    public static void check(Object received, int bytes) {
        double[] values = (double[]) ((List<?>) received).get(0);
        int last = bytes / Double.BYTES - 1;
        if (values.length != last + 1 || last >= 0 && values[last] != last) {
            throw new IllegalStateException("wrong content: not the list with " + (last + 1) + " doubles");
        }
    }
}
