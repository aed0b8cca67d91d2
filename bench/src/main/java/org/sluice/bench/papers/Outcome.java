package org.sluice.bench.papers;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.sluice.bench.report.BenchRecord;

/**
 * How a run went.
 *
 * @param command as somebody would type it
 * @param end empty if it went well, else what to say of it
 * @param seconds that it took
 * @param busy share of the processors that others took just before, in percent
 * @param steal share of the time that the host kept its processors for others meanwhile, in percent
 */
public record Outcome(String run, String command, String end, double seconds, double busy, double steal) {
    /** From here on nothing is claimed. */
    private static final double BUSY_PERCENT = 15;

    private static final double STEAL_PERCENT = 5;

    boolean isGood() {
        return end.isEmpty();
    }

    boolean isOnABusyMachine() {
        return busy >= BUSY_PERCENT || steal >= STEAL_PERCENT;
    }

    String json() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("run", run);
        fields.put("command", command);
        fields.put("end", end);
        fields.put("seconds", Math.round(seconds * 10) / 10.0);
        fields.put("busyPercent", Math.round(busy * 10) / 10.0);
        fields.put("stealPercent", Math.round(steal * 10) / 10.0);
        return BenchRecord.object(fields);
    }

    static Optional<Outcome> parse(String line) {
        try {
            JsonObject fields = JsonParser.parseString(line).getAsJsonObject();
            return Optional.of(new Outcome(
                    fields.get("run").getAsString(),
                    fields.get("command").getAsString(),
                    fields.get("end").getAsString(),
                    fields.get("seconds").getAsDouble(),
                    fields.get("busyPercent").getAsDouble(),
                    fields.get("stealPercent").getAsDouble()));
        } catch (JsonParseException | IllegalStateException | NullPointerException e) {
            return Optional.empty();
        }
    }
}
