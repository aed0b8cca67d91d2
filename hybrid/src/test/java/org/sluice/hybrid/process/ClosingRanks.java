package org.sluice.hybrid.process;

import java.util.Arrays;
import java.util.Map;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;

/** Program of {@link CloseProcessTest}: rank 0 closes in several situations. */
final class ClosingRanks {
    private static final int LARGE = 4 << 20;
    private static final int TAG = 5;
    private static final long FOR_EVER_MS = 60_000;

    private final Device device;

    private ClosingRanks(Device device) {
        this.device = device;
    }

    public static void main(String[] args) throws Exception {
        Device device = Device.open();
        ClosingRanks ranks = new ClosingRanks(device);
        Map<String, Runnable[]> roles = Map.ofEntries(
                Map.entry("early", new Runnable[] {ranks::sendAndClose, ranks::receiveLate}),
                Map.entry("exit", new Runnable[] {ranks::sendCloseAndExit, ranks::receiveLate}),
                Map.entry("unreceived", new Runnable[] {ranks::closeWithOffer, ranks::ignore}),
                Map.entry("to-dead-peer", new Runnable[] {ranks::closeWithOffer, ranks::ignore}),
                Map.entry("posted", new Runnable[] {ranks::closeWithPosted, ranks::receiveFromClosed}),
                Map.entry("unheard", new Runnable[] {() -> ranks.sendAndForget(false), device::close}),
                Map.entry("heard", new Runnable[] {() -> ranks.sendAndForget(true), device::close}),
                Map.entry("abandoned", new Runnable[] {device::close, ranks::receiveFromItself}),
                Map.entry("serving", new Runnable[] {device::close, ranks::serveItself}),
                Map.entry("alone", new Runnable[] {ranks::serveItself}),
                Map.entry("wildcard", new Runnable[] {device::close, ranks::receiveAnyAfterClose}));
        device.barrier();
        roles.get(args[0])[Math.min(device.rank(), 1)].run();
        device.close();
        Say.line("closed at " + System.nanoTime());
    }

    private void sendAndClose() {
        for (int i = 0; i < 20; i++) {
            byte[] data = new byte[i * 500];
            Arrays.fill(data, (byte) i);
            device.send(data, 1, TAG);
        }
        device.close();
        Say.line("early");
    }

    /** Sends that rank 1, which closes, never receives. */
    private void sendAndForget(boolean asks) {
        Request[] sends = new Request[3];
        for (int i = 0; i < sends.length; i++) {
            sends[i] = device.isend(new byte[LARGE], 1, TAG);
        }
        if (asks) {
            Say.failure("send", sends[1]::waitFor);
        }
        device.close();
        Say.line("early");
    }

    private void sendCloseAndExit() {
        sendAndClose();
        Runtime.getRuntime().halt(0);
    }

    /** What was sent before the close stays receivable; what comes then is PEER_CLOSED, for sends too. */
    private void receiveLate() {
        Say.awaitTest("go");
        for (int i = 0; i < 20; i++) {
            byte[] data = new byte[10_000];
            Status status = device.recv(data, i % 2 == 0 ? 0 : Device.ANY_SOURCE, TAG);
            Say.check(status.bytes() == i * 500 && (i == 0 || data[i * 500 - 1] == i), "message " + i + ": " + status);
        }
        receiveFromClosed();
    }

    private void receiveFromClosed() {
        Say.failure("receive", () -> device.recv(new byte[8], 0, TAG));
        Say.failure("send", () -> device.send(new byte[8], 0, TAG));
        Say.failure("probe", () -> device.probe(0, TAG));
        Say.failure("iprobe", () -> device.iprobe(0, TAG));
    }

    private void closeWithOffer() {
        Request request = device.isend(new byte[LARGE], 1, TAG);
        Say.line("closing");
        long start = System.nanoTime();
        try {
            device.close();
        } catch (SluiceException e) {
            Say.line("close failed " + e.code() + " " + e.peer() + " after " + (System.nanoTime() - start) / 1_000_000
                    + " ms");
        }
        Say.check(request.isDone() && request.error() != ErrorCode.NONE, "the send is over: " + request.error());
        Say.line("send " + request.error());
    }

    private void closeWithPosted() {
        Request request = device.irecv(new byte[8], 1, TAG);
        device.close();
        Say.failure("posted", request::waitFor);
    }

    private void receiveAnyAfterClose() {
        Request wild = device.irecv(new byte[8], Device.ANY_SOURCE, TAG);
        Say.failure("receive", () -> device.recv(new byte[8], 0, TAG));
        Say.check(!wild.isDone(), "a clean close ends no wildcard receive");
        device.send(new byte[8], 1, TAG);
        Say.check(wild.waitFor().source() == 1, "the wildcard receive works on");
    }

    /** Which it does only when the test says so. */
    private void receiveFromItself() {
        new Thread(() -> {
                    Say.awaitTest("go");
                    device.send(new byte[8], device.rank(), TAG);
                })
                .start();
        Say.check(device.recv(new byte[8], Device.ANY_SOURCE, TAG).source() == device.rank(), "its own message comes");
    }

    /** As above: its message to the handler comes when the test says so. */
    private void serveItself() {
        device.handlers().register(TAG, (source, message) -> device.handlers().stop());
        new Thread(() -> {
                    Say.awaitTest("go");
                    device.handlers().syncSend(device.rank(), TAG, new byte[8]);
                })
                .start();
        device.handlers().serve();
    }

    private void ignore() {
        try {
            Thread.sleep(FOR_EVER_MS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
