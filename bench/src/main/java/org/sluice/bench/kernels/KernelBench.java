package org.sluice.bench.kernels;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.sluice.bench.contestant.SluiceRequests;
import org.sluice.bench.plan.Route;
import org.sluice.bench.report.BenchRecord;
import org.sluice.bench.report.Machine;
import org.sluice.bench.report.Results;
import org.sluice.launch.JavaHome;

/** {@code ./sluice bench ep}, and the other kernels: MOPS, and how much faster ranks are than one alone. */
public final class KernelBench {
    private final JavaHome java;
    private final Machine machine;
    private final boolean pin;
    private final PrintWriter out;
    private final PrintWriter err;
    private final List<String> records = new ArrayList<>();
    private boolean isGood = true;

    /**
     * Where a job's ranks are, and how Sluice is.
     *
     * @param peer the name in records
     */
    record Place(Route route, int ranks, int jvms, String peer, Map<String, String> options) {
        Place(Route route, int ranks, int jvms) {
            this(route, ranks, jvms, Results.SLUICE, Map.of());
        }
    }

    /**
     * In which ways beside the ordinary one.
     *
     * @param jvms the same ranks also in so many JVMs, in each of which they are threads
     * @param requests the same over verbs with so many work requests for each peer, with messages that leave together
     *     and with each by itself
     */
    public record More(List<Integer> jvms, List<Integer> requests) {}

    public KernelBench(JavaHome java, Machine machine, boolean pin, PrintWriter out, PrintWriter err) {
        this.java = java;
        this.machine = machine;
        this.pin = pin;
        this.out = out;
        this.err = err;
    }

    /**
     * Prints a table for each kernel and route.
     *
     * @param ranks beside which one alone runs
     * @return whether each result was the official one; if not, it was told
     * @throws IllegalStateException with the last lines of what failed
     */
    public boolean run(List<KernelName> kernels, List<Problem> problems, Route[] routes, int ranks, More more)
            throws InterruptedException {
        for (KernelName kernel : kernels) {
            for (Route route : routes) {
                out.println();
                title(kernel, problems.get(0), route);
                line(
                        "%7s %7s %6s %12s %10s %9s %9s",
                        "class", "ranks", "JVMs", "MOPS", "seconds", "speedup", "verified");
                for (Problem problem : problems) {
                    double alone = measure(kernel, problem, new Place(route, 1, 1), 0);
                    for (Place place : places(route, ranks, more)) {
                        measure(kernel, problem, place, alone);
                    }
                }
            }
        }
        return isGood;
    }

    private static List<Place> places(Route route, int ranks, More more) {
        List<Place> places = new ArrayList<>();
        if (ranks > 1) {
            places.add(new Place(route, ranks, route == Route.THREADS ? 1 : ranks));
            more.jvms().forEach(count -> places.add(new Place(route, ranks, count)));
            for (int requests : more.requests()) {
                SluiceRequests.options(requests).forEach((peer, options) -> {
                    if (!peer.endsWith(SluiceRequests.WHOLE)) {
                        places.add(new Place(route, ranks, ranks, peer, options));
                    }
                });
            }
        }
        return places;
    }

    private void title(KernelName kernel, Problem problem, Route route) {
        line(
                "%s: %s; %s%s",
                kernel.label(),
                kernel.meaning(),
                route.meaning(),
                kernel.apis().size() == 1 ? "" : ", " + kernel.api(problem).label());
    }

    /** @param alone what one rank did; 0 for that itself */
    private double measure(KernelName kernel, Problem problem, Place place, double alone) throws InterruptedException {
        KernelReading reading = new KernelJob(java, place.route, place.ranks, place.jvms, place.options)
                .readings(pin, problem, List.of(kernel))
                .get(0);
        report(reading, place, alone);
        return reading.mops();
    }

    void report(KernelReading reading, Place place, double alone) {
        line(
                "%7s %7d %6d %12.3f %10.3f %9.2f %9s%s",
                reading.problem().label(),
                place.ranks,
                place.jvms,
                reading.mops(),
                reading.seconds(),
                alone == 0 ? 1 : reading.mops() / alone,
                reading.isVerified() ? "yes" : "NO",
                place.options.isEmpty() ? "" : "  " + place.peer);
        if (!reading.isVerified()) {
            isGood = false;
            err.println("sluice: " + reading.kernel().label() + " of class "
                    + reading.problem().label() + " on " + place.ranks + " ranks (" + place.route.label()
                    + ") is wrong: "
                    + reading.value());
        }
        records.add(record(reading, place));
    }

    private String record(KernelReading reading, Place place) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("benchmark", reading.kernel().label());
        fields.put("peer", place.peer);
        fields.put("channel", place.route.label());
        fields.put("api", reading.kernel().api(reading.problem()).label());
        fields.put("buffer", "array");
        fields.put("ranks", place.ranks);
        if (place.route != Route.THREADS && place.jvms < place.ranks) {
            fields.put("jvms", place.jvms);
        }
        fields.put("class", reading.problem().size().name());
        fields.put("scaling", reading.problem().isWeak() ? "weak" : "strong");
        fields.put("verified", reading.isVerified());
        fields.put("unit", "MOPS");
        fields.put("mean", reading.mops());
        fields.put("seconds", reading.seconds());
        fields.put("count", 1);
        if (place.route == Route.IB || place.route == Route.TCP) {
            fields.put("connections", reading.connections());
        }
        fields.put("jdk", machine.jdk());
        fields.put("kernel", machine.kernel());
        fields.put("cpu", machine.cpu());
        fields.put("cores", machine.cores());
        fields.put("pinned", pin && machine.cores() >= place.ranks);
        return BenchRecord.object(fields);
    }

    boolean isGood() {
        return isGood;
    }

    /** One JSON object for each run. */
    public List<String> json() {
        return List.copyOf(records);
    }

    private void line(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
        out.flush();
    }
}
