package org.sluice.cli.vm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Whether guests run under KVM or are translated (TCG). A /dev/kvm that opens proves little: under some hypervisors a
 * guest's kernel dies in it. So a trial guest must reach user space first; the answer is remembered for this host
 * kernel, guest kernel and QEMU.
 */
enum Accelerator {
    KVM(List.of("-accel", "kvm", "-cpu", "host"), ""),
    /**
     * Translated processors' time-stamp counters all follow one clock of the host. The kernel compares them with
     * another now and then; on a busy host that fails, and from then on each reading of the time is a system call that
     * asks an emulated device.
     */
    TCG(List.of("-accel", "tcg,thread=multi", "-cpu", "max"), "tsc=reliable");

    private static final Path DEVICE = Path.of("/dev/kvm");
    private static final String REACHED = "sluice-vm: user space reached";
    private static final int TRIAL_LIMIT_S = 30;
    private static final String TRIAL = "trial";

    private final List<String> flags;

    private final String kernelParameters;

    Accelerator(List<String> flags, String kernelParameters) {
        this.flags = flags;
        this.kernelParameters = kernelParameters;
    }

    List<String> flags() {
        return flags;
    }

    String kernelParameters() {
        return kernelParameters;
    }

    /** The trial, as tests replace it. */
    interface Trial {
        /** Whether a guest under KVM reached user space. */
        boolean reachesUserSpace() throws IOException, InterruptedException;
    }

    static Accelerator choose(VmFolders folders) throws IOException, InterruptedException {
        Path console = folders.console(TRIAL);
        return choose(
                folders,
                DEVICE,
                QemuCommand.PROGRAM,
                () -> trial(QemuCommand.trial(folders, console), console, folders.qemuLog(TRIAL)));
    }

    static Accelerator choose(VmFolders folders, Path device, Path qemu, Trial trial)
            throws IOException, InterruptedException {
        if (!Files.isReadable(device) || !Files.isWritable(device)) {
            return TCG;
        }
        String key = String.join(
                " ",
                System.getProperty("os.version"),
                folders.kernelVersion(),
                Files.getLastModifiedTime(qemu).toString());
        Path answer = folders.accelerator();
        List<String> remembered = Files.exists(answer) ? Files.readAllLines(answer) : List.of();
        for (Accelerator each : values()) {
            if (remembered.equals(List.of(key, each.name()))) {
                return each;
            }
        }
        Accelerator chosen = trial.reachesUserSpace() ? KVM : TCG;
        Files.write(answer, List.of(key, chosen.name()));
        return chosen;
    }

    /** Runs a guest that ends by itself when it has reached user space. */
    static boolean trial(List<String> qemu, Path console, Path log) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(qemu)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .start();
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TRIAL_LIMIT_S);
            // After an emulation failure QEMU does not end: it waits for somebody to look at it.
            while (!process.waitFor(100, TimeUnit.MILLISECONDS)
                    && System.nanoTime() < deadline
                    && !Files.readString(log).contains("KVM internal error")) {
                Thread.onSpinWait();
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        return Files.exists(console)
                && new String(Files.readAllBytes(console), StandardCharsets.ISO_8859_1).contains(REACHED);
    }
}
