package org.sluice.cli.vm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What QEMU is told: which folders may be written to, and who is connected to whom. */
final class QemuCommandTest {
    @TempDir
    private Path folder;

    private List<String> command(String home, int nodes, int node) throws IOException {
        Path checkout = folder.resolve(home);
        Files.createDirectories(checkout.resolve(".build/vm/kernel"));
        Files.writeString(checkout.resolve(".build/vm/kernel/version"), "6.12.1\n");
        VmFolders folders = VmFolders.create(checkout);
        try {
            VmRequest request =
                    new VmRequest(checkout, nodes, 0, FaultPlan.NONE, 0, checkout, Map.of(), List.of("true"));
            return QemuCommand.guest(
                    request, node, folders, Accelerator.TCG, new HostShare(3, 2000), OptionalLong.of(2_596_146));
        } finally {
            folders.close();
        }
    }

    private static List<String> behind(String flag, List<String> command) {
        return IntStream.range(1, command.size())
                .filter(i -> command.get(i - 1).equals(flag))
                .mapToObj(command::get)
                .toList();
    }

    @Test
    void onlyOneFolderCanBeWrittenTo() throws IOException {
        List<String> folders = behind("-fsdev", command("home", 1, 0));
        List<String> writable = folders.stream()
                .filter(option -> !option.contains("readonly=on"))
                .toList();
        assertEquals(3, folders.size());
        assertEquals(1, writable.size(), writable.toString());
        assertTrue(writable.get(0).endsWith(",path=" + folder + "/home/.build/vm/out"), writable.get(0));
    }

    /** A guest on a loaded host panicked now and then: "IO-APIC + timer doesn't work!". */
    @Test
    void theKernelDoesNotJudgeItsTimer() throws IOException {
        assertTrue(behind("-append", command("home", 1, 0)).get(0).contains(" no_timer_check "));
    }

    /**
     * After a minute or two it held its counter for unstable, and a reading of the clock took a system call and an
     * emulated device.
     */
    @Test
    void theKernelTrustsAnEmulatedCounter() throws IOException {
        String parameters = behind("-append", command("home", 1, 0)).get(0);
        assertEquals(
                List.of("tsc=reliable"),
                List.of(parameters.split(" ")).stream()
                        .filter(word -> word.startsWith("tsc="))
                        .toList());
    }

    /** On a busy host it found out something else, and its seconds were too short. */
    @Test
    void theKernelIsToldHowFastTheCounterIs() throws IOException {
        String parameters = behind("-append", command("home", 1, 0)).get(0);
        assertTrue(List.of(parameters.split(" ")).contains("tsc_early_khz=2596146"), parameters);
    }

    @Test
    void aCommaInAPathIsDoubled() throws IOException {
        List<String> folders = behind("-fsdev", command("a,b", 1, 0));
        assertTrue(
                folders.stream().anyMatch(option -> option.endsWith(",path=" + folder + "/a,,b/.build/vm/out")),
                folders.toString());
    }

    @Test
    void socketsOfADeepCheckoutHaveShortNames() throws IOException {
        List<String> sockets = behind("-chardev", command("d".repeat(100), 1, 0));
        assertEquals(3, sockets.size());
        for (String socket : sockets) {
            assertTrue(socket.substring(socket.indexOf("path=") + 5).length() <= 107, socket);
        }
    }

    @Test
    void theOthersConnectToTheFirst() throws IOException {
        assertEquals(List.of(), behind("-netdev", command("home", 1, 0)));
        List<String> first = behind("-netdev", command("home", 3, 0));
        assertEquals(
                2,
                first.stream()
                        .filter(option -> option.startsWith("stream,") && option.contains("server=on"))
                        .count());
        assertEquals(
                3,
                first.stream().filter(option -> option.startsWith("hubport,")).count());
        List<String> last = behind("-netdev", command("home", 3, 2));
        assertEquals(1, last.size());
        assertTrue(
                last.get(0).startsWith("stream,id=link2,server=off,")
                        && last.get(0).endsWith("/link2"),
                last.get(0));
    }

    @Test
    void nodesHaveAddressesOfTheirOwn() throws IOException {
        String first = behind("-device", command("home", 2, 0)).stream()
                .filter(device -> device.contains("mac="))
                .findFirst()
                .orElseThrow();
        String second = behind("-device", command("home", 2, 1)).stream()
                .filter(device -> device.contains("mac="))
                .findFirst()
                .orElseThrow();
        assertTrue(first.endsWith("mac=52:54:00:09:00:01"), first);
        assertTrue(second.endsWith("mac=52:54:00:09:00:02"), second);
    }

    @Test
    void theGuestGetsItsShareOfTheHost() throws IOException {
        List<String> command = command("home", 1, 0);
        assertEquals(List.of("3"), behind("-smp", command));
        assertEquals(List.of("2000M"), behind("-m", command));
        assertFalse(command.contains("kvm"), command.toString());
    }
}
