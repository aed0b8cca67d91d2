package xdev.mxdev;

import java.nio.ByteBuffer;
import mpjbuf.Buffer;
import mpjdev.Status;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.layer.LayerPromise;
import org.sluice.device.layer.LayerRequest;
import org.sluice.device.layer.LayerTaking;

/**
 * A receive that may get objects: how many bytes they have is known once their message is there. They come while this
 * rank waits for something else, so that no sender waits for the wait for this.
 *
 * <p><i>Thread</i>: whichever leaves the device goes on with it.
 */
final class TakenReceive extends Pending {
    private final Buffer buffer;
    private LayerTaking taking;
    private LayerRequest receiving;
    private LayerPromise promise;

    /** What doesn't fit in the static part, or null. Written before {@link #promise} is over, as the next. */
    private byte[] all;
    /** Why the message isn't taken; it is consumed then. */
    private Throwable refusal;

    TakenReceive(Wire wire, Buffer buffer, Status status, int tag) {
        super(wire, status, tag);
        this.buffer = buffer;
    }

    TakenReceive begin(int source, int space) {
        wire.takes.incrementAndGet();
        try {
            taking = wire.layer.take(source, Wire.tagToReceive(tag), space, null);
        } catch (RuntimeException e) {
            wire.takes.decrementAndGet();
            throw e;
        }
        receiving = wire.layer.request(over -> received());
        promise = wire.layer.promise(space, taking::cancel);
        if (!wire.layer.listen(taking, this::taken)) {
            taken();
        }
        return this;
    }

    /** The message is this one's, or none will be. */
    private void taken() {
        wire.takes.decrementAndGet();
        org.sluice.device.Status found = new org.sluice.device.Status();
        try {
            taking.waitFor(found);
            ByteBuffer part = Contents.staticPart(buffer);
            boolean fits = found.bytes() <= part.capacity() - buffer.offset();
            if (!fits) {
                all = room(found.bytes());
            }
            if (wire.layer.irecv(
                    receiving,
                    taking.message(),
                    fits ? part : all,
                    fits ? buffer.offset() : 0,
                    fits ? found.bytes() : all.length)) {
                received();
            }
        } catch (SluiceException e) {
            promise.fail(e.code(), e.peer(), e.getMessage(), e, found, 1);
        }
    }

    private byte[] room(long bytes) {
        try {
            return new byte[Math.toIntExact(bytes)];
        } catch (ArithmeticException | OutOfMemoryError e) {
            refusal = e;
            return new byte[0];
        }
    }

    private void received() {
        org.sluice.device.Status of = new org.sluice.device.Status();
        try {
            receiving.waitFor(of);
        } catch (SluiceException e) {
            if (refusal == null || e.code() != ErrorCode.TRUNCATED) {
                promise.fail(e.code(), e.peer(), e.getMessage(), e, of, 1);
                return;
            }
        }
        promise.succeed(of.source(), of.tag(), of.bytes(), 1);
    }

    @Override
    Request request() {
        return promise;
    }

    @Override
    void ended(org.sluice.device.Status of) {
        if (refusal != null) {
            throw Wire.failure(new IllegalStateException(
                    "there is no memory for a message of " + of.bytes() + " bytes from rank " + of.source(), refusal));
        }
        if (all == null) {
            Contents.received(buffer, (int) of.bytes());
        } else {
            Contents.received(buffer, all);
        }
        wire.told(status, of, tag, buffer);
    }

    /** True when it is withdrawn, as no message has matched it. */
    @Override
    public boolean cancel() {
        return promise.cancel();
    }
}
