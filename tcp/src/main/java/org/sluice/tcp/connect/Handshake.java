package org.sluice.tcp.connect;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import org.sluice.device.random.Unguessable;
import org.sluice.tcp.stream.Wire;
import org.sluice.tcp.tls.Identity;

/**
 * One side of what two ranks say before the first packet, within TLS if they have it. Big-endian.
 *
 * <pre>
 *   HELLO    who dials    magic 8, version 4, its rank 4, the other's rank 4, 32 random bytes     52
 *   ANSWER   who listens  32 random bytes, its proof                                              64
 *   PROOF    who dials    its proof                                                               32
 *   VERDICT  who listens  {@link Verdict} 4                                                        4
 * </pre>
 *
 * <p>Who can't prove anything learns nothing: its connection is closed. <i>Thread</i>: the helper. <i>Owns</i>: the
 * socket, until it is taken. <i>Fails</i>: {@link IOException} with what was wrong. <i>Proof</i>: {@code ConnectTest},
 * {@code StrangerTest}.
 */
final class Handshake {
    static final long MAGIC = 0x536c756963655463L;
    static final int VERSION = 1;
    static final int HELLO_BYTES = Long.BYTES + 3 * Integer.BYTES + Proof.NONCE_BYTES;
    static final int ANSWER_BYTES = Proof.NONCE_BYTES + Proof.BYTES;

    final Wire wire;
    final SocketChannel socket;
    /** Null until the one who dialled has said who it is. */
    Connection connection;

    final boolean isDialer;
    long deadlineNanos;
    SelectionKey key;

    private final PeerAddress own;
    private final Peers peers;
    private final byte[] nonce = Unguessable.bytes(Proof.NONCE_BYTES);
    private byte[] nonceOfPeer;
    private ByteBuffer in;
    private ByteBuffer out = ByteBuffer.allocate(0);
    private Step step;
    private Verdict verdict;

    /** What a rank that was dialled says of it. */
    enum Verdict {
        ACCEPTED("it accepts"),
        CROSSED("it dials itself"),
        CLOSED("it has closed its device"),
        NOT_AGAIN("it has, or had, a connection to this rank");

        final String text;

        Verdict(String text) {
            this.text = text;
        }
    }

    private enum Step {
        CONNECTING,
        TLS,
        HELLO,
        ANSWER,
        PROOF,
        VERDICT,
        OVER
    }

    /** Who may be at the other end, and whether it may. */
    interface Peers {
        /** @return null where the rank is none that is reached by this channel */
        Connection of(int rank);

        /** The one who dialled has proved who it is. */
        Verdict judge(Connection connection);
    }

    /** Dials; the socket connects already. */
    Handshake(Wire wire, PeerAddress own, Connection connection, long deadlineNanos) {
        this.wire = wire;
        this.socket = wire.socket();
        this.own = own;
        this.connection = connection;
        this.isDialer = true;
        this.deadlineNanos = deadlineNanos;
        this.peers = null;
        this.step = Step.CONNECTING;
    }

    /** Somebody has dialled. */
    Handshake(Wire wire, PeerAddress own, Peers peers, long deadlineNanos) {
        this.wire = wire;
        this.socket = wire.socket();
        this.own = own;
        this.peers = peers;
        this.isDialer = false;
        this.deadlineNanos = deadlineNanos;
        this.step = Step.TLS;
    }

    /** Whether the peer may know of this attempt: it has a HELLO, or will. */
    boolean isSaid() {
        return step != Step.CONNECTING;
    }

    /** What the other has decided, or this rank; once {@link #advance} was true. */
    Verdict verdict() {
        return verdict;
    }

    /** What the selector has to look for. */
    int interest() {
        return step == Step.CONNECTING
                ? SelectionKey.OP_CONNECT
                : out.hasRemaining() || wire.isUnsent() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ;
    }

    /**
     * Goes on as far as it can without waiting.
     *
     * @return whether it has come to its end
     */
    boolean advance() throws IOException {
        if (step == Step.CONNECTING) {
            if (!socket.finishConnect()) {
                return false;
            }
            step = Step.TLS;
        }
        if (step == Step.TLS) {
            if (!wire.handshake()) {
                return false;
            }
            begin();
        }
        while (write()) {
            if (step == Step.OVER) {
                return true;
            }
            int read = wire.read(in);
            if (read < 0) {
                throw new EOFException("it closed the connection");
            }
            if (in.hasRemaining()) {
                if (step == Step.HELLO && in.position() >= Long.BYTES && in.getLong(0) != MAGIC) {
                    throw new IOException("it is no rank of this job");
                }
                return false;
            }
            in.flip();
            take();
        }
        return false;
    }

    private void begin() throws IOException {
        if (isDialer) {
            checkCertificate();
            out = ByteBuffer.allocate(HELLO_BYTES)
                    .putLong(MAGIC)
                    .putInt(VERSION)
                    .putInt(own.rank())
                    .putInt(connection.peer())
                    .put(nonce)
                    .flip();
            in = ByteBuffer.allocate(ANSWER_BYTES);
            step = Step.ANSWER;
        } else {
            in = ByteBuffer.allocate(HELLO_BYTES);
            step = Step.HELLO;
        }
    }

    /** That it is the one that this rank has published. */
    private void checkCertificate() throws IOException {
        if (own.hasTls() && !Identity.isOf(wire.peer(), connection.address().certificate())) {
            throw new IOException("its certificate is not that of rank " + connection.peer());
        }
    }

    private boolean write() throws IOException {
        if (out.hasRemaining() || wire.isUnsent()) {
            wire.write(new ByteBuffer[] {out}, 1);
        }
        return !out.hasRemaining() && !wire.isUnsent();
    }

    private void take() throws IOException {
        switch (step) {
            case HELLO:
                takeHello();
                break;
            case ANSWER:
                takeAnswer();
                break;
            case PROOF:
                takeProof();
                break;
            default:
                takeVerdict();
        }
    }

    private void takeHello() throws IOException {
        if (in.getLong() != MAGIC || in.getInt() != VERSION) {
            throw new IOException("it is no rank of this job");
        }
        int from = in.getInt();
        int to = in.getInt();
        connection = peers.of(from);
        if (connection == null || to != own.rank()) {
            throw new IOException("it says that it is rank " + from + " and looks for rank " + to);
        }
        checkCertificate();
        nonceOfPeer = new byte[Proof.NONCE_BYTES];
        in.get(nonceOfPeer);
        out = ByteBuffer.allocate(ANSWER_BYTES)
                .put(nonce)
                .put(Proof.of(Proof.OF_LISTENER, connection.address(), own, nonceOfPeer, nonce))
                .flip();
        in = ByteBuffer.allocate(Proof.BYTES);
        step = Step.PROOF;
    }

    private void takeAnswer() throws IOException {
        nonceOfPeer = new byte[Proof.NONCE_BYTES];
        in.get(nonceOfPeer);
        byte[] proof = new byte[Proof.BYTES];
        in.get(proof);
        if (!Proof.isEqual(proof, Proof.of(Proof.OF_LISTENER, own, connection.address(), nonce, nonceOfPeer))) {
            throw new IOException("what listens there is not rank " + connection.peer() + " of this job");
        }
        // The peer has proved who it is: no other address is better. And once it has this rank's proof it may have
        // accepted: to dial anew would end what it takes for a connection.
        deadlineNanos = connection.deadlineNanos;
        out = ByteBuffer.wrap(Proof.of(Proof.OF_DIALER, own, connection.address(), nonce, nonceOfPeer));
        in = ByteBuffer.allocate(Integer.BYTES);
        step = Step.VERDICT;
    }

    private void takeProof() throws IOException {
        byte[] proof = Arrays.copyOf(in.array(), Proof.BYTES);
        if (!Proof.isEqual(proof, Proof.of(Proof.OF_DIALER, connection.address(), own, nonceOfPeer, nonce))) {
            throw new IOException("it is not rank " + connection.peer() + " of this job");
        }
        verdict = peers.judge(connection);
        out = ByteBuffer.allocate(Integer.BYTES).putInt(verdict.ordinal()).flip();
        step = Step.OVER;
    }

    private void takeVerdict() throws IOException {
        int code = in.getInt();
        if (code < 0 || code >= Verdict.values().length) {
            throw new IOException("it answered " + code);
        }
        verdict = Verdict.values()[code];
        step = Step.OVER;
    }
}
