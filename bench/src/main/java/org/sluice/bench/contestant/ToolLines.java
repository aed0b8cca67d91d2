package org.sluice.bench.contestant;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds the table that a tool has printed. */
final class ToolLines {

    private ToolLines() {}

    /**
     * The words of the rows below the last head.
     *
     * @param head words of the head
     * @throws IllegalArgumentException when there is no such head or nothing below it
     */
    static List<String[]> below(List<String> lines, String... head) {
        int at = -1;
        for (int i = 0; i < lines.size(); i++) {
            if (Arrays.equals(words(lines.get(i)), head)) {
                at = i;
            }
        }
        List<String[]> rows = new ArrayList<>();
        for (int i = at + 1; at >= 0 && i < lines.size() && !lines.get(i).startsWith("---"); i++) {
            rows.add(words(lines.get(i)));
        }
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("there is no '" + String.join(" ", head) + "' with a row below it");
        }
        return rows;
    }

    private static String[] words(String line) {
        return line.strip().split("\\s+");
    }

    /** @throws IllegalArgumentException for anything but a plain number */
    static double number(String word, String what) {
        if (!word.matches("[0-9]+(\\.[0-9]+)?(e[+-]?[0-9]+)?")) {
            throw new IllegalArgumentException("its " + what + " is '" + word + "', which is no number");
        }
        return Double.parseDouble(word);
    }

    /** @throws IllegalArgumentException for anything but a plain number greater than 0 */
    static double positive(String word, String what) {
        double number = number(word, what);
        if (number <= 0) {
            throw new IllegalArgumentException("its " + what + " is " + word + ", expected was more than 0");
        }
        return number;
    }

    static void expect(String word, String expected, String what) {
        if (!word.equals(expected)) {
            throw new IllegalArgumentException("its " + what + " is '" + word + "', expected was '" + expected + "'");
        }
    }
}
