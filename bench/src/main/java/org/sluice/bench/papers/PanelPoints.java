package org.sluice.bench.papers;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.sluice.bench.report.Comparison;

/** What records say of a panel: its places on the axis, and the points of each curve. */
final class PanelPoints {
    private static final String MIXED = "mixed";
    private static final String NEAR = "near";

    private final Panel panel;
    private final List<String> places;
    private final Map<String, Map<String, Point>> byCurve = new LinkedHashMap<>();

    /** @param records by run */
    PanelPoints(Panel panel, Map<String, List<RunRecord>> records) {
        this.panel = panel;
        Map<String, Double> orders = new LinkedHashMap<>();
        for (Curve curve : panel.curves()) {
            Map<String, Point> points = points(curve, records, orders);
            if (!points.isEmpty()) {
                byCurve.put(curve.label(), points);
            }
        }
        places = orders.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .toList();
    }

    private Map<String, Point> points(Curve curve, Map<String, List<RunRecord>> records, Map<String, Double> orders) {
        Map<String, Point> points = new HashMap<>();
        for (String run : curve.runs()) {
            List<RunRecord> ofRun = records.getOrDefault(run, List.of());
            Map<String, List<RunRecord>> byPlace = new LinkedHashMap<>();
            ofRun.stream()
                    .filter(record -> record.matches(curve.where()))
                    .forEach(record -> byPlace.computeIfAbsent(record.place(panel.axis()), unused -> new ArrayList<>())
                            .add(record));
            byPlace.forEach((place, found) -> {
                List<RunRecord> there = ofRun.stream()
                        .filter(record ->
                                record.place(panel.axis()).equals(place) && isOfTheSameRace(record, found.get(0)))
                        .toList();
                String state = state(there);
                List<Double> values = values(found, state, curve.quantity());
                if (values.isEmpty()) {
                    return;
                }
                Point point = Point.of(values, state);
                if (curve.quantity().isSpeedup()) {
                    List<Double> alone = values(alone(curve, ofRun, place), state, curve.quantity());
                    if (alone.isEmpty()) {
                        return;
                    }
                    point = point.dividedBy(Comparison.median(
                            alone.stream().mapToDouble(Double::doubleValue).toArray()));
                }
                points.put(place, point);
                orders.put(place, found.get(0).order(panel.axis()));
            });
        }
        return points;
    }

    private List<RunRecord> alone(Curve curve, List<RunRecord> records, String place) {
        Map<String, String> where = new HashMap<>(curve.where());
        where.put("ranks", "1");
        return records.stream()
                .filter(record ->
                        record.matches(where) && record.place(panel.axis()).equals(place))
                .toList();
    }

    private static boolean isOfTheSameRace(RunRecord one, RunRecord other) {
        return List.of("benchmark", "channel", "k").stream()
                .allMatch(field -> one.text(field).equals(other.text(field)));
    }

    private static List<Double> values(List<RunRecord> records, String state, Quantity quantity) {
        return records.stream()
                .filter(record -> record.state().equals(state))
                .map(quantity::of)
                .filter(Double::isFinite)
                .toList();
    }

    /**
     * The one whose rounds stand for all contestants of a race at a place: in which most of them have rounds enough;
     * among such near, else the one with the most rounds. Mixed rounds stand for nothing.
     */
    static String state(List<RunRecord> records) {
        Map<String, Map<String, Long>> counts = new TreeMap<>();
        for (RunRecord record : records) {
            if (!record.state().equals(MIXED)) {
                counts.computeIfAbsent(record.state(), unused -> new HashMap<>())
                        .merge(record.text("peer"), 1L, Long::sum);
            }
        }
        return counts.entrySet().stream()
                .max(Comparator.<Map.Entry<String, Map<String, Long>>>comparingLong(each -> enough(each.getValue()))
                        .thenComparing(each ->
                                enough(each.getValue()) > 0 && each.getKey().equals(NEAR))
                        .thenComparingLong(each -> sum(each.getValue())))
                .map(Map.Entry::getKey)
                .orElse("");
    }

    private static long enough(Map<String, Long> byPeer) {
        return byPeer.values().stream()
                .filter(count -> count >= Comparison.ROUNDS_LEAST)
                .count();
    }

    private static long sum(Map<String, Long> byPeer) {
        return byPeer.values().stream().mapToLong(Long::longValue).sum();
    }

    Panel panel() {
        return panel;
    }

    boolean isEmpty() {
        return byCurve.isEmpty();
    }

    /** On the axis, in order. */
    List<String> places() {
        return places;
    }

    /** Of those curves that have points. */
    List<Curve> curves() {
        return panel.curves().stream()
                .filter(curve -> byCurve.containsKey(curve.label()))
                .collect(Collectors.toList());
    }

    /** Null if there is none. */
    Point at(Curve curve, String place) {
        return byCurve.getOrDefault(curve.label(), Map.of()).get(place);
    }

    /** Where the first of ours is ahead of those that ran beside it, and where behind, as far as spreads allow. */
    List<String> verdicts() {
        List<String> verdicts = new ArrayList<>();
        for (Curve ours : curves()) {
            if (ours.isOurs()) {
                for (Curve theirs : curves()) {
                    if (!theirs.isOurs() && theirs.runs().equals(ours.runs())) {
                        verdict(ours, theirs).ifPresent(verdicts::add);
                    }
                }
            }
        }
        return verdicts;
    }

    /** Nothing of what was counted once: there are no spreads. */
    private Optional<String> verdict(Curve ours, Curve theirs) {
        Map<String, List<String>> where = new LinkedHashMap<>();
        for (String place : places) {
            Point our = at(ours, place);
            Point their = at(theirs, place);
            if (our != null && their != null && (our.rounds() > 1 || their.rounds() > 1)) {
                String what = !our.isApartFrom(their)
                        ? "not told apart"
                        : our.median() > their.median() == ours.quantity().moreIsBetter() ? "ahead" : "behind";
                where.computeIfAbsent(what, unused -> new ArrayList<>()).add(place);
            }
        }
        if (where.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(ours.label() + ", beside " + theirs.label() + ": "
                + where.entrySet().stream()
                        .map(each -> each.getKey() + " at " + String.join(", ", each.getValue()))
                        .collect(Collectors.joining("; ")));
    }
}
