package org.sluice.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.hybrid.device.ChannelChoice;

/**
 * What all findings together mean for each channel: usable or not, why not, and what to do. Draws conclusions and looks
 * at nothing itself.
 *
 * <p>Proof: {@code ChannelVerdictsTest}.
 */
final class ChannelVerdicts {
    private static final Set<String> FOR_ALL = Set.of("options", JavaFlags.TOPIC);

    private final List<Finding> findings;
    private final Options options;
    private final List<String> allowed;

    /** @throws IllegalArgumentException when sluice.channels names a channel that there is not */
    ChannelVerdicts(List<Finding> findings, Options options) {
        this.findings = List.copyOf(findings);
        this.options = options;
        this.allowed = ChannelChoice.allowed(options);
    }

    /** Which is tried before which. */
    Finding order() {
        return Finding.information(
                "channels",
                "each peer by the first that reaches it: " + String.join(", ", allowed) + " ("
                        + Option.CHANNELS.property() + ", the same for all ranks)");
    }

    List<Finding> all() {
        return List.of(
                verdict(
                        ChannelChoice.THREADS,
                        "between ranks that are threads of one JVM",
                        Set.of(),
                        Set.of("native library")),
                verdict(
                        ChannelChoice.SHM,
                        "between JVMs of one user on this machine",
                        Set.of(SharedMemory.TOPIC, "node", JobTrial.TOPIC),
                        Set.of(SharedMemory.TOPIC, "native library")),
                verbs(),
                verdict(ChannelChoice.TCP, "between machines", Set.of(TcpInterfaces.TOPIC), Set.of()));
    }

    /**
     * @param needed topics without which it does not work; what makes those of {@code limits} slower makes it slower
     *     too
     */
    private Finding verdict(String channel, String between, Set<String> needed, Set<String> limits) {
        Set<String> bases = new java.util.HashSet<>(needed);
        bases.addAll(FOR_ALL);
        Optional<Finding> obstacle = first(Finding.Level.UNUSABLE, bases);
        if (obstacle.isPresent()) {
            return Finding.unusable(
                    topic(channel),
                    "not usable: " + reason(obstacle.get()),
                    obstacle.get().advice());
        }
        if (!allowed.contains(channel)) {
            return unused(channel, between);
        }
        Optional<Finding> limit = first(Finding.Level.SLOWER, limits);
        return limit.isPresent()
                ? Finding.slower(
                        topic(channel),
                        "usable " + between + ", but: " + reason(limit.get()),
                        limit.get().advice())
                : Finding.ok(topic(channel), "usable " + between);
    }

    private Finding verbs() {
        String topic = topic(ChannelChoice.IB);
        Optional<Finding> obstacle = first(Finding.Level.UNUSABLE, FOR_ALL);
        if (obstacle.isPresent()) {
            return Finding.unusable(
                    topic,
                    "not usable: " + reason(obstacle.get()),
                    obstacle.get().advice());
        }
        Finding found = findings.stream()
                .filter(finding -> finding.topic().equals(RdmaDevice.TOPIC))
                .findFirst()
                .orElseThrow();
        boolean wanted = allowed.contains(ChannelChoice.IB);
        if (found.level() == Finding.Level.OK) {
            return wanted ? Finding.ok(topic, "usable between machines") : unused(ChannelChoice.IB, "between machines");
        }
        String text = "not usable: " + found.text().replaceFirst("^not to be had: ", "");
        if (allowed.equals(List.of(ChannelChoice.IB))) {
            return Finding.unusable(
                    topic,
                    text,
                    "without it ranks reach nobody: let " + Option.CHANNELS.property() + " name threads and shm too");
        }
        boolean isNamed = wanted && !options.text(Option.CHANNELS).equals("auto");
        return isNamed
                ? Finding.slower(topic, text, "ranks that share this machine reach each other without it")
                : Finding.information(topic, text);
    }

    private Finding unused(String channel, String between) {
        List<String> more = new ArrayList<>(allowed);
        more.add(channel);
        return new Finding(
                Finding.Level.INFORMATION,
                topic(channel),
                "usable " + between + ", and not used: " + Option.CHANNELS.property() + " is "
                        + options.text(Option.CHANNELS) + " (" + options.origin(Option.CHANNELS) + ")",
                Option.CHANNELS.property() + "=" + String.join(",", more) + " lets ranks use it");
    }

    private Optional<Finding> first(Finding.Level level, Set<String> topics) {
        return findings.stream()
                .filter(finding -> finding.level() == level && topics.contains(finding.topic()))
                .findFirst();
    }

    private static String reason(Finding finding) {
        return finding.topic() + ": " + finding.text();
    }

    private static String topic(String channel) {
        return "channel " + channel;
    }
}
