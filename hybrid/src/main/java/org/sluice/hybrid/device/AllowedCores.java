package org.sluice.hybrid.device;

import java.io.IOException;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

/**
 * The cores that ranks may run on, as lists in the kernel's form ("0-3,8"). Launchers bind each rank to a core of its
 * own, so one rank's view says nothing about how many cores the ranks have together: each publishes its list, and the
 * union counts.
 */
final class AllowedCores {
    private static final String STATUS = "/proc/self/status";
    private static final String LINE = "Cpus_allowed_list:";
    private static final int CORE_LIMIT = 1 << 16;

    private AllowedCores() {}

    /** This process's list; empty where the kernel doesn't tell, or where a quota gives less than the list promises. */
    static String own() {
        try {
            for (String line : ProcFile.read(STATUS).split("\n")) {
                if (line.startsWith(LINE)) {
                    String list = line.substring(LINE.length()).trim();
                    return parse(list).cardinality() <= Runtime.getRuntime().availableProcessors() ? list : "";
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            return "";
        }
        return "";
    }

    /**
     * How many cores these processes have together; a process with an empty list counts as one whose cores are unknown.
     */
    static int together(List<String> lists) {
        BitSet union = new BitSet();
        boolean unknown = false;
        for (String list : lists) {
            if (list.isEmpty()) {
                unknown = true;
            } else {
                union.or(parse(list));
            }
        }
        return unknown
                ? Math.max(1, Math.min(Runtime.getRuntime().availableProcessors(), Math.max(1, union.cardinality())))
                : union.cardinality();
    }

    /**
     * The core of one of the processes where they are more than their cores: neighbours in the list share one, and all
     * cores get as many.
     *
     * @return {@link HomeCore#NONE} where they are not more, where somebody has chosen cores for them, or where their
     *     cores are unknown
     */
    static int home(List<String> lists, int index) {
        String first = lists.get(0);
        if (first.isEmpty() || Collections.frequency(lists, first) < lists.size()) {
            return HomeCore.NONE;
        }
        BitSet cores = parse(first);
        if (cores.cardinality() >= lists.size()) {
            return HomeCore.NONE;
        }
        int core = cores.nextSetBit(0);
        for (long before = (long) index * cores.cardinality() / lists.size(); before > 0; before--) {
            core = cores.nextSetBit(core + 1);
        }
        return core;
    }

    private static BitSet parse(String list) {
        BitSet cores = new BitSet();
        for (String range : list.split(",")) {
            String[] ends = range.trim().split("-");
            int first = Integer.parseInt(ends[0]);
            int last = Integer.parseInt(ends[ends.length - 1]);
            if (first < 0 || last < first || last > CORE_LIMIT) {
                throw new IllegalArgumentException("'" + list + "' is no list of cores");
            }
            cores.set(first, last + 1);
        }
        return cores;
    }
}
