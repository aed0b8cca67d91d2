package org.sluice.cli.vm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What goes wrong in the guests, and when: {@code loss=1%,delay=1ms,down@5s}. Becomes shell commands that each guest
 * runs by itself.
 */
public final class FaultPlan {
    public static final FaultPlan NONE = new FaultPlan(List.of());

    /** For messages and --help. */
    public static final String ALLOWED =
            "loss=PERCENT, duplicate=PERCENT, corrupt=PERCENT, delay=TIME[~JITTER], reorder=PERCENT (with a delay),"
                    + " off=NODE (all these from 2 nodes on), down[=NODE], up[=NODE], unplug[=NODE]; each with @TIME"
                    + " for later";

    /** Where the network ends in a guest; tools/vm/guest.sh names it so. */
    private static final String INTERFACE = "d0";

    /** Enough that packets wait where they should, and aren't lost for want of room. */
    private static final String NETEM = "tc qdisc replace dev " + INTERFACE + " root netem limit 20000";

    private final List<Fault> faults;

    private FaultPlan(List<Fault> faults) {
        this.faults = faults;
    }

    /** @throws IllegalArgumentException with what is wrong and what is allowed */
    public static FaultPlan parse(String spec, int nodes) {
        List<Fault> faults = new ArrayList<>();
        for (String item : spec.split(",", -1)) {
            faults.add(Fault.parse(item.strip(), nodes));
        }
        // Stable, so that of two for one moment the later one in the text counts.
        faults.sort(Comparator.comparingLong(Fault::atMs));
        FaultPlan plan = new FaultPlan(faults);
        plan.checkReorder();
        return plan;
    }

    /** Netem reorders by letting some packets pass others that wait. */
    private void checkReorder() {
        for (long moment : moments()) {
            Map<Fault.Kind, String> state = packetsAt(moment);
            if (state.containsKey(Fault.Kind.REORDER) && !state.containsKey(Fault.Kind.DELAY)) {
                throw new IllegalArgumentException(
                        "--fault: reorder needs a delay at the same time, as in delay=1ms,reorder=25%: some packets "
                                + "overtake those that wait");
            }
        }
    }

    /** Whether the node is to be powered off, so that it never says how its command ended. */
    boolean powersOff(int node) {
        return faults.stream().anyMatch(fault -> fault.kind() == Fault.Kind.OFF && fault.befalls(node));
    }

    /** Shell commands, one a line, for before the command starts. */
    List<String> atStart(int node) {
        return moments().stream()
                .filter(moment -> moment == 0)
                .flatMap(moment -> commandsAt(moment, node).stream())
                .toList();
    }

    /** Shell commands, with the waits between them, that run beside the command. */
    List<String> later(int node) {
        List<String> lines = new ArrayList<>();
        long nowMs = 0;
        for (long moment : moments()) {
            List<String> commands = moment == 0 ? List.of() : commandsAt(moment, node);
            if (!commands.isEmpty()) {
                lines.add(String.format(Locale.ROOT, "sleep %.3f", (moment - nowMs) / 1000.0));
                lines.addAll(commands);
                nowMs = moment;
            }
        }
        return lines;
    }

    private List<Long> moments() {
        return faults.stream().map(Fault::atMs).distinct().toList();
    }

    private List<String> commandsAt(long moment, int node) {
        List<String> commands = new ArrayList<>();
        if (faults.stream()
                .anyMatch(fault -> fault.atMs() == moment && fault.kind().ofPackets())) {
            commands.add(netem(packetsAt(moment)));
        }
        for (Fault fault : faults) {
            if (fault.atMs() == moment && !fault.kind().ofPackets() && fault.befalls(node)) {
                commands.add(command(fault.kind()));
            }
        }
        return commands;
    }

    /** What netem has to do from that moment on: what was said last of each kind. */
    private Map<Fault.Kind, String> packetsAt(long moment) {
        Map<Fault.Kind, String> state = new EnumMap<>(Fault.Kind.class);
        for (Fault fault : faults) {
            if (fault.kind().ofPackets() && fault.atMs() <= moment) {
                state.put(fault.kind(), fault.value());
            }
        }
        state.values().removeIf(value -> value.matches("[0.]+(%|us|ms|s)"));
        return state;
    }

    private static String netem(Map<Fault.Kind, String> state) {
        StringBuilder command = new StringBuilder(NETEM);
        state.forEach((kind, value) ->
                command.append(' ').append(kind.word()).append(' ').append(value));
        return command.toString();
    }

    private static String command(Fault.Kind kind) {
        return switch (kind) {
            case DOWN -> "ip link set " + INTERFACE + " down";
            case UP -> "ip link set " + INTERFACE + " up";
            case UNPLUG -> "rdma link delete rxe0";
            case OFF -> "echo o >/proc/sysrq-trigger";
            default -> throw new IllegalArgumentException("netem makes " + kind);
        };
    }
}
