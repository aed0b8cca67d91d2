package org.sluice.cli.vm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** The command line of a guest's QEMU. */
final class QemuCommand {
    static final Path PROGRAM = Path.of("/usr/bin/qemu-system-x86_64");

    /** Streams between host and guest; tools/vm/guest.sh knows them as sluice.NAME. */
    static final List<String> PORTS = List.of("out", "err", "control");

    private static final int TRIAL_MB = 512;

    private final List<String> words = new ArrayList<>();

    private QemuCommand(VmFolders folders, Accelerator accelerator, Path console, String kernelParameter)
            throws IOException {
        // QEMU dies with the thread that started it, also when this JVM is killed; and does not start if that has
        // happened already.
        add(
                "setpriv",
                "--pdeathsig",
                "KILL",
                "/bin/sh",
                "-c",
                "[ \"$PPID\" = \"$0\" ] && exec \"$@\"",
                Long.toString(ProcessHandle.current().pid()),
                PROGRAM.toString());
        add("-nodefaults", "-no-user-config", "-display", "none", "-no-reboot");
        words.addAll(accelerator.flags());
        add(
                "-kernel",
                folders.kernel().toString(),
                "-initrd",
                folders.initramfs().toString());
        // The check counts the timer's ticks while the processor is busy: on a loaded host none comes in time, and the
        // kernel panics.
        add(
                "-append",
                "console=ttyS0 panic=-1 quiet loglevel=5 no_timer_check "
                        + String.join(" ", accelerator.kernelParameters(), kernelParameter));
        add("-serial", "file:" + console);
    }

    /**
     * @param counter of the host, in kHz, for a guest whose counter it is; empty for another, and where it is unknown
     */
    static List<String> guest(
            VmRequest request,
            int node,
            VmFolders folders,
            Accelerator accelerator,
            HostShare share,
            OptionalLong counter)
            throws IOException {
        String known = counter.isPresent() ? "tsc_early_khz=" + counter.getAsLong() : "";
        QemuCommand command = new QemuCommand(folders, accelerator, folders.console("node" + node), known);
        command.add("-smp", Integer.toString(share.processors()), "-m", share.memoryMb() + "M");
        command.folder("root", Path.of("/"), "readonly=on,multidevs=remap");
        command.folder("run", folders.guest(node), "readonly=on");
        command.folder("out", folders.out(), "writeout=immediate");
        command.add("-device", "virtio-serial-pci");
        for (String port : PORTS) {
            command.add(
                    "-chardev",
                    "socket,id=" + port + ",path=" + escaped(folders.socket(port + node)),
                    "-device",
                    "virtserialport,chardev=" + port + ",name=sluice." + port);
        }
        if (request.nodes() > 1) {
            command.network(request.nodes(), node, folders);
        }
        return command.words;
    }

    static List<String> trial(VmFolders folders, Path console) throws IOException {
        QemuCommand command = new QemuCommand(folders, Accelerator.KVM, console, "sluice.trial");
        command.add("-m", TRIAL_MB + "M");
        return command.words;
    }

    private void add(String... more) {
        words.addAll(List.of(more));
    }

    private void folder(String tag, Path path, String options) {
        add(
                "-fsdev",
                "local,id=" + tag + ",security_model=none," + options + ",path=" + escaped(path),
                "-device",
                "virtio-9p-pci,fsdev=" + tag + ",mount_tag=" + tag);
    }

    /** Node 0 has a hub, to which the others connect. */
    private void network(int nodes, int node, VmFolders folders) {
        if (node == 0) {
            add("-netdev", "hubport,id=net,hubid=0");
            for (int other = 1; other < nodes; other++) {
                add(
                        "-netdev",
                        stream(other, "on", folders),
                        "-netdev",
                        "hubport,id=hub" + other + ",hubid=0,netdev=link" + other);
            }
        } else {
            add("-netdev", stream(node, "off", folders));
        }
        add(
                "-device",
                String.format(
                        Locale.ROOT,
                        "virtio-net-pci,netdev=%s,romfile=,mac=52:54:00:09:00:%02x",
                        node == 0 ? "net" : "link" + node,
                        1 + node));
    }

    private static String stream(int node, String server, VmFolders folders) {
        return "stream,id=link" + node + ",server=" + server + ",addr.type=unix,addr.path="
                + escaped(link(node, folders));
    }

    /** Where node 0 waits for another one. */
    static Path link(int node, VmFolders folders) {
        return folders.socket("link" + node);
    }

    /** QEMU's options are separated by commas; a comma within one is doubled. */
    private static String escaped(Path path) {
        return path.toString().replace(",", ",,");
    }
}
