package org.sluice.cli.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.hybrid.device.NodeIdentity;
import org.sluice.jni.os.Os;
import org.sluice.launch.ClassArchive;
import org.sluice.launch.JavaHome;
import org.sluice.launch.RoomForRanks;
import org.sluice.launch.SluiceVersion;

/**
 * Looks at everything that decides which channels work on this machine.
 *
 * <p>Thread: one.
 *
 * <p>Fails: never because of what it finds; that is a {@link Finding}.
 *
 * <p>Proof: {@code DoctorTest}.
 */
public final class Doctor {
    private final Map<String, String> properties;
    private final Map<String, String> environment;
    private final boolean startsJob;

    /**
     * Starts no job.
     *
     * @param properties system properties, by name
     */
    public Doctor(Map<String, String> properties, Map<String, String> environment) {
        this(properties, environment, false);
    }

    private Doctor(Map<String, String> properties, Map<String, String> environment, boolean startsJob) {
        this.startsJob = startsJob;
        this.properties = properties;
        this.environment = environment;
    }

    /** Looks at this JVM. */
    public static Doctor ofThisJvm() {
        Map<String, String> properties = new java.util.TreeMap<>();
        System.getProperties().stringPropertyNames().forEach(name -> properties.put(name, System.getProperty(name)));
        return new Doctor(properties, System.getenv(), true);
    }

    /** All findings, most basic first. */
    public List<Finding> examine() {
        return examine(List.of());
    }

    /**
     * The same, with what the caller looked at.
     *
     * @param others stand before the verdicts, which they don't change
     */
    public List<Finding> examine(List<Finding> others) {
        List<Finding> findings = new ArrayList<>();
        findings.add(Finding.information("version", "Sluice " + SluiceVersion.CURRENT));
        findings.add(java());
        findings.add(classArchive());
        List<Finding> flags = JavaFlags.ofThisJvm().examine();
        findings.addAll(flags);
        findings.addAll(Processors.examine());
        findings.add(nativeLibrary());
        Options options;
        try {
            options = Options.of(Map.of(), properties, environment);
        } catch (IllegalArgumentException e) {
            findings.add(Finding.unusable("options", e.getMessage(), "correct or remove it"));
            options = Options.of(Map.of(), Map.of(), Map.of());
        }
        Path folder = Path.of(options.text(Option.SHM_DIR));
        findings.addAll(new SharedMemory(folder, options).examine());
        if (Files.isDirectory(folder)) {
            findings.add(node(NodeIdentity.unknownReason(folder)));
        }
        findings.addAll(limits(folder, options, findings));
        if (flags.stream().noneMatch(finding -> finding.level() == Finding.Level.UNUSABLE)) {
            // Both need the raw memory that such a JVM refuses.
            findings.add(KernelCopyTrial.examine(options));
            findings.add(RdmaDevice.examine(options));
        }
        findings.add(TcpInterfaces.examine(options));
        findings.addAll(new Leftovers(folder).examine());
        findings.addAll(others);
        findings.addAll(typos());
        findings.addAll(verdicts(findings, options));
        return findings;
    }

    /** What is wrong already would only be found again. */
    private List<Finding> limits(Path folder, Options options, List<Finding> before) {
        if (before.stream().anyMatch(finding -> finding.level() == Finding.Level.UNUSABLE)) {
            return List.of();
        }
        try {
            List<Finding> findings = new ArrayList<>(new Limits(folder, options, RoomForRanks.here()).examine());
            if (startsJob) {
                findings.add(new JobTrial(properties).examine());
            }
            return findings;
        } catch (IllegalArgumentException e) {
            // Options that don't go together: the channels' verdicts say so.
            return List.of();
        }
    }

    private static List<Finding> verdicts(List<Finding> findings, Options options) {
        try {
            ChannelVerdicts verdicts = new ChannelVerdicts(findings, options);
            List<Finding> all = new ArrayList<>(List.of(verdicts.order()));
            all.addAll(verdicts.all());
            return all;
        } catch (IllegalArgumentException e) {
            return List.of(Finding.unusable("options", e.getMessage(), "correct or remove it"));
        }
    }

    /** One line for each option: its value and where that comes from. */
    public List<String> options() {
        Options options;
        try {
            options = Options.of(Map.of(), properties, environment);
        } catch (IllegalArgumentException e) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        for (Option option : Option.values()) {
            String value = options.text(option);
            lines.add(String.format(
                    "%-28s %-10s %s", option.property(), value.isEmpty() ? "-" : value, options.origin(option)));
        }
        return lines;
    }

    /** The table by which collectives are done. */
    public List<String> algorithms() {
        try {
            return new AlgorithmTable(Options.of(Map.of(), properties, environment)).lines();
        } catch (IllegalArgumentException e) {
            // It is a finding.
            return List.of();
        }
    }

    private static Finding classArchive() {
        JavaHome java = JavaHome.current();
        return Finding.information(
                "class archive",
                ClassArchive.of(java)
                        .map(archive -> "ranks that ./sluice run starts take their classes from " + archive.file())
                        .orElse("none for Java " + java.version() + ": a device opens some 0.1 s later"));
    }

    private static Finding java() {
        JavaHome java = JavaHome.current();
        String text = "Java " + java.version() + " (" + System.getProperty("java.vendor") + ") in " + java.home();
        List<String> closed = java.closedPackages();
        return closed.isEmpty()
                ? Finding.ok("java", text)
                : Finding.slower(
                        "java",
                        text + "; closed to Sluice: " + String.join(", ", closed),
                        "programs that send Chronicle Bytes need them open: start with ./sluice run, or give the JVM "
                                + String.join(" ", java.flags()));
    }

    private static Finding nativeLibrary() {
        return Os.available()
                ? Finding.ok("native library", "libsluice_os is loaded")
                : Finding.slower(
                        "native library",
                        Os.unavailableReason(),
                        "without it ranks wait by yielding and parking, and no kernel-assisted copy is made");
    }

    /** @param unknownReason why ranks can't tell that they share this machine; empty when they can */
    static Finding node(String unknownReason) {
        return unknownReason.isEmpty()
                ? Finding.ok("node", "ranks in JVMs of their own can tell that they share it")
                : Finding.unusable(
                        "node",
                        "ranks in JVMs of their own can't tell that they share it: " + unknownReason,
                        "let this user read /proc (mount -t proc proc /proc); until then only ranks that are threads"
                                + " of one JVM reach each other (./sluice run --jvms 1)");
    }

    private List<Finding> typos() {
        return Options.typos(
                        properties.keySet().stream().sorted().toList(),
                        environment.keySet().stream().sorted().toList())
                .stream()
                .map(warning -> Finding.ignored("options", warning, "it has no effect; correct or remove it"))
                .toList();
    }
}
