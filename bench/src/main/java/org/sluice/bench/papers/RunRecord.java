package org.sluice.bench.papers;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.sluice.bench.plan.Sizes;

/** One line of a file of records, as {@code --json} writes them. */
final class RunRecord {
    /** A kernel and its class, which stand in two fields. */
    static final String KERNEL = "kernel and class";
    /** Of records of memory, which have them where others have bytes. */
    static final String CONNECTIONS = "connections";
    /** Of a buffer before the next one is taken. */
    static final String USES = "uses";
    /** Send work requests of a connection. */
    static final String WINDOW = "window";

    private final JsonObject fields;

    private RunRecord(JsonObject fields) {
        this.fields = fields;
    }

    /** Empty for what is no record: a disk that was full leaves half a line. */
    static Optional<RunRecord> parse(String line) {
        try {
            JsonElement element = JsonParser.parseString(line);
            return element.isJsonObject() && element.getAsJsonObject().has("benchmark")
                    ? Optional.of(new RunRecord(element.getAsJsonObject()))
                    : Optional.empty();
        } catch (JsonParseException | IllegalStateException e) {
            return Optional.empty();
        }
    }

    /** Empty if it isn't there. */
    String text(String field) {
        return fields.has(field) ? fields.get(field).getAsString() : "";
    }

    double number(String field) {
        return fields.has(field) ? fields.get(field).getAsDouble() : Double.NaN;
    }

    /** Of a field that has a number for each rank. */
    double sum(String field) {
        if (!fields.has(field)) {
            return Double.NaN;
        }
        double sum = 0;
        for (JsonElement each : fields.getAsJsonArray(field)) {
            sum += each.getAsDouble();
        }
        return sum;
    }

    boolean matches(Map<String, String> where) {
        return where.entrySet().stream().allMatch(each -> text(each.getKey()).equals(each.getValue()));
    }

    /** Where it stands on a figure's axis, as it is written there. */
    String place(String axis) {
        if (axis.equals(KERNEL)) {
            return text("benchmark").toUpperCase(Locale.ROOT) + " " + text("class");
        }
        if (axis.equals(CONNECTIONS)) {
            return text("size");
        }
        return axis.equals("size") ? Sizes.format((long) number(axis)) : text(axis);
    }

    /** What {@code places} are sorted by; 0 for words, which stay as they come. */
    double order(String axis) {
        return axis.equals(KERNEL) || axis.equals("benchmark") ? 0 : number(axis.equals(CONNECTIONS) ? "size" : axis);
    }

    /** What a round says: the mean where that is what was counted, else the median. */
    double value() {
        String unit = text("unit");
        return unit.equals("ns") || unit.equals("%") || !fields.has("mean") ? number("p50") : number("mean");
    }

    boolean isBetterIfLower() {
        String unit = text("unit");
        return unit.equals("ns") || unit.equals("s") || unit.equals("bytes");
    }

    /** Of the cores, so that rounds of one state are compared; empty where nobody looked. */
    String state() {
        return text("state");
    }

    /** How the machine was. */
    String machine() {
        return text("cpu") + ", " + text("cores") + " cores, Linux " + text("kernel") + ", JDK " + text("jdk");
    }
}
