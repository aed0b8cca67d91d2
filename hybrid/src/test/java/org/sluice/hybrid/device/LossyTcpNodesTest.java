package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * TCP over a wire between two guests that loses, doubles, delays and reorders what passes: every byte arrives, in
 * order, once. A case whose wire did nothing fails. {@code BadDaysNodesTest} has the same between machines out of
 * namespaces, if their kernel has netem.
 */
@Tag("all")
@Tag("verbs-nodes")
final class LossyTcpNodesTest {
    @RegisterExtension
    static final TwoNodes NODES = new TwoNodes();

    private static final int MESSAGES = 60;
    private static final int ROUNDS = 5;
    private static final int SEEN_TAG = 12;
    private static final long LIMIT_S = 40L * Integer.getInteger("sluice.test.patience", 1);
    private static final long SEED = 20_253;

    @AfterEach
    void mend() throws Exception {
        Wire.mend();
    }

    /** The proofs are the kernel's: segments that were sent again, and that came before others. */
    @ParameterizedTest
    @CsvSource({
        "loss 2%, snmp, RetransSegs",
        "delay 2ms 1ms reorder 30%, netstat, TCPOFOQueue",
        "loss 1% duplicate 2% delay 1ms reorder 2%, netstat, TCPOFOQueue"
    })
    void everyByteArrivesInOrderOnce(String fault, String file, String proof) throws Exception {
        long before = happened(file, proof);
        AtomicBoolean proven = new AtomicBoolean();
        try (DeviceJob job = DeviceJob.open(2, Map.of("sluice.channels", "tcp"), NODES)) {
            Wire.spoil(fault);
            // Packets may all be lucky: then once more, at both ends.
            for (int round = 0; round < ROUNDS && !proven.get(); round++) {
                RankBody body = device -> {
                    int other = 1 - device.rank();
                    ProbeCases.threads(2, thread -> {
                        if (thread == 0) {
                            new CheckedTraffic(SEED + device.rank() * MESSAGES, MESSAGES).send(device, other);
                        } else {
                            new CheckedTraffic(SEED + other * MESSAGES, MESSAGES).receive(device, other);
                        }
                    });
                    long[] seen = {happened(file, proof) - before};
                    long[] others = new long[1];
                    device.send(seen, other, SEEN_TAG);
                    device.recv(others, other, SEEN_TAG);
                    System.out.println("node " + NODES.node() + ", " + fault + ": " + proof + " " + seen[0]);
                    proven.set(seen[0] > 0 && others[0] > 0);
                };
                job.run(LIMIT_S, body, body);
            }
            assertTrue(proven.get(), "nothing happened to the packets of one end: " + proof + " is 0\n" + Wire.state());
        }
    }

    /** What the kernel of this guest has counted under that name, in a file that has pairs of lines: names, numbers. */
    private static long happened(String file, String name) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/net", file));
        for (int i = 0; i + 1 < lines.size(); i += 2) {
            int at = Arrays.asList(lines.get(i).split(" ")).indexOf(name);
            if (at > 0) {
                return Long.parseLong(lines.get(i + 1).split(" ")[at]);
            }
        }
        throw new AssertionError("the kernel does not count " + name);
    }
}
