package org.sluice.tcp.stream;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.security.cert.Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/**
 * TLS between a connection and its socket. It has blocks only while something waits in them, as the connection itself.
 *
 * <p><i>Thread</i>: {@link #handshake} one; afterwards one that reads and one that writes. <i>Owns</i>: its blocks.
 * <i>Fails</i>: {@link IOException}; what was changed on its way is never handed up. <i>Proof</i>:
 * {@code TlsChannelTest}, {@code TlsTest}.
 */
final class TlsLayer {
    /** Encrypted at once, so that the peer begins to read while the rest is still encrypted. */
    private static final int BATCH_BYTES = 64 << 10;

    /** A handshake is a few kilobytes: who sends more, perhaps for ever, sends none. */
    private static final int HANDSHAKE_BYTES = 64 << 10;

    private static final ByteBuffer[] NOTHING = {ByteBuffer.allocate(0)};

    private final SocketChannel socket;
    private final SSLEngine engine;
    private final Blocks blocks;
    private final int recordBytes;

    /** Came from the socket; null if empty. */
    private Blocks.Block received;
    /** Decrypted, for a reader with less room than a record takes; null if empty. */
    private Blocks.Block plain;
    /** Of {@link #received}: no whole record. */
    private boolean isPartial = true;
    /** The socket had no more when it was last read. */
    private boolean isDry;

    private boolean isEnded;
    /** What it met behind bytes that it has handed up; null if nothing. */
    private IOException failed;

    private boolean hasBegun;
    private boolean isOpen;
    private int handshakeBytes;
    /** Encrypted, and not written; null if empty. */
    private Blocks.Block unsent;

    TlsLayer(SocketChannel socket, SSLEngine engine, Blocks blocks) {
        this.socket = socket;
        this.engine = engine;
        this.blocks = blocks;
        this.recordBytes = engine.getSession().getPacketBufferSize();
    }

    boolean handshake() throws IOException {
        try {
            return advance();
        } catch (SSLException e) {
            tellWhy();
            throw e;
        } catch (RuntimeException | StackOverflowError e) {
            // Anybody's bytes are read here, and certificates among them: that ends this attempt and nothing else.
            throw new SSLException("it sent what TLS can't be: " + e, e);
        }
    }

    /** Half a dozen messages; what they take to compute is done here, some milliseconds in all. */
    private boolean advance() throws IOException {
        if (!hasBegun) {
            hasBegun = true;
            engine.beginHandshake();
        }
        isDry = false;
        while (true) {
            if (unsent != null && !push()) {
                return false;
            }
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK:
                    for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                        task.run();
                    }
                    break;
                case NEED_WRAP:
                    wrap(NOTHING, 1);
                    break;
                case NEED_UNWRAP:
                case NEED_UNWRAP_AGAIN:
                    if (isPartial && !fill()) {
                        if (isEnded) {
                            throw new EOFException("it closed the connection");
                        }
                        return false;
                    }
                    unwrapNothing();
                    break;
                case NOT_HANDSHAKING:
                    if (engine.isInboundDone()) {
                        throw new EOFException("it closed the connection");
                    }
                    isOpen = true;
                    return true;
                default:
                    break;
            }
        }
    }

    /** The engine has what to say to a peer that it refuses; best effort, as nothing follows. */
    private void tellWhy() {
        try {
            wrap(NOTHING, 1);
            push();
        } catch (IOException e) {
            // It can't be told then.
        }
    }

    private void unwrapNothing() throws SSLException {
        Blocks.Block none = blocks.take();
        try {
            none.buffer.clear();
            unwrap(none.buffer);
        } finally {
            blocks.give(none);
        }
    }

    Certificate peer() throws IOException {
        return engine.getSession().getPeerCertificates()[0];
    }

    int read(ByteBuffer into) throws IOException {
        if (failed != null) {
            throw failed;
        }
        int from = into.position();
        isDry = false;
        try {
            readRecords(into);
        } catch (IOException e) {
            if (into.position() == from) {
                throw e;
            }
            // What had come whole before is the caller's first.
            failed = e;
        }
        int read = into.position() - from;
        return read == 0 && isEnded ? -1 : read;
    }

    private void readRecords(ByteBuffer into) throws IOException {
        while (true) {
            if (plain != null) {
                move(into);
            }
            if (!into.hasRemaining() || isPartial && !fill()) {
                return;
            }
            decrypt(into);
        }
    }

    private void decrypt(ByteBuffer into) throws IOException {
        try {
            SSLEngineResult result = into.remaining() >= recordBytes ? unwrap(into) : unwrapAside();
            if (result.getStatus() == SSLEngineResult.Status.OK && result.bytesConsumed() == 0) {
                throw new SSLException("TLS reads nothing: " + result);
            }
        } catch (SSLException e) {
            throw new IOException(
                    "TLS refuses what came, which may have been changed on its way: " + e.getMessage(), e);
        }
    }

    /** To {@link #plain}, or nowhere. */
    private SSLEngineResult unwrapAside() throws SSLException {
        Blocks.Block block = blocks.take();
        block.buffer.clear();
        try {
            return unwrap(block.buffer);
        } catch (SSLException e) {
            block.buffer.clear();
            throw e;
        } finally {
            block.buffer.flip();
            if (block.buffer.hasRemaining()) {
                plain = block;
            } else {
                blocks.give(block);
            }
        }
    }

    /** One record. */
    private SSLEngineResult unwrap(ByteBuffer into) throws SSLException {
        SSLEngineResult result = engine.unwrap(received.buffer, into);
        switch (result.getStatus()) {
            case BUFFER_UNDERFLOW:
                isPartial = true;
                break;
            case BUFFER_OVERFLOW:
                throw new SSLException("a record of more than " + recordBytes + " bytes");
            case CLOSED:
                isEnded = true;
                isPartial = true;
                break;
            default:
                break;
        }
        if (!received.buffer.hasRemaining()) {
            blocks.give(received);
            received = null;
            isPartial = true;
        }
        return result;
    }

    private void move(ByteBuffer into) {
        ByteBuffer from = plain.buffer;
        int end = from.limit();
        from.limit(from.position() + Math.min(from.remaining(), into.remaining()));
        into.put(from);
        from.limit(end);
        if (!from.hasRemaining()) {
            blocks.give(plain);
            plain = null;
        }
    }

    /** @return whether something has come */
    private boolean fill() throws IOException {
        if (isDry || isEnded) {
            return false;
        }
        if (received == null) {
            received = blocks.take();
        }
        ByteBuffer buffer = received.buffer.compact();
        int read = socket.read(buffer);
        isDry = buffer.hasRemaining();
        buffer.flip();
        isEnded = read < 0;
        isPartial = read <= 0;
        handshakeBytes += isOpen ? 0 : Math.max(0, read);
        if (handshakeBytes > HANDSHAKE_BYTES) {
            throw new SSLException("more than " + HANDSHAKE_BYTES + " bytes, and still no key");
        }
        if (!buffer.hasRemaining()) {
            blocks.give(received);
            received = null;
        }
        return read > 0;
    }

    boolean hasMore() {
        return plain != null || !isPartial || failed != null;
    }

    long write(ByteBuffer[] buffers, int count) throws IOException {
        long sent = 0;
        while (true) {
            if (unsent != null) {
                int before = unsent.buffer.position();
                int end = unsent.buffer.limit();
                boolean isAll = push();
                sent += (isAll ? end : unsent.buffer.position()) - before;
                if (!isAll) {
                    return sent;
                }
            }
            // They are full to their last.
            if (count == 0 || !buffers[count - 1].hasRemaining()) {
                return sent;
            }
            wrap(buffers, count);
        }
    }

    /** As many records as make a batch. */
    private void wrap(ByteBuffer[] buffers, int count) throws IOException {
        unsent = blocks.take();
        ByteBuffer out = unsent.buffer.clear();
        try {
            do {
                SSLEngineResult result = engine.wrap(buffers, 0, count, out);
                if (result.getStatus() == SSLEngineResult.Status.CLOSED && result.bytesProduced() == 0) {
                    throw new ClosedChannelException();
                }
                if (result.bytesProduced() == 0 && count > 0 && buffers[count - 1].hasRemaining()) {
                    throw new SSLException("TLS writes nothing: " + result);
                }
            } while (buffers[count - 1].hasRemaining() && out.position() < BATCH_BYTES);
        } finally {
            out.flip();
            if (!out.hasRemaining()) {
                blocks.give(unsent);
                unsent = null;
            }
        }
    }

    /** @return whether the socket took all */
    private boolean push() throws IOException {
        if (unsent != null) {
            socket.write(unsent.buffer);
            if (unsent.buffer.hasRemaining()) {
                return false;
            }
            blocks.give(unsent);
            unsent = null;
        }
        return true;
    }

    boolean isUnsent() {
        return unsent != null;
    }

    /** Nothing is read any more. */
    void closeInput() {
        give(received);
        give(plain);
        received = null;
        plain = null;
        isPartial = true;
        isEnded = true;
    }

    /** Nothing is written any more. */
    void closeOutput() {
        give(unsent);
        unsent = null;
    }

    private void give(Blocks.Block block) {
        if (block != null) {
            blocks.give(block);
        }
    }

    /** Where the socket is full the peer sees an end that nobody announced, as of a process that was killed. */
    void endOutput() throws IOException {
        if (unsent == null && !engine.isOutboundDone()) {
            engine.closeOutbound();
            wrap(NOTHING, 1);
            push();
        }
    }
}
