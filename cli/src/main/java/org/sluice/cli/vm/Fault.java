package org.sluice.cli.vm;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One item of {@code --fault}: {@code NAME[=VALUE][@MOMENT]}.
 *
 * @param kind what goes wrong
 * @param value as tc's netem takes it; for the others the node, or null for all
 * @param atMs after the command began; 0 for just before
 */
record Fault(Kind kind, String value, long atMs) {
    /** All nodes, for a fault of a link that names none. */
    static final int EVERY_NODE = -1;

    private static final Pattern ITEM = Pattern.compile("([a-z]+)(?:=([^@=]*))?(?:@([^@=]*))?");
    private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)(us|ms|s)");
    private static final Pattern PERCENT = Pattern.compile("(\\d+(?:\\.\\d+)?)%");
    private static final int LONGEST_MOMENT_S = 86_400;

    enum Kind {
        LOSS,
        DUPLICATE,
        CORRUPT,
        REORDER,
        DELAY,
        DOWN,
        UP,
        UNPLUG,
        OFF;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Whether tc's netem does it to packets, and not something else to a node. */
        boolean ofPackets() {
            return ordinal() <= DELAY.ordinal();
        }
    }

    static Fault parse(String item, int nodes) {
        Matcher parts = ITEM.matcher(item);
        if (!parts.matches()) {
            throw refused(item, "it is no NAME[=VALUE][@MOMENT]");
        }
        Kind kind = kind(parts.group(1), item);
        long atMs = parts.group(3) == null ? 0 : moment(parts.group(3), item);
        return new Fault(kind, value(kind, parts.group(2), nodes, item), atMs);
    }

    private static Kind kind(String word, String item) {
        for (Kind kind : Kind.values()) {
            if (kind.word().equals(word)) {
                return kind;
            }
        }
        throw refused(item, "there is no fault '" + word + "'");
    }

    private static String value(Kind kind, String text, int nodes, String item) {
        if (kind.ofPackets() && nodes == 1) {
            throw refused(
                    item,
                    "it happens on the way between guests, and there is one; what a SoftRoCE device sends to itself"
                            + " passes no network interface: add --nodes 2");
        }
        return switch (kind) {
            case LOSS, DUPLICATE, CORRUPT, REORDER -> percent(kind, text, item);
            case DELAY -> delay(text, item);
            case DOWN, UP, UNPLUG -> text == null ? null : node(text, nodes, item);
            case OFF -> {
                if (nodes == 1) {
                    throw refused(item, "it ends the only guest, and with it the command: add --nodes 2");
                }
                yield node(text, nodes, item);
            }
        };
    }

    private static String percent(Kind kind, String text, String item) {
        Matcher percent = PERCENT.matcher(text == null ? "" : text);
        if (!percent.matches() || Double.parseDouble(percent.group(1)) > 100) {
            throw refused(item, kind.word() + " takes a share of the packets, 0% to 100%");
        }
        return text;
    }

    private static String delay(String text, String item) {
        String[] parts = text == null ? new String[0] : text.split("~", -1);
        if (parts.length < 1 || parts.length > 2) {
            throw refused(item, "delay takes a time and perhaps a jitter, as 1ms or 1ms~200us");
        }
        for (String part : parts) {
            Matcher time = TIME.matcher(part);
            if (!time.matches() || millis(time) > 60_000) {
                throw refused(item, "delay takes times of at most 60s in us, ms or s, as 1ms or 1ms~200us");
            }
        }
        return String.join(" ", parts);
    }

    private static String node(String text, int nodes, String item) {
        if (text == null || !text.matches("\\d{1,3}") || Integer.parseInt(text) >= nodes) {
            throw refused(item, "the value is the number of a node, 0 to " + (nodes - 1));
        }
        return text;
    }

    private static long moment(String text, String item) {
        Matcher time = TIME.matcher(text);
        if (!time.matches() || millis(time) > LONGEST_MOMENT_S * 1000.0) {
            throw refused(
                    item,
                    "behind @ stands the time since the command began, as 500ms or 5s, at most " + LONGEST_MOMENT_S
                            + "s");
        }
        return Math.round(millis(time));
    }

    private static double millis(Matcher time) {
        double number = Double.parseDouble(time.group(1));
        return switch (time.group(2)) {
            case "us" -> number / 1000;
            case "ms" -> number;
            default -> number * 1000;
        };
    }

    private static IllegalArgumentException refused(String item, String why) {
        return new IllegalArgumentException(
                "--fault " + item + ": " + why + ". Allowed, with commas between: " + FaultPlan.ALLOWED);
    }

    /** The node that it befalls, or {@link #EVERY_NODE}. */
    int node() {
        return kind.ofPackets() || value == null ? EVERY_NODE : Integer.parseInt(value);
    }

    boolean befalls(int node) {
        return node() == EVERY_NODE || node() == node;
    }
}
