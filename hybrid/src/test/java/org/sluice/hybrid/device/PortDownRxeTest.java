package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.hybrid.device.DeviceCases.assertFails;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;

/** The port of an RDMA device of its own goes down: nothing that was accepted is lost in silence. */
@Tag("all")
@Tag("verbs")
final class PortDownRxeTest {
    private static final String NETDEV = "d80";
    private static final String DEVICE = "rxe80";
    private static final String ADDRESS = "10.97.80.1";
    private static final int TAG = 4;
    private static final String PORT_DOWN = "the port of this rank's RDMA device is down";

    private static void run(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-c", command)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), command + ": " + output);
    }

    @BeforeEach
    void makeDevice() throws Exception {
        run("ip link add " + NETDEV + " type dummy && ip addr add " + ADDRESS + "/24 dev " + NETDEV + " && ip link set "
                + NETDEV
                + " up && rdma link add " + DEVICE + " type rxe netdev " + NETDEV
                // Its addresses come a moment later.
                + " || exit 1; tries=200; until grep -qs 'RoCE v2' /sys/class/infiniband/" + DEVICE
                + "/ports/1/gid_attrs/types/1; do sleep 0.05; "
                + "[ $((tries -= 1)) -gt 0 ] || exit 1; done");
    }

    /** Who deletes it waits until no process has it open: until this one ends. */
    @AfterEach
    void removeDevice() throws Exception {
        new ProcessBuilder(
                        "sh",
                        "-c",
                        "ip link set " + NETDEV + " down; rdma link delete " + DEVICE + "; ip link delete " + NETDEV)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    @Test
    void whoCanBeToldIsTold() {
        try (DeviceJob job = DeviceJob.open(
                2, Map.of("sluice.channels", "ib", "sluice.ib.address", ADDRESS, "sluice.ib.device", DEVICE))) {
            job.run(this::sendAndClose, this::waitForIt);
        }
    }

    /** No request is left that could fail, so close tells. */
    private void sendAndClose(Device device) throws Exception {
        device.send(new byte[8], 1, TAG);
        device.barrier();
        run("ip link set " + NETDEV + " down");
        device.send(new byte[8], 1, TAG);
        SluiceException told = assertFails(ErrorCode.PEER_DEAD, device::close);
        assertEquals(1, told.peer());
        assertTrue(
                told.getMessage().contains("what was sent to rank 1 last may not have arrived: ")
                        && told.getMessage().contains(PORT_DOWN),
                told.getMessage());
    }

    private void waitForIt(Device device) {
        device.recv(new byte[8], 0, TAG);
        Request pending = device.irecv(new byte[8], 0, TAG);
        device.barrier();
        assertFails(ErrorCode.PEER_DEAD, pending::waitFor);
        // It was told, and has sent nothing.
        device.close();
    }
}
