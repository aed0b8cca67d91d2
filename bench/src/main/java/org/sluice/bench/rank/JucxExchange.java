package org.sluice.bench.rank;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpRequestParams;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;
import org.openucx.jucx.ucs.UcsConstants;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Step;

/**
 * UCX by its own Java interface: messages with a tag, begun by {@link #post} and {@link #expect}, out of direct
 * buffers.
 */
final class JucxExchange implements Exchange {
    private static final long DATA_TAG = 1;
    private static final long ANSWER_TAG = 2;
    private static final long WHOLE_TAG = -1;
    private static final int SLACK = 4;
    private static final long MEET_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * Whatever UCX is loaded is told: one older than the interface takes "unknown", which this would say by itself, for
     * a mistake.
     */
    private final UcpRequestParams inMemory =
            new UcpRequestParams().setMemoryType(UcsConstants.MEMORY_TYPE.UCS_MEMORY_TYPE_HOST);

    private final Payloads payloads = new Payloads(BufferKind.DIRECT, null);
    private final UcpContext context;
    private final UcpWorker worker;
    private final UcpEndpoint peer;
    private final ByteBuffer answer = ByteBuffer.allocateDirect(1);
    private final long answerAt = UcxUtils.getAddress(answer);
    private UcpRequest[] sends = new UcpRequest[0];
    private UcpRequest[] receives = new UcpRequest[0];
    private int sending;
    private int receiving;
    private long outgoingAt;
    private long incomingAt;
    private int size;

    /** @param folder that both ranks share, and that one of them makes */
    JucxExchange(Path folder, int rank) {
        context = new UcpContext(new UcpParams().requestTagFeature());
        worker = context.newWorker(new UcpWorkerParams());
        peer = worker.newEndpoint(new UcpEndpointParams().setUcpAddress(meet(folder, rank, worker.getAddress())));
    }

    private static ByteBuffer meet(Path folder, int rank, ByteBuffer address) {
        byte[] own = new byte[address.remaining()];
        address.duplicate().get(own);
        try {
            Files.createDirectories(folder);
            Path unnamed = folder.resolve("new" + rank);
            Files.write(unnamed, own);
            // Under its name it is never seen half written.
            Files.move(unnamed, folder.resolve("address" + rank));
            byte[] other = await(folder.resolve("address" + (1 - rank)));
            return ByteBuffer.allocateDirect(other.length).put(other).flip();
        } catch (IOException e) {
            throw new UncheckedIOException("the ranks could not exchange their addresses in " + folder, e);
        }
    }

    private static byte[] await(Path file) throws IOException {
        long end = System.nanoTime() + MEET_NS;
        while (true) {
            try {
                return Files.readAllBytes(file);
            } catch (NoSuchFileException e) {
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
                LockSupport.parkNanos(LOOK_NS);
            }
        }
    }

    @Override
    public void prepare(Step step) {
        payloads.prepare(step);
        outgoingAt = UcxUtils.getAddress(payloads.outgoing());
        incomingAt = UcxUtils.getAddress(payloads.incoming());
        size = step.size();
        sends = new UcpRequest[step.window() + SLACK];
        receives = new UcpRequest[step.window() + SLACK];
    }

    @Override
    public ByteBuffer outgoing() {
        return payloads.outgoing();
    }

    @Override
    public ByteBuffer incoming() {
        return payloads.incoming();
    }

    @Override
    public void post(int rank, int slot) {
        sends[sending++] = peer.sendTaggedNonBlocking(outgoingAt + (long) slot * size, size, DATA_TAG, null, inMemory);
    }

    @Override
    public void expect(int rank, int slot) {
        receives[receiving++] = worker.recvTaggedNonBlocking(
                incomingAt + (long) slot * size, size, DATA_TAG, WHOLE_TAG, null, inMemory);
    }

    @Override
    public void finish() {
        for (int i = 0; i < receiving; i++) {
            await(receives[i]);
            if (receives[i].getRecvSize() != size) {
                throw new IllegalStateException(
                        "received " + receives[i].getRecvSize() + " B where " + size + " B were sent");
            }
            receives[i] = null;
        }
        receiving = 0;
        for (int i = 0; i < sending; i++) {
            await(sends[i]);
            sends[i] = null;
        }
        sending = 0;
    }

    private void await(UcpRequest request) {
        try {
            while (!request.isCompleted()) {
                worker.progress();
            }
        } catch (Exception e) {
            throw new IllegalStateException("UCX could not go on: " + e.getMessage(), e);
        }
        if (request.getStatus() != UcsConstants.STATUS.UCS_OK) {
            throw new IllegalStateException("UCX ended a request with status " + request.getStatus());
        }
    }

    @Override
    public void acknowledge(int rank) {
        await(peer.sendTaggedNonBlocking(answerAt, 1, ANSWER_TAG, null, inMemory));
    }

    @Override
    public void awaitAcknowledge(int rank) {
        await(worker.recvTaggedNonBlocking(answerAt, 1, ANSWER_TAG, WHOLE_TAG, null, inMemory));
    }

    @Override
    public void close() {
        peer.close();
        worker.close();
        context.close();
        payloads.close();
    }
}
