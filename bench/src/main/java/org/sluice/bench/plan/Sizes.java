package org.sluice.bench.plan;

import java.util.ArrayList;
import java.util.List;

/** Message sizes as the user writes and reads them: 8, 1k, 64k, 1m. */
public final class Sizes {
    /** A message is one Java array or ByteBuffer, and a rank holds a few of them. */
    public static final int MOST = 1 << 30;

    /** Of a thousand doubles. */
    private static final int OBJECT_BYTES = 8_000;

    private Sizes() {}

    /** The sizes of a benchmark when the user names none. */
    public static List<Integer> standard(Benchmark benchmark, Route route) {
        if (benchmark.crowded()) {
            return List.of(8);
        }
        if (benchmark == Benchmark.BARRIER) {
            return List.of(0);
        }
        if (benchmark.isCollective()) {
            return route == Route.IB ? List.of(8, 1 << 10) : List.of(8, 1 << 10, 64 << 10, 1 << 20);
        }
        if (benchmark == Benchmark.OBJECTS) {
            return List.of(OBJECT_BYTES);
        }
        if (route == Route.IB) {
            return overVerbs(benchmark);
        }
        switch (benchmark) {
            case RATE:
                return List.of(8);
            case OVERLAP:
                return List.of(1 << 20, 16 << 20);
            case OVERLAP_ALLREDUCE:
                return List.of(64 << 10, 1 << 20);
            case KNEIGHBOR:
                return List.of(8, 1 << 10, 64 << 10);
            case KNEIGHBOR_HUGE:
                return List.of(8, 1 << 10);
            case ONE_TO_ALL:
                return List.of(8, 1 << 10, 64 << 10, 1 << 20);
            case NEIGHBOR:
                return List.of(8, 1 << 10, 16 << 10);
            case BANDWIDTH:
            case BIBANDWIDTH:
                return List.of(1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20);
            default:
                return List.of(
                        0, 8, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20);
        }
    }

    /** Few, since a round of a verbs peer takes seconds for each. */
    private static List<Integer> overVerbs(Benchmark benchmark) {
        switch (benchmark) {
            case RATE:
                return List.of(8);
            case OVERLAP:
            case OVERLAP_ALLREDUCE:
                return List.of(1 << 20);
            case BANDWIDTH:
            case BIBANDWIDTH:
                return List.of(64 << 10, 1 << 20);
            default:
                return List.of(8, 1 << 10, 64 << 10);
        }
    }

    public static List<Integer> parse(String list) {
        List<Integer> sizes = new ArrayList<>();
        for (String part : list.split(",", -1)) {
            int size = parseOne(part.trim().toLowerCase(java.util.Locale.ROOT), list);
            if (!sizes.contains(size)) {
                sizes.add(size);
            }
        }
        return sizes;
    }

    private static int parseOne(String text, String list) {
        int shift = 0;
        String digits = text;
        int unit = text.isEmpty() ? -1 : "kmg".indexOf(text.charAt(text.length() - 1));
        if (unit >= 0) {
            shift = 10 * (unit + 1);
            digits = text.substring(0, text.length() - 1);
        }
        if (!digits.matches("[0-9]{1,10}") || Long.parseLong(digits) << shift > MOST) {
            throw new IllegalArgumentException(
                    "--sizes '" + list + "': '" + text + "' is no size; write bytes from 0 to 1g, "
                            + "with k, m or g for 1024 times as much, for instance 8,1k,64k,1m");
        }
        return (int) (Long.parseLong(digits) << shift);
    }

    public static String format(long bytes) {
        if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
            return (bytes >> 20) + " MB";
        }
        if (bytes >= 1 << 10 && bytes % (1 << 10) == 0) {
            return (bytes >> 10) + " KB";
        }
        return bytes + " B";
    }
}
