package org.sluice.tcp.connect;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.sluice.device.jvm.FileLimit;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.tcp.stream.Wire;
import org.sluice.tcp.tls.Identity;

/**
 * The helper: a thread that makes connections, so that no program's progress is needed for that; that wakes the rank
 * when something comes while it sleeps; and that writes on what a socket did not take, where nobody polls.
 *
 * <p>One selector has what is being connected, the other all that may wake a rank. It waits on the second only between
 * {@link #arm} and the first that comes, so that a rank which polls costs it nothing. <i>Thread</i>: {@link #want},
 * {@link #stuck} and {@link #arm} any. <i>Owns</i>: the listening socket, both selectors, and sockets until they are
 * READY. <i>Fails</i>: by {@link #tell}. <i>Proof</i>: {@code ConnectTest}, {@code StrangerTest}.
 */
public final class Connector implements Handshake.Peers, AutoCloseable {
    /** Bounds what a lost wake-up would cost. */
    private static final long LOOK_MS = 200;
    /** While something is being connected, or a socket is full, and the selector that has it isn't waited on. */
    private static final long SOON_MS = 2;
    /**
     * While messages wait for others to share a write with. The poll that follows writes them; this is for programs
     * that make no call for long.
     */
    private static final long KEPT_NANOS = 200_000;
    /** Looks without a full socket after which they are not looked for any more. */
    private static final int CALM_LOOKS = 50;
    /** Those who have dialled and proved nothing yet; one more, and the oldest is closed. */
    private static final int MOST_STRANGERS = 64;

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long CROSSED_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long STACK_BYTES = 256 << 10;
    private static final long SHORTEST_KEEPALIVE_MS = 3000;

    private final int self;
    private final Connections connections;
    /** Null without TLS. */
    private final Identity identity;

    private final long timeoutMs;
    private final long keepAliveMs;
    private final Selector connecting;
    private final Selector waking;
    private final Listening listening;
    private final Thread thread;
    private PeerAddress own;

    private final Queue<Connection> asked = new ConcurrentLinkedQueue<>();
    private final List<Connection> wanted = new ArrayList<>();
    /** In the order in which they began. */
    private final List<Handshake> handshakes = new ArrayList<>();

    private long toldNanos = System.nanoTime();
    private int calmLooks;
    private int keptLooks;
    private boolean hasFound;
    private volatile boolean isArmed;
    private volatile boolean isAnyStuck;
    private volatile boolean isAnyKept;
    private volatile boolean closed;
    private volatile Throwable fault;

    /**
     * Listens; connects nobody before {@link #start}.
     *
     * @param identity null without TLS
     */
    public Connector(int self, Connections connections, Identity identity, Interfaces interfaces, Options options) {
        this.self = self;
        this.connections = connections;
        this.identity = identity;
        this.timeoutMs = options.number(Option.TCP_CONNECT_TIMEOUT_MS);
        this.keepAliveMs = options.number(Option.TCP_KEEPALIVE_MS);
        thread = new Thread(null, this::run, "sluice-tcp-" + self, STACK_BYTES);
        thread.setDaemon(true);
        Selector first = null;
        Selector second = null;
        try {
            first = Selector.open();
            second = Selector.open();
            listening = new Listening(self, interfaces.listenAt(), first, second);
        } catch (IOException e) {
            closeSelector(second);
            closeSelector(first);
            throw FileLimit.failure("listening at " + interfaces.listenAt() + " failed", e);
        }
        connecting = first;
        waking = second;
    }

    public int port() {
        return listening.port();
    }

    /** All peers are added. */
    public void start(PeerAddress newOwn) {
        own = newOwn;
        thread.start();
    }

    /** A sender needs a connection. Any thread. */
    public void want(Connection connection) {
        if (connection.want()) {
            asked.add(connection);
            wakeUp();
        }
    }

    /** A socket did not take all. Any thread. */
    public void stuck() {
        if (!isAnyStuck) {
            isAnyStuck = true;
            wakeUp();
        }
    }

    /** Messages wait for others to share a write with. Any thread. */
    public void kept() {
        if (!isAnyKept) {
            isAnyKept = true;
            wakeUp();
        }
    }

    /** The rank is about to sleep: what comes from now on rings it. */
    public void arm() {
        if (!isArmed) {
            isArmed = true;
            connecting.wakeup();
        }
    }

    /** Throws what ended the helper. */
    public void tell() {
        if (fault != null) {
            throw new IllegalStateException("the tcp channel's helper failed: " + fault, fault);
        }
    }

    private void wakeUp() {
        connecting.wakeup();
        waking.wakeup();
    }

    private void run() {
        try {
            while (!closed) {
                long now = System.nanoTime();
                long waitMs = Math.max(1, Math.min(LOOK_MS, work(now)));
                if (isAnyKept && isAnyLeft()) {
                    LockSupport.parkNanos(KEPT_NANOS);
                    connecting.selectNow(this::selected);
                } else if (isArmed) {
                    watch(handshakes.isEmpty() ? waitMs : SOON_MS);
                    connecting.selectNow(this::selected);
                } else {
                    connecting.select(this::selected, waitMs);
                }
            }
        } catch (Throwable e) {
            if (!closed) {
                fault = e;
                connections.wake();
            }
        }
    }

    private void watch(long waitMs) throws IOException {
        hasFound = false;
        waking.select(key -> hasFound |= !listening.is(key), waitMs);
        if (hasFound) {
            isArmed = false;
            connections.wake();
        }
    }

    /** @return how long there is nothing to do but what the selectors find */
    private long work(long now) {
        for (Connection each = asked.poll(); each != null; each = asked.poll()) {
            want(each, now);
        }
        look(now);
        long waitMs = listening.isPaused(now) ? SOON_MS : LOOK_MS;
        for (int i = wanted.size() - 1; i >= 0; i--) {
            Connection each = wanted.get(i);
            if (each.state() != ConnectionState.WANTED) {
                wanted.remove(i);
            } else if (now - each.notBeforeNanos >= 0) {
                wanted.remove(i);
                dial(each, now);
            } else {
                waitMs = Math.min(waitMs, SOON_MS + TimeUnit.NANOSECONDS.toMillis(each.notBeforeNanos - now));
            }
        }
        for (int i = handshakes.size() - 1; i >= 0; i--) {
            Handshake each = handshakes.get(i);
            if (now - each.deadlineNanos >= 0) {
                end(each, each.isSaid() ? Unreached.SILENT : Unreached.LATE);
            } else if (each.connection != null && each.connection.state().isDead()) {
                end(each, "it is over");
            } else {
                waitMs = Math.min(waitMs, 1 + TimeUnit.NANOSECONDS.toMillis(each.deadlineNanos - now));
            }
        }
        return isAnyStuck ? Math.min(waitMs, push()) : waitMs;
    }

    /**
     * A few times a second: a peer that closes waits for news of what was consumed, and this rank's program may make no
     * call for long; and machines that have vanished.
     */
    private void look(long now) {
        if (now - toldNanos >= TimeUnit.MILLISECONDS.toNanos(LOOK_MS)) {
            toldNanos = now;
            for (Connection each : connections.all()) {
                if (each != null && each.state() == ConnectionState.READY) {
                    each.inbound().tell();
                    lookForSilence(each, now);
                } else if (each != null && each.silence != null) {
                    each.silence.end();
                    each.silence = null;
                }
            }
        }
    }

    private void lookForSilence(Connection connection, long now) {
        if (keepAliveMs == 0) {
            return;
        }
        if (connection.silence == null) {
            connection.silence = new Silence(connection, Math.max(keepAliveMs, SHORTEST_KEEPALIVE_MS), now);
        }
        if (connection.silence.isTooLong(now)) {
            connections.fail(
                    connection,
                    false,
                    "its machine has not answered for " + keepAliveMs + " ms (" + Option.TCP_KEEPALIVE_MS.property()
                            + ")");
        }
    }

    /** Writes on what sockets did not take. */
    private long push() {
        boolean isCalm = true;
        for (Connection each : connections.all()) {
            if (each != null && each.outbound().isStuck()) {
                isCalm = false;
                each.outbound().pushOn();
            }
        }
        calmLooks = isCalm ? calmLooks + 1 : 0;
        if (calmLooks >= CALM_LOOKS) {
            calmLooks = 0;
            isAnyStuck = false;
            for (Connection each : connections.all()) {
                // One that looked at the flag before it was taken down.
                isAnyStuck |= each != null && each.outbound().isStuck();
            }
        }
        return SOON_MS;
    }

    /**
     * Writes what has waited since the last look.
     *
     * @return whether to look again soon
     */
    private boolean isAnyLeft() {
        boolean isAny = writeKept();
        keptLooks = isAny ? 0 : keptLooks + 1;
        // A rank that sleeps has polled before.
        if (isAny || keptLooks < CALM_LOOKS && !isArmed) {
            return true;
        }
        keptLooks = 0;
        isAnyKept = false;
        // One that looked at the flag before it was taken down.
        isAnyKept = writeKept();
        return isAnyKept;
    }

    private boolean writeKept() {
        boolean isAny = false;
        for (Connection each : connections.all()) {
            if (each != null && each.outbound().isKept()) {
                isAny = true;
                long written = each.outbound().written();
                if (written == each.seenWritten) {
                    each.outbound().pushOn();
                }
                each.seenWritten = written;
            }
        }
        return isAny;
    }

    private void want(Connection connection, long now) {
        connection.deadlineNanos = now + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        connection.notBeforeNanos = now;
        wanted.add(connection);
    }

    private void dial(Connection connection, long now) {
        synchronized (connections) {
            if (connection.state() != ConnectionState.WANTED) {
                return;
            }
            connection.enter(ConnectionState.DIALING);
        }
        PeerAddress address = connection.address();
        SocketChannel socket = null;
        try {
            socket = SocketChannel.open();
            Sockets.prepare(socket, keepAliveMs);
            long attemptNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMs)
                    / address.addresses().size();
            long deadline = Math.min(connection.deadlineNanos - now, attemptNanos) + now;
            Handshake handshake = new Handshake(wire(socket, true), own, connection, deadline);
            socket.connect(address.at(connection.attempts));
            connection.handshake = handshake;
            begin(handshake);
        } catch (IOException | RuntimeException e) {
            if (socket != null) {
                Sockets.close(socket);
            }
            if (FileLimit.isReached(e)) {
                connection.unreached.notTried(FileLimit.words(e));
            } else {
                connection.unreached.refused(address.at(connection.attempts).getAddress(), text(e));
            }
            failed(connection);
        }
    }

    private Wire wire(SocketChannel socket, boolean isDialer) {
        return identity == null ? new Wire(socket) : new Wire(socket, identity.engine(isDialer), connections.blocks());
    }

    private void begin(Handshake handshake) throws IOException {
        handshake.key = handshake.socket.register(connecting, handshake.interest(), handshake);
        handshakes.add(handshake);
    }

    private void selected(SelectionKey key) {
        if (listening.is(key)) {
            accept();
        } else if (handshakes.contains(key.attachment())) {
            advance((Handshake) key.attachment());
        }
    }

    private void accept() {
        for (SocketChannel socket = listening.accept(); socket != null; socket = listening.accept()) {
            accept(socket);
        }
    }

    private void accept(SocketChannel socket) {
        try {
            Sockets.prepare(socket, keepAliveMs);
            makeRoom();
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
            begin(new Handshake(wire(socket, false), own, this, deadline));
        } catch (IOException e) {
            Sockets.close(socket);
        }
    }

    private void makeRoom() {
        int strangers = 0;
        Handshake oldest = null;
        for (Handshake each : handshakes) {
            if (!each.isDialer && each.verdict() == null) {
                strangers++;
                oldest = oldest == null ? each : oldest;
            }
        }
        // All ranks of a job may come at once, and each takes milliseconds with TLS.
        if (strangers >= Math.max(MOST_STRANGERS, 2 * connections.all().length)) {
            end(oldest, "too many");
        }
    }

    private void advance(Handshake handshake) {
        try {
            if (handshake.advance()) {
                handshakes.remove(handshake);
                handshake.key.cancel();
                over(handshake);
            } else if (handshake.socket.isOpen()) {
                handshake.key.interestOps(handshake.interest());
            }
        } catch (IOException e) {
            end(handshake, text(e));
        }
    }

    private static String text(Exception e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    @Override
    public Connection of(int rank) {
        return rank < 0 || rank == self || rank >= connections.all().length ? null : connections.of(rank);
    }

    @Override
    public Handshake.Verdict judge(Connection connection) {
        synchronized (connections) {
            switch (connection.state()) {
                case DIALING:
                    // Of two that cross the lower rank's goes on, where the other has or may have heard of it.
                    if (self < connection.peer() && connection.handshake.isSaid()) {
                        return Handshake.Verdict.CROSSED;
                    }
                    drop(connection.handshake);
                    connection.enter(ConnectionState.ACCEPTING);
                    return Handshake.Verdict.ACCEPTED;
                case IDLE:
                case WANTED:
                    connection.enter(ConnectionState.ACCEPTING);
                    return Handshake.Verdict.ACCEPTED;
                default:
                    return connection.state().isDead() && connection.isClosedUnmet()
                            ? Handshake.Verdict.CLOSED
                            : Handshake.Verdict.NOT_AGAIN;
            }
        }
    }

    private void drop(Handshake handshake) {
        handshakes.remove(handshake);
        handshake.connection.handshake = null;
        close(handshake);
    }

    private static void close(Handshake handshake) {
        Sockets.close(handshake.socket);
        handshake.wire.closeInput();
        handshake.wire.closeOutput();
    }

    /** Both have said all. */
    private void over(Handshake handshake) {
        Connection connection = handshake.connection;
        if (handshake.isDialer) {
            // What a peer began says nothing of what this rank has begun with it, which goes on if they have crossed.
            connection.handshake = null;
        }
        switch (handshake.verdict()) {
            case ACCEPTED:
                ready(handshake);
                break;
            case CROSSED:
                close(handshake);
                if (handshake.isDialer) {
                    again(connection, CROSSED_NANOS);
                }
                break;
            default:
                close(handshake);
                if (handshake.isDialer) {
                    synchronized (connections) {
                        connection.closedUnmet(handshake.verdict() == Handshake.Verdict.CLOSED);
                    }
                    connections.fail(connection, false, handshake.verdict().text);
                }
        }
    }

    private void ready(Handshake handshake) {
        try {
            handshake.connection.isReached = handshake.isDialer;
            handshake.socket.register(waking, SelectionKey.OP_READ);
            if (!connections.ready(handshake.connection, handshake.wire)) {
                close(handshake);
            }
        } catch (IOException e) {
            close(handshake);
            connections.fail(handshake.connection, false, text(e));
        }
    }

    /** Nothing comes of it. */
    private void end(Handshake handshake, String why) {
        handshakes.remove(handshake);
        close(handshake);
        Connection connection = handshake.connection;
        if (handshake.isDialer) {
            connection.handshake = null;
            connection.unreached.refused(
                    connection.address().at(connection.attempts).getAddress(), why);
            failed(connection);
        } else if (handshake.verdict() == Handshake.Verdict.ACCEPTED) {
            // The one who dialled has gone before it could hear that: then this rank dials.
            connection.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
            again(connection, RETRY_NANOS);
        }
    }

    /** An attempt; there may be others. */
    private void failed(Connection connection) {
        connection.attempts++;
        boolean wasLast = connection.attempts % connection.address().addresses().size() == 0;
        if (connection.isClosedUnmet() || System.nanoTime() - connection.deadlineNanos >= 0) {
            connections.fail(
                    connection,
                    false,
                    connection.isClosedUnmet()
                            ? Handshake.Verdict.CLOSED.text
                            : connection.unreached.text(connection.address(), timeoutMs));
        } else {
            again(connection, wasLast ? RETRY_NANOS : 0);
        }
    }

    private void again(Connection connection, long pauseNanos) {
        synchronized (connections) {
            if (connection.state().isDead() || connection.state() == ConnectionState.READY) {
                return;
            }
            connection.enter(ConnectionState.WANTED);
        }
        connection.notBeforeNanos = System.nanoTime() + pauseNanos;
        if (!wanted.contains(connection)) {
            wanted.add(connection);
        }
    }

    /** Ends the thread and stops listening. */
    @Override
    public void close() {
        closed = true;
        wakeUp();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        for (Handshake each : handshakes) {
            Sockets.close(each.socket);
        }
        for (Connection each : connections.all()) {
            if (each != null && each.silence != null) {
                each.silence.end();
            }
        }
        listening.close();
        closeSelector(connecting);
        closeSelector(waking);
    }

    private static void closeSelector(Selector selector) {
        if (selector != null) {
            try {
                selector.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
