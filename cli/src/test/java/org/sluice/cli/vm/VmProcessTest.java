package org.sluice.cli.vm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.cli.Main;
import org.sluice.launch.JavaHome;

/** Real guests: what a command prints, writes and returns there comes back, and no guest outlives its run. */
@Tag("all")
@Tag("vm")
@Timeout(400)
final class VmProcessTest {
    private static final long LONGEST_MS = 120_000;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Path home = Path.of(System.getProperty("sluice.root"));
    private final Path file = home.resolve(".build/vm/out/vm-process-test");

    private VmRun vm(int nodes, String fault, int timeoutS, String script) {
        FaultPlan faults = fault == null ? FaultPlan.NONE : FaultPlan.parse(fault, nodes);
        VmRequest request =
                new VmRequest(home, nodes, 0, faults, timeoutS, home, Map.of(), List.of("/bin/bash", "-c", script));
        PrintStream to = new PrintStream(out, true);
        PrintStream errorsTo = new PrintStream(err, true);
        return new VmRun(request, nodes == 1 ? GuestOutput.plain(to, errorsTo) : GuestOutput.prefixed(to, errorsTo));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String both() {
        return "out: " + out() + "\nerr: " + err.toString(StandardCharsets.UTF_8);
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        Files.deleteIfExists(file);
        assertTrue(ProcessHandle.current().descendants().noneMatch(ProcessHandle::isAlive), "a process was left");
    }

    /** Boot, command and shutdown take less than a minute; other guests may have the cores meanwhile. */
    @Test
    void statusOutputAndFilesComeBack() throws Exception {
        long start = System.nanoTime();
        int status = vm(1, null, 0, """
            cat /sys/class/infiniband/rxe0/ports/1/state
            echo to the error stream >/dev/stderr
            ulimit -l
            pwd
            before=$(date +%%s); host=$(cat /sys/class/rtc/rtc0/since_epoch); after=$(date +%%s)
            if [ $before -le $((host + 2)) ] && [ $host -le $((after + 2)) ]; then
                echo time is as the host has it
            else
                echo $before $host $after
            fi
            seq 200000 | tail -c 1000000
            echo written >"$SLUICE_VM_OUT/vm-process-test"
            echo lost >"%s/.build/vm/lost"
            sleep 1000 &
            exit 7
            """.formatted(home)).run();
        long tookMs = (System.nanoTime() - start) / 1_000_000;
        System.out.println("boot, command and shutdown took " + tookMs + " ms");
        assertTrue(tookMs < LONGEST_MS, "boot, command and shutdown took " + tookMs + " ms");
        assertEquals(7, status, this::both);
        List<String> lines = out().lines().toList();
        assertEquals(
                List.of("4: ACTIVE", "unlimited", home.toString(), "time is as the host has it"), lines.subList(0, 4));
        assertEquals("200000", lines.get(lines.size() - 1));
        assertEquals(
                1_000_000, String.join("\n", lines.subList(4, lines.size())).length() + 1);
        assertEquals("to the error stream\n", err.toString(StandardCharsets.UTF_8));
        assertEquals("written\n", Files.readString(file));
        assertFalse(Files.exists(home.resolve(".build/vm/lost")), "only the one folder can be written to");
    }

    @Tag("long")
    @Test
    void aPanicIsAnErrorWithTheLog() {
        VmFailure failure = assertThrows(
                VmFailure.class,
                () -> vm(1, null, 0, "echo c >/proc/sysrq-trigger; sleep 100").run());
        assertTrue(failure.getMessage().contains("ended before its command did"), failure.getMessage());
        assertTrue(failure.getMessage().contains("Kernel panic"), failure.getMessage());
    }

    @Test
    void aCommandThatTakesTooLongIsEnded() {
        // Long enough for a guest on busy cores to say that it has begun.
        VmTimeout timeout = assertThrows(
                VmTimeout.class, () -> vm(1, null, 15, "echo begun; sleep 1000").run());
        assertTrue(timeout.getMessage().contains("--timeout 15"), timeout.getMessage());
        assertEquals("begun\n", out());
    }

    /** Nobody can clean up then but the kernel. */
    @Test
    void aKilledCommandLeavesNoGuest() throws Exception {
        Process process = new ProcessBuilder(
                        JavaHome.current().command(),
                        "-Dsluice.home=" + home,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "vm",
                        "--",
                        "sleep",
                        "1000")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            ProcessHandle qemu = null;
            for (int tries = 0; qemu == null; tries++) {
                assertTrue(tries < 600 && process.isAlive(), "no guest was started");
                Thread.sleep(50);
                qemu = process.descendants()
                        .filter(child -> child.info().command().orElse("").endsWith("qemu-system-x86_64"))
                        .findFirst()
                        .orElse(null);
            }
            process.destroyForcibly();
            qemu.onExit().get(20, TimeUnit.SECONDS);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            process.waitFor();
        }
    }

    /** The second is cut off at first; then numbered datagrams come to it, doubled and out of their order. */
    @Tag("long")
    @Test
    void twoNodesMeetAndTheFirstStatusThatIsNotZeroCounts() throws Exception {
        int status = vm(2, "delay=20ms,duplicate=20%,reorder=30%,unplug=1@1ms,down=1,up=1@3s", 300, """
            if [ $SLUICE_VM_NODE = 0 ]; then
                until (exec 3<>/dev/tcp/10.9.0.2/7000) 2>/dev/null; do sleep 0.2; done
                perl -MSocket -e 'socket(U, PF_INET, SOCK_DGRAM, 0);
                    send(U, $_, 0, sockaddr_in(7001, inet_aton("10.9.0.2"))) for 1 .. 200'
                echo met
                exit 0
            fi
            grep -q 0x1002 /sys/class/net/d0/flags && echo down
            until [ ! -e /sys/class/infiniband/rxe0 ]; do sleep 0.1; done
            perl -MSocket -e 'socket(S, PF_INET, SOCK_STREAM, 0); setsockopt(S, SOL_SOCKET, SO_REUSEADDR, 1);
                socket(U, PF_INET, SOCK_DGRAM, 0); bind(U, sockaddr_in(7001, INADDR_ANY));
                bind(S, sockaddr_in(7000, INADDR_ANY)); listen(S, 1); accept(C, S);
                while () {
                    $ready = ""; vec($ready, fileno(U), 1) = 1;
                    # The sender may take long to start.
                    select($ready, undef, undef, %seen ? 2 : 60) or last;
                    recv(U, $number, 9, 0);
                    $overtaken = " overtaken" if $number < $highest;
                    $highest = $number if $number > $highest;
                    $doubled = " doubled" if $seen{$number}++;
                }
                print "came$doubled$overtaken\n"'
            echo unplugged
            exit 5
            """)
                .run();
        assertEquals(5, status, this::both);
        assertEquals(
                List.of("[0] met", "[1] came doubled overtaken", "[1] down", "[1] unplugged"),
                out().lines().sorted().toList(),
                this::both);
    }

    @Tag("long")
    @Test
    void lossAndDelayReachTheDeviceAndAGuestCanDie() throws Exception {
        int status = vm(2, "delay=20ms,loss=10%,off=1@25s", 240, """
            if [ $SLUICE_VM_NODE = 1 ]; then
                # With so much loss the two may lose each other before they have begun.
                while :; do ib_send_lat -d rxe0 -x 1 -n 20 -p 7001 >/dev/null 2>&1; done
            fi
            until ib_send_lat -d rxe0 -x 1 -n 20 -p 7001 10.9.0.2 >/tmp/lat 2>&1; do sleep 0.2; done
            awk '$2 == 20 { print ($3 >= 20000 ? "slow" : "fast " $3) }' /tmp/lat
            until ! timeout 2 bash -c 'exec 3<>/dev/tcp/10.9.0.2/22' 2>&1 | grep -q refused; do sleep 0.2; done
            echo gone
            """).run();
        assertEquals(0, status, this::both);
        assertEquals(List.of("[0] slow", "[0] gone"), out().lines().toList(), this::both);
    }
}
