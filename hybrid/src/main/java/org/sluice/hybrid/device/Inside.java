package org.sluice.hybrid.device;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.sluice.device.channel.Channel;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.jvm.JvmRanks;
import org.sluice.device.jvm.LocalEnd;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.hybrid.observe.DeviceState;
import org.sluice.hybrid.observe.Devices;
import org.sluice.hybrid.observe.DumpText;
import org.sluice.hybrid.observe.Dumps;
import org.sluice.hybrid.observe.Observed;
import org.sluice.hybrid.observe.PeerState;
import org.sluice.hybrid.observe.Recording;
import org.sluice.hybrid.observe.StuckReport;
import org.sluice.hybrid.observe.StuckWaits;
import org.sluice.hybrid.progress.LongParks;
import org.sluice.hybrid.progress.PendingWait;
import org.sluice.hybrid.progress.WaitLog;
import org.sluice.hybrid.protocol.Exchange;
import org.sluice.hybrid.request.Callback;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Goal;
import org.sluice.hybrid.request.InFlight;
import org.sluice.hybrid.route.Route;

/**
 * A device's side that those see who look inside. Costs an open device an entry in {@link JvmRanks}, until somebody
 * asks.
 *
 * <p><i>Thread</i>: any; takes the progress lock for a moment. <i>Owns</i>: the thread that looks for stuck waits, if
 * the options want one. <i>Fails</i>: never; who can't have the lock is told of counters alone. <i>Proof</i>:
 * {@code InspectionTest}, {@code DumpProcessTest}.
 */
final class Inside implements LocalEnd, Observed, LongParks {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int LISTED = 50;
    /** Of those who are called back for the same request. */
    private static final int LISTED_CALLED = 5;

    private final DeviceParts parts;
    private final String name;
    private final Recording recording;
    private final long reportNanos;
    /** Of a wait after which the whole state is written; 0: of none. */
    private final long stuckNanos;

    private StuckWaits stuck;
    /** Once a wait has taken long. */
    private StuckReport report;

    private volatile boolean closed;
    private volatile Runnable onClose;

    Inside(DeviceParts parts) {
        this.parts = parts;
        // Whoever has the whole state written needs no line.
        this.stuckNanos = TimeUnit.MILLISECONDS.toNanos(parts.options().number(Option.DUMP_STUCK_MS));
        this.reportNanos = stuckNanos > 0
                ? 0
                : TimeUnit.MILLISECONDS.toNanos(parts.options().number(Option.STUCK_REPORT_MS));
        this.recording = new Recording(parts.rank(), parts.routes(), parts.exchange(), parts.engine(), reportNanos);
        this.name = "state of device " + parts.ids().get(parts.rank()).uuid();
    }

    /** Before anything is opened. */
    static void handleSignal(Options options) {
        if (!options.text(Option.DUMP_SIGNAL).equals("off")) {
            Dumps.onSignal(options.text(Option.DUMP_SIGNAL));
        }
    }

    /** From here on the device can be looked at. */
    void begin() {
        // Progress threads may look at the peers already.
        parts.engine().lock();
        try {
            parts.exchange().witness(recording);
            if (reportNanos > 0) {
                parts.engine().tellOfLongParks(this);
            }
        } finally {
            parts.engine().unlock();
        }
        JvmRanks.ofThisJvm().register(name, parts.rank(), this);
        if (stuckNanos > 0) {
            stuck = new StuckWaits(
                    parts.engine(),
                    this,
                    TimeUnit.NANOSECONDS.toMillis(stuckNanos),
                    stuckReason(),
                    "sluice-watch-" + parts.rank());
            stuck.start();
        }
        if (isManaged(parts.options())) {
            new Devices();
        }
    }

    /**
     * An agent that came with the JVM has loaded what management needs already; for any other, loading it is left to
     * who asks.
     */
    private static boolean isManaged(Options options) {
        return options.text(Option.JMX).equals("on")
                || System.getProperty("com.sun.management.jmxremote") != null
                || System.getProperty("com.sun.management.jmxremote.port") != null;
    }

    @Override
    public long firstNanos() {
        return reportNanos;
    }

    @Override
    public long parked(Goal goal, long nanos) {
        return report().look(goal, nanos);
    }

    /** As {@link #parked}, of a thread that waits for what a rank writes to memory that both share. */
    long waitsInMemory(int peer, long nanos) {
        if (stuckNanos > 0 && nanos >= stuckNanos) {
            dump(stuckReason());
            return ENOUGH;
        }
        return stuckNanos > 0 ? stuckNanos - nanos : reportNanos > 0 ? report().lookInMemory(peer, nanos) : ENOUGH;
    }

    private String stuckReason() {
        return "a call has waited for more than " + TimeUnit.NANOSECONDS.toMillis(stuckNanos) + " ms ("
                + Option.DUMP_STUCK_MS.property() + ")";
    }

    /** Its class is loaded when the first wait takes long. */
    private synchronized StuckReport report() {
        report = report == null
                ? new StuckReport(parts.rank(), parts.engine(), parts.exchange(), parts.routes(), reportNanos)
                : report;
        return report;
    }

    void close() {
        closed = true;
        if (stuck != null) {
            stuck.stop();
        }
        recording.close();
        JvmRanks.ofThisJvm().unregister(name);
        Runnable action = onClose;
        if (action != null) {
            action.run();
        }
    }

    @Override
    public void onClose(Runnable action) {
        onClose = action;
        if (closed) {
            action.run();
        }
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void dump(String reason) {
        Dumps.write(DumpText.of(state(LISTED), reason), parts.options(), parts.rank());
    }

    @Override
    public Map<String, Long> counters() {
        Map<Counter, Long> sums = Counters.newSums();
        parts.counters().addTo(sums);
        for (Route route : parts.routes()) {
            route.counters().addTo(sums);
        }
        for (Channel channel : parts.channels()) {
            for (Counters counters : channel.counters()) {
                counters.addTo(sums);
            }
            sums.keySet().removeAll(channel.unknownCounters());
        }
        return byName(sums, true);
    }

    private static Map<String, Long> byName(Map<Counter, Long> sums, boolean zerosToo) {
        Map<String, Long> byName = new TreeMap<>();
        sums.forEach((counter, value) -> {
            if (zerosToo || value != 0) {
                byName.put(counter.key(), value);
            }
        });
        return byName;
    }

    @Override
    public int rank() {
        return parts.rank();
    }

    @Override
    public int size() {
        return parts.ids().size();
    }

    @Override
    public String job() {
        return parts.job().id();
    }

    @Override
    public DeviceState state(int most) {
        // Counters need no lock, and take the longest.
        Map<String, Map<String, Long>> channels = channels();
        List<Map<String, Long>> counted = new ArrayList<>();
        for (Route route : parts.routes()) {
            Counters[] ofChannel = route.channel().counters(route.peer());
            Counters[] all = Arrays.copyOf(ofChannel, ofChannel.length + 1);
            all[ofChannel.length] = route.counters();
            counted.add(counters(all));
        }
        DeviceState[] seen = new DeviceState[1];
        return parts.engine().inspect(() -> seen[0] = look(most, counted, channels), PATIENCE_NANOS)
                ? seen[0]
                : withoutLock(counted, channels);
    }

    /**
     * Under the progress lock.
     *
     * @param counted for each route
     */
    private DeviceState look(int most, List<Map<String, Long>> counted, Map<String, Map<String, Long>> channels) {
        Exchange exchange = parts.exchange();
        InFlight requests = new InFlight(most, this::threads, Inside::called);
        if (most > 0) {
            exchange.inspection().list(requests);
        }
        int waiting = exchange.inspection().waiting();
        int[] receives = exchange.inspection().receivesByPeer();
        int[] written = exchange.inspection().writtenByPeer();
        List<PeerState> peers = new ArrayList<>();
        for (Route route : parts.routes()) {
            int peer = route.peer();
            long[] way = route.inspection().sendsAndShareLeft();
            waiting += (int) way[0];
            peers.add(new PeerState(
                    route,
                    counted.get(peers.size()),
                    new long[] {
                        exchange.inspection().receivedMessages(peer),
                        exchange.inspection().receivedBytes(peer)
                    },
                    exchange.inspection().unexpectedFrom(peer),
                    (int) way[0] + written[peer],
                    receives[peer],
                    way[1]));
        }
        List<String> channelStates = new ArrayList<>();
        if (most > 0) {
            for (Channel channel : parts.channels()) {
                String text = channel.toString();
                // One that says nothing of itself has its class and a number.
                if (text.indexOf('@') < 0 || text.indexOf('[') >= 0) {
                    channelStates.add(text);
                }
            }
            String handlers = exchange.inspection().handlers();
            if (handlers != null) {
                channelStates.add(handlers);
            }
        }
        return new DeviceState(
                rank(),
                size(),
                parts.ids().get(rank()).uuid().toString(),
                job(),
                true,
                exchange.inspection().posted(),
                exchange.inspection().unexpected(),
                waiting,
                requests.listed(),
                exchange.inspection().unexpectedMessages(most),
                peers,
                parts.exchange().activities(),
                channels,
                channelStates);
    }

    private DeviceState withoutLock(List<Map<String, Long>> counted, Map<String, Map<String, Long>> channels) {
        List<PeerState> peers = new ArrayList<>();
        for (Route route : parts.routes()) {
            peers.add(new PeerState(route, counted.get(peers.size()), new long[2], 0, 0, 0, 0));
        }
        return new DeviceState(
                rank(),
                size(),
                parts.ids().get(rank()).uuid().toString(),
                job(),
                false,
                0,
                0,
                0,
                List.of(),
                List.of(),
                peers,
                parts.exchange().activities(),
                channels,
                List.of());
    }

    @Override
    public Map<String, Map<String, Long>> channels() {
        Map<String, Map<String, Long>> channels = new LinkedHashMap<>();
        for (Channel channel : parts.channels()) {
            channels.put(channel.name(), counters(channel.counters()));
        }
        return channels;
    }

    private static Map<String, Long> counters(Counters... counted) {
        Map<Counter, Long> sums = Counters.newSums();
        for (Counters counters : counted) {
            counters.addTo(sums);
        }
        return byName(sums, false);
    }

    /** Which threads wait for a request, in words. */
    private String threads(Completion completion) {
        StringBuilder text = new StringBuilder();
        List<WaitLog.Wait> waits = parts.engine().waits().open();
        for (WaitLog.Wait wait : waits) {
            if (wait.isFor(completion)) {
                text.append(text.length() == 0 ? "" : ", ")
                        .append("thread ")
                        .append(wait.thread().getName())
                        .append(" has waited for ")
                        .append(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - wait.sinceNanos()))
                        .append(" ms");
            }
        }
        if (waits.isEmpty()) {
            for (Thread thread : completion.waiters()) {
                text.append(text.length() == 0 ? "" : ", ")
                        .append("thread ")
                        .append(thread.getName())
                        .append(" is parked until it is done");
            }
        }
        return text.toString();
    }

    /** Who waits for a request without a thread, in words; who has waited longest first. */
    private static String called(Completion completion) {
        List<Callback> waiting = new ArrayList<>();
        completion.replaceCallbacks(callback -> {
            if (callback.isWaiting()) {
                waiting.add(callback);
            }
            return callback;
        });
        StringBuilder text = new StringBuilder();
        for (int i = waiting.size() - 1; i >= Math.max(0, waiting.size() - LISTED_CALLED); i--) {
            Callback callback = waiting.get(i);
            text.append(text.length() == 0 ? "a " : ", a ")
                    .append(PendingWait.kind(callback))
                    .append(
                            callback instanceof PendingWait wait
                                    ? " has waited for "
                                            + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - wait.sinceNanos())
                                            + " ms"
                                    : " waits for it");
        }
        int left = waiting.size() - LISTED_CALLED;
        return left > 0 ? text.append(" and ").append(left).append(" more").toString() : text.toString();
    }
}
