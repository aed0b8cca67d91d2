package org.sluice.cli.vm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * KVM is used where a trial guest reached user space under it, and the trial is made once for one kernel of host and
 * guest and one QEMU.
 */
final class AcceleratorTest {
    @TempDir
    private Path folder;

    private Path device;
    private Path qemu;
    private VmFolders folders;
    private int trials;

    @BeforeEach
    void machine() throws IOException {
        Files.createDirectories(folder.resolve(".build/vm/kernel"));
        guestKernel("6.12.1");
        folders = VmFolders.create(folder);
        device = Files.createFile(folder.resolve("kvm"));
        qemu = Files.createFile(folder.resolve("qemu"));
    }

    @AfterEach
    void close() {
        folders.close();
    }

    private void guestKernel(String version) throws IOException {
        Files.writeString(folder.resolve(".build/vm/kernel/version"), version + "\n");
    }

    private Accelerator choose(boolean reaches) throws IOException, InterruptedException {
        return Accelerator.choose(folders, device, qemu, () -> {
            trials++;
            return reaches;
        });
    }

    @Test
    void theAnswerOfTheTrialIsUsedAndRemembered() throws IOException, InterruptedException {
        assertEquals(Accelerator.KVM, choose(true));
        assertEquals(Accelerator.KVM, choose(false), "as was remembered");
        assertEquals(1, trials);
    }

    /** A guest's kernel may die under KVM although the device opens. */
    @Test
    void theAnswerNoIsRememberedToo() throws IOException, InterruptedException {
        assertEquals(Accelerator.TCG, choose(false));
        assertEquals(Accelerator.TCG, choose(true));
        assertEquals(1, trials);
    }

    @Test
    void anotherGuestKernelIsTriedAnew() throws IOException, InterruptedException {
        choose(false);
        guestKernel("6.12.2");
        assertEquals(Accelerator.KVM, choose(true));
        assertEquals(2, trials);
    }

    @Test
    void anotherQemuIsTriedAnew() throws IOException, InterruptedException {
        choose(true);
        Files.setLastModifiedTime(qemu, FileTime.fromMillis(1));
        assertEquals(Accelerator.TCG, choose(false));
        assertEquals(2, trials);
    }

    @Test
    void whatCantBeReadIsNoAnswer() throws IOException, InterruptedException {
        choose(true);
        List<String> lines = Files.readAllLines(folders.accelerator());
        Files.write(folders.accelerator(), List.of(lines.get(0), "KV"));
        assertEquals(Accelerator.TCG, choose(false));
        assertEquals(2, trials);
    }

    @Test
    void withoutADeviceNothingIsTriedOrRemembered() throws IOException, InterruptedException {
        Files.delete(device);
        assertEquals(Accelerator.TCG, choose(true));
        assertEquals(0, trials);
        assertFalse(Files.exists(folders.accelerator()));
    }

    private boolean trial(String script) throws IOException, InterruptedException {
        Path console = folders.console("trial");
        return Accelerator.trial(
                List.of("/bin/sh", "-c", script, "sh", console.toString()), console, folders.qemuLog("trial"));
    }

    @Test
    void onlyTheGuestsOwnWordProvesThatItReachedUserSpace() throws IOException, InterruptedException {
        assertTrue(trial("printf 'noise \\377\\nsluice-vm: user space reached\\n' > \"$1\"; exit 1"));
        assertFalse(trial("echo 'Kernel panic' > \"$1\""));
        Files.delete(folders.console("trial"));
        assertFalse(trial("exit 0"), "no console at all");
    }

    /** QEMU stays after that, for somebody to look at it. */
    @Test
    void anEmulationFailureEndsTheTrial() throws IOException, InterruptedException {
        long began = System.nanoTime();
        assertFalse(trial("echo 'KVM internal error. Suberror: 1' >&2; exec sleep 60"));
        assertTrue(System.nanoTime() - began < TimeUnit.SECONDS.toNanos(25), "it ends before its time is up");
    }
}
