package org.sluice.device.option;

import java.util.ArrayList;
import java.util.List;

/** What somebody who misspelt a name may have meant. */
public final class Spelling {
    private static final int MOST_CHANGES = 4;
    private static final int LEAST_BEGINNING = 3;
    private static final int MOST_LONGER = 3;
    private static final String VARIABLES = "SLUICE_";

    private Spelling() {}

    /**
     * The known names that differ least, else those few that begin so, in the order in which they are known; empty
     * where none is near.
     */
    public static List<String> nearest(String name, Iterable<String> known) {
        List<String> best = new ArrayList<>();
        int least = MOST_CHANGES;
        String word = bare(name);
        for (String each : known) {
            String other = bare(each);
            int distance = distance(word, other);
            // In a short name a few changes make any other out of it.
            if (distance <= least && 2 * distance <= other.length()) {
                if (distance < least) {
                    best.clear();
                }
                least = distance;
                best.add(each);
            }
        }
        return best.isEmpty() ? longer(word, known) : best;
    }

    /** Who left out the end of a name. */
    private static List<String> longer(String word, Iterable<String> known) {
        List<String> found = new ArrayList<>();
        for (String each : known) {
            if (word.length() >= LEAST_BEGINNING && bare(each).startsWith(word)) {
                found.add(each);
            }
        }
        return found.size() > MOST_LONGER ? List.of() : found;
    }

    /** As the end of a sentence that says what isn't known; empty where nothing is near. */
    public static String suggestion(String name, Iterable<String> known) {
        List<String> nearest = nearest(name, known);
        return nearest.isEmpty() ? "" : "; did you mean " + String.join(" or ", nearest) + "?";
    }

    /** All names begin with the same: that some are near by it says nothing. */
    private static String bare(String name) {
        int dashes = 0;
        while (dashes < name.length() && name.charAt(dashes) == '-') {
            dashes++;
        }
        String word = name.substring(dashes);
        if (word.startsWith(VARIABLES)) {
            return word.substring(VARIABLES.length());
        }
        return word.startsWith(Option.PREFIX) ? word.substring(Option.PREFIX.length()) : word;
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
