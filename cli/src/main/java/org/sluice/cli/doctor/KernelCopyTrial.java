package org.sluice.cli.doctor;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.jni.Errno;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;
import org.sluice.launch.JavaHome;

/**
 * Finds out whether ranks may read each other's memory, by doing it: a second JVM reads a word of this one. It is that
 * way round because where Yama restricts the call a process may look into its children, but ranks are no children of
 * each other.
 *
 * <p>Thread: one.
 *
 * <p>Fails: never; what went wrong is in the finding.
 *
 * <p>Proof: {@code KernelCopyTrialTest}.
 */
final class KernelCopyTrial {
    private static final String TOPIC = "kernel-assisted copy";
    private static final long SECRET = 0x51c1ce5eaf00dL;
    private static final long PATIENCE_SECONDS = 20;
    private static final String WITHOUT =
            "large direct buffers and arrays have one way less to try: they go through shared memory in two overlapping"
                    + " copies, on some machines the faster way anyway";

    /** The read by another process: how many bytes came, or -errno. */
    interface Reading {
        long read() throws IOException, InterruptedException;
    }

    private final OsCalls os;
    private final Reading reading;

    /** For tests, in which the kernel refuses as they like. */
    KernelCopyTrial(OsCalls os, Reading reading) {
        this.os = os;
        this.reading = reading;
    }

    /** The second JVM: prints how many bytes it could read, or -errno. */
    static final class Reader {
        private Reader() {}

        public static void main(String[] args) {
            ByteBuffer found = ByteBuffer.allocateDirect(Long.BYTES);
            long result = Os.calls()
                    .processVmReadv(
                            Integer.parseInt(args[0]), Memory.address(found), Long.parseLong(args[1]), Long.BYTES);
            boolean same = Memory.getLong(Memory.address(found)) == SECRET;
            System.out.println(result == Long.BYTES && !same ? -Errno.ESRCH : result);
        }
    }

    static Finding examine(Options options) {
        if (!Os.available()) {
            return Finding.information(TOPIC, "not used, because the native library is not loaded");
        }
        if (options.text(Option.SHM_CMA).equals("off")) {
            return Finding.information(
                    TOPIC,
                    "not used: " + Option.SHM_CMA.property() + " is off (" + options.origin(Option.SHM_CMA) + ")");
        }
        return new KernelCopyTrial(Os.calls(), KernelCopyTrial::readFromAnotherJvm).examine();
    }

    Finding examine() {
        try {
            long plain = reading.read();
            if (plain == Long.BYTES) {
                return Finding.ok(TOPIC, "allowed between processes of this user (tried)");
            }
            String refusal = Errno.describe("process_vm_readv", plain) + " (tried)";
            if (plain != -Errno.EPERM) {
                return oneWayLess(refusal, WITHOUT);
            }
            return letsThemIn()
                    ? oneWayLess(
                            refusal,
                            "Yama keeps processes of one user apart: "
                                    + Option.SHM_CMA.property()
                                    + "=on lets the ranks of a job in, or set kernel.yama.ptrace_scope to 0; "
                                    + WITHOUT)
                    : oneWayLess(refusal, "a container allows it with --cap-add=SYS_PTRACE; " + WITHOUT);
        } catch (IOException | NumberFormatException e) {
            return oneWayLess("could not be tried: " + e.getMessage(), WITHOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return oneWayLess("could not be tried: interrupted", WITHOUT);
        }
    }

    /**
     * Not slower: whether the kernel's copy is the faster way is the machine's matter, which ranks find out by trials.
     */
    private static Finding oneWayLess(String text, String advice) {
        return new Finding(Finding.Level.INFORMATION, TOPIC, text, advice);
    }

    /** Whether the refusal is Yama's, which lets in whom the process that is read names. */
    private boolean letsThemIn() throws IOException, InterruptedException {
        if (os.prctlSetPtracer(OsCalls.PTRACER_ANY) != 0) {
            return false;
        }
        try {
            return reading.read() == Long.BYTES;
        } finally {
            os.prctlSetPtracer(0);
        }
    }

    private static long readFromAnotherJvm() throws IOException, InterruptedException {
        ByteBuffer word = ByteBuffer.allocateDirect(Long.BYTES);
        Memory.putLong(Memory.address(word), SECRET);
        JavaHome java = JavaHome.current();
        List<String> command = new ArrayList<>(List.of(java.command(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(java.flags());
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                Reader.class.getName(),
                Long.toString(ProcessHandle.current().pid()),
                Long.toString(Memory.address(word))));
        Process reader = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!reader.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("a second JVM did not end within " + PATIENCE_SECONDS + " s");
            }
            String answer = new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            if (answer.isEmpty()) {
                throw new IOException("a second JVM ended with status " + reader.exitValue() + " and no answer");
            }
            return Long.parseLong(answer);
        } finally {
            reader.destroyForcibly();
            Reference.reachabilityFence(word);
        }
    }
}
