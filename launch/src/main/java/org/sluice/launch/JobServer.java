package org.sluice.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.sluice.device.option.Option;

/**
 * The launcher's end of the bootstrap: collects what ranks put, completes their fences, and tells the others when one
 * died.
 *
 * <p>Thread: any may call; everything happens on one thread of its own, which never blocks on a rank.
 *
 * <p>Owns: the listening sockets and all connections.
 *
 * <p>Fails: a connection that sends nonsense, doesn't know the secret or has another version is refused with the
 * reason; the others go on.
 *
 * <p>Proof: {@code JobServerTest}, {@code StrangersTest}.
 */
public final class JobServer implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long TICK_MS = 20;
    private static final long FOR_EVER = 0;

    private final int size;
    /** Null where all ranks are on this machine. */
    private final MeetingPlace place;

    private final JobFolder folder;
    private final ServerSocketChannel outer;
    private final Selector selector;
    private final Queue<Runnable> calls = new ConcurrentLinkedQueue<>();
    private final JobConnections connections;
    private final List<JobRound> rounds = new ArrayList<>();
    private final BitSet ended = new BitSet();
    /** Ranks that nobody watches any more. */
    private final BitSet cutOff = new BitSet();

    private final RankEnds ends = new RankEnds();
    private final LateRanks late = new LateRanks();
    private final Goodbyes goodbyes;
    private final Thread thread;
    private volatile boolean closed;

    private JobServer(int size, MeetingPlace place) throws IOException {
        this.size = size;
        this.place = place;
        connections = new JobConnections(size);
        goodbyes = new Goodbyes(size);
        folder = JobFolder.make(2 * size + JobConnections.SPARE);
        try {
            outer = place == null ? null : place.listen(size + JobConnections.SPARE);
            selector = Selector.open();
            folder.listener().register(selector, SelectionKey.OP_ACCEPT);
            if (outer != null) {
                outer.register(selector, SelectionKey.OP_ACCEPT);
            }
        } catch (IOException | RuntimeException e) {
            folder.close();
            throw e;
        }
        thread = new Thread(null, this::serve, "sluice-job-server", 0, false);
        thread.setDaemon(true);
    }

    /** For ranks of this machine. */
    public static JobServer start(int size) {
        return start(size, null);
    }

    /**
     * @param place where ranks of other nodes find it too; null where there are none
     * @throws UncheckedIOException where nobody can listen there
     */
    public static JobServer start(int size, MeetingPlace place) {
        if (size < 1) {
            throw new IllegalArgumentException("a job of " + size + " ranks; it must have at least 1");
        }
        try {
            JobServer server = new JobServer(size, place);
            server.thread.start();
            Thread sweeper = new Thread(null, JobFolder::sweep, "sluice-sweep", 0, false);
            sweeper.setDaemon(true);
            sweeper.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException("can't start the job's server: " + e.getMessage(), e);
        }
    }

    JobAddress address() {
        return JobAddress.local(folder.socket());
    }

    /** Where ranks of other nodes find it. */
    JobAddress outerAddress() {
        return place.address(outer.socket().getLocalPort());
    }

    /**
     * The options of a JVM on this machine that holds {@code jvmRanks} ranks from {@code firstRank} on, by property
     * name.
     */
    public Map<String, String> options(int firstRank, int jvmRanks) {
        return options(address(), firstRank, jvmRanks);
    }

    /** The port at which ranks of other nodes find it. */
    int outerPort() throws IOException {
        return ((InetSocketAddress) outer.getLocalAddress()).getPort();
    }

    /** The same of one elsewhere, which finds it at this address, and needs the file with the secret besides. */
    Map<String, String> outerOptions(String address, int firstRank, int jvmRanks) {
        return options(place.address(address, outer.socket().getLocalPort()), firstRank, jvmRanks);
    }

    /** The same of one elsewhere, which needs the file with the secret besides. */
    public Map<String, String> outerOptions(int firstRank, int jvmRanks) {
        return options(outerAddress(), firstRank, jvmRanks);
    }

    private Map<String, String> options(JobAddress address, int firstRank, int jvmRanks) {
        return Map.of(
                Option.JOB_ADDRESS.property(),
                address.toString(),
                Option.JOB_SIZE.property(),
                Integer.toString(size),
                Option.JOB_RANK.property(),
                Integer.toString(firstRank),
                Option.JOB_JVM_RANKS.property(),
                Integer.toString(jvmRanks));
    }

    /** What is known here of how ranks ended. */
    RankEnds ends() {
        return ends;
    }

    LateRanks late() {
        return late;
    }

    /** Says that a rank's process has ended, so that nobody waits for it. */
    public void rankEnded(int rank) {
        call(() -> end(rank));
    }

    private void end(int rank) {
        ended.set(rank);
        rounds.forEach(this::lookAtFence);
    }

    /** Says that a rank's process died, whether it had a connection or not: the others are told. */
    public void rankDied(int rank) {
        call(() -> {
            tellAll(connections.all(), dead(rank));
            end(rank);
        });
    }

    /** Nobody watches these ranks any more: their JVMs lose the launcher, and end by themselves. */
    void cutOff(int firstRank, int ranks) {
        call(() -> {
            cutOff.set(firstRank, firstRank + ranks);
            for (JobConnection each : connections.all()) {
                if (each.jvmRanks > 0
                        && each.firstRank < firstRank + ranks
                        && each.firstRank + each.jvmRanks > firstRank) {
                    lose(each);
                }
            }
        });
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        boolean interrupted = false;
        while (thread.isAlive() && Thread.currentThread() != thread) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void call(Runnable call) {
        calls.add(call);
        selector.wakeup();
    }

    private void serve() {
        try (folder;
                selector;
                outer) {
            while (!closed) {
                selector.select(deadlinesRun() ? TICK_MS : FOR_EVER);
                for (Runnable call = calls.poll(); call != null; call = calls.poll()) {
                    call.run();
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    handle(key);
                }
                selector.selectedKeys().clear();
                goodbyes.tell();
                lookAtTime(System.nanoTime());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the job's server failed", e);
        } finally {
            connections.closeAll();
        }
    }

    /** A job that runs must not be disturbed by a launcher that wakes up for nothing. */
    private boolean deadlinesRun() {
        for (JobRound round : rounds) {
            if (round.someoneWaits()) {
                return true;
            }
        }
        return connections.hasNewcomers();
    }

    private void handle(SelectionKey key) {
        if (key.isValid() && key.isAcceptable()) {
            accept((ServerSocketChannel) key.channel());
            return;
        }
        JobConnection connection = (JobConnection) key.attachment();
        try {
            // Read first: who has said goodbye and is gone takes nothing any more, and what it said is still here.
            if (key.isValid() && key.isReadable() && connection.ending()) {
                connection.drain();
            } else if (key.isValid() && key.isReadable()) {
                for (ByteBuffer frame = connection.read(); frame != null; frame = connection.read()) {
                    take(connection, frame);
                    if (!key.isValid() || connection.ending()) {
                        return;
                    }
                }
            }
            if (key.isValid() && key.isWritable()) {
                connection.flush();
            }
        } catch (Frame.Malformed e) {
            refuse(connection, e.getMessage());
        } catch (IOException e) {
            lose(connection);
        }
    }

    private void accept(ServerSocketChannel listener) {
        SocketChannel channel = null;
        try {
            channel = listener.accept();
            boolean local = listener != outer;
            if (channel == null) {
                return;
            }
            if (local && !folder.isOwn(channel) || !makeRoom(local)) {
                channel.close();
                return;
            }
            channel.configureBlocking(false);
            if (!local) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                KeepAlive.between(channel);
            }
            JobConnection connection =
                    new JobConnection(channel, channel.register(selector, SelectionKey.OP_READ), local);
            connection.deadlineNanos = System.nanoTime() + PATIENCE_NANOS;
            connections.add(connection);
        } catch (IOException e) {
            // The one who wanted to connect is gone again, or descriptors ran out: whoever it was reports it.
            closeQuietly(channel);
        }
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // Nothing more can be done about a socket that does not close.
            return;
        }
    }

    /** @return false when nobody can be sent away for a newcomer */
    private boolean makeRoom(boolean believed) {
        if (!connections.isFull(believed)) {
            return true;
        }
        JobConnection oldest = connections.oldestNewcomer(believed);
        if (oldest != null) {
            lose(oldest);
        }
        return oldest != null;
    }

    private void take(JobConnection connection, ByteBuffer frame) throws IOException {
        byte kind = Frame.flag(frame);
        if (!connection.isBelieved) {
            takeProof(connection, kind, frame);
        } else if (!connection.greeted) {
            if (kind != Frame.HELLO) {
                throw new Frame.Malformed("a connection that does not say hello");
            }
            takeHello(connection, frame);
        } else if (!connection.isRank()) {
            takeLastWord(connection, kind, frame);
        } else if (kind == Frame.PUT) {
            String key = Frame.text(frame, Bootstrap.KEY_LIMIT_BYTES);
            byte[] value = Frame.bytes(frame, Bootstrap.VALUE_LIMIT_BYTES);
            if (key.equals(Bootstrap.LEFT_OVER)) {
                // For the launcher alone: no rank asks for it, and each would be told of all.
                connection.leftOver = new String(value, StandardCharsets.UTF_8);
            } else {
                connection.round.put(connection.rank, key, value);
            }
            Frame.end(frame);
        } else if (kind == Frame.FENCE) {
            takeFence(connection, frame);
        } else if (kind == Frame.CLOSING) {
            goodbyes.take(connection, frame);
        } else if (kind == Frame.BYE) {
            leave(connection);
        } else {
            throw new Frame.Malformed("a frame of unknown kind " + kind);
        }
    }

    /**
     * Of one that comes over a network: before both sides have proved that they know the secret, nothing else is said.
     */
    private void takeProof(JobConnection connection, byte kind, ByteBuffer frame) throws IOException {
        if (kind == Frame.CHALLENGE && connection.wantedProof == null) {
            if (Frame.number(frame) != Frame.MAGIC) {
                throw new Frame.Malformed("it is of another version of Sluice: use one for the whole job");
            }
            byte[] its = Frame.exactly(frame, JobSecret.NONCE_BYTES);
            Frame.end(frame);
            byte[] own = JobSecret.nonce();
            JobSecret secret = place.secret();
            int port = connection.port();
            connection.wantedProof = secret.proof(JobSecret.OF_RANK, port, its, own);
            connection.send(new Frame.Writer(Frame.PROOF_OF_LAUNCHER)
                    .bytes(own)
                    .bytes(secret.proof(JobSecret.OF_LAUNCHER, port, its, own))
                    .finish());
        } else if (kind == Frame.PROOF_OF_RANK && connection.wantedProof != null) {
            if (!JobSecret.same(connection.wantedProof, Frame.bytes(frame, JobSecret.PROOF_BYTES))) {
                throw new Frame.Malformed("it does not know the job's secret");
            }
            Frame.end(frame);
            if (!makeRoom(true)) {
                throw new Frame.Malformed("there are more connections than the job has ranks");
            }
            connection.isBelieved = true;
        } else {
            throw new Frame.Malformed(
                    "it must prove first that it knows the job's secret; where this is a rank, it is of another"
                            + " version of Sluice");
        }
    }

    private void takeHello(JobConnection connection, ByteBuffer frame) throws IOException {
        Hello hello = Hello.read(frame, size);
        if (hello.refusal() != null) {
            refuse(connection, hello.refusal());
        } else if (hello.isOfJvm()) {
            joinJvm(connection, hello);
        } else {
            join(connection, hello.rank());
        }
    }

    /** Else any rank could speak the last word of another. */
    private void joinJvm(JobConnection connection, Hello hello) throws IOException {
        if (cutOff.get(hello.rank())) {
            refuse(connection, "the launcher has lost the machine of rank " + hello.rank());
            return;
        }
        int taken = connections.firstWithJvm(hello.rank(), hello.ranks());
        if (taken >= 0) {
            refuse(connection, "rank " + taken + " lives in another JVM, which is connected");
            return;
        }
        connection.firstRank = hello.rank();
        connection.jvmRanks = hello.ranks();
        connection.greet();
        connection.send(new Frame.Writer(Frame.WELCOME).text("").finish());
    }

    private void takeLastWord(JobConnection connection, byte kind, ByteBuffer frame) throws IOException {
        if (kind != Frame.LAST_WORD) {
            throw new Frame.Malformed("a JVM that says something else than its ranks' last words");
        }
        int rank = Frame.number(frame);
        int blamed = Frame.number(frame);
        boolean certain = Frame.flag(frame) != 0;
        boolean failed = Frame.flag(frame) != 0;
        String reason = Printable.text(Frame.text(frame, Reason.LONGEST));
        Frame.end(frame);
        if (!connection.isJvmOf(rank)) {
            throw new Frame.Malformed("a last word of rank " + rank + ", which does not live there");
        }
        if (blamed < JvmLine.NOBODY || blamed >= size) {
            throw new Frame.Malformed("it speaks of rank " + blamed + " in a job of " + size);
        }
        ends.failedOf(rank, reason);
        ends.lastWord(rank, blamed == JvmLine.NOBODY ? null : new Blame(blamed, certain), failed);
        end(rank);
        connection.send(Frame.empty(Frame.HEARD));
    }

    private void join(JobConnection connection, int rank) throws IOException {
        if (connections.hasRank(rank)) {
            refuse(
                    connection,
                    "rank " + rank
                            + " already has an open device in this job: a rank has one at a time; share that between"
                            + " threads, or close it first (a program that a rank starts is that rank too while it has"
                            + " its SLUICE_JOB_... variables)");
            return;
        }
        JobRound round = JobRound.next(rounds, rank, size);
        if (round == null) {
            refuse(
                    connection,
                    "rank " + rank + " has opened and closed " + JobRound.MOST
                            + " devices to which not all ranks of this job came, and left again;"
                            + " no more are kept: let the ranks open and close their devices together");
            return;
        }
        connection.rank = rank;
        connection.greet();
        round.join(connection);
        ends.opened(rank);
        connection.send(new Frame.Writer(Frame.WELCOME).text(round.id()).finish());
    }

    private void takeFence(JobConnection connection, ByteBuffer frame) throws IOException {
        connection.fenceTimeoutMs = Frame.longNumber(frame);
        Frame.end(frame);
        connection.checkFence();
        long limitMs = TimeUnit.DAYS.toMillis(365);
        connection.fenceDeadlineNanos = System.nanoTime()
                + TimeUnit.MILLISECONDS.toNanos(Math.max(0, Math.min(limitMs, connection.fenceTimeoutMs)));
        JobRound round = connection.round;
        round.enterFence(connection.rank);
        if (round.fenceIsFull()) {
            byte[] values = round.completeFence();
            tellAll(round.present(), values);
        } else {
            lookAtFence(round);
        }
    }

    /** A fence that can't fill any more fails at once. */
    private void lookAtFence(JobRound round) {
        if (round.someoneWaits() && round.isHopeless(ended)) {
            failFence(round, round.absent(ended));
        }
    }

    private void failFence(JobRound round, String reason) {
        byte[] failure = new Frame.Writer(Frame.FENCE_FAILED).text(reason).finish();
        List<JobConnection> waiting = round.takeWaiting();
        waiting.forEach(connection -> ends.couldNotOpen(connection.rank, reason));
        tellAll(waiting, failure);
    }

    private void lookAtTime(long now) {
        late.look(rounds, ended, now);
        for (JobConnection overdue : connections.overdue(now)) {
            lose(overdue);
        }
        for (JobRound round : rounds) {
            JobConnection late = round.firstLate(now);
            if (late != null) {
                failFence(
                        round,
                        round.absent(ended) + " within " + late.fenceTimeoutMs + " ms ("
                                + Option.OPEN_TIMEOUT_MS.property() + ")");
            }
        }
    }

    private void leave(JobConnection connection) {
        connections.remove(connection);
        connection.close();
        JobRound round = connection.round;
        round.close(connection.rank);
        ends.gone(connection.rank, true);
        lookAtFence(round);
        forgetRoundsThatAreOver();
    }

    private void forgetRoundsThatAreOver() {
        for (Iterator<JobRound> each = rounds.iterator(); each.hasNext(); ) {
            if (each.next().isOver()) {
                each.remove();
            }
        }
    }

    /** The end of a connection; of a rank that said no goodbye, its death. */
    private void lose(JobConnection connection) {
        if (connections.remove(connection)) {
            connection.close();
            bury(connection);
        }
    }

    private void bury(JobConnection connection) {
        JobRound round = connection.round;
        if (round == null || round.hasLeft(connection.rank)) {
            return;
        }
        connection.removeLeftOver();
        round.die(connection.rank);
        ends.gone(connection.rank, false);
        tellAll(round.present(), dead(connection.rank));
        lookAtFence(round);
        forgetRoundsThatAreOver();
    }

    private static byte[] dead(int rank) {
        return new Frame.Writer(Frame.DEAD).number(rank).finish();
    }

    /** Answers with the reason and waits a little for the other end to read it. */
    private void refuse(JobConnection connection, String reason) {
        connection.deadlineNanos = System.nanoTime() + PATIENCE_NANOS;
        bury(connection);
        try {
            connection.sendLast(new Frame.Writer(Frame.REFUSED).text(reason).finish());
        } catch (IOException e) {
            lose(connection);
        }
    }

    private void tellAll(List<JobConnection> members, byte[] frame) {
        // A rank may have closed before it died, and say so first.
        goodbyes.tell();
        for (JobConnection member : members) {
            member.tell(frame);
        }
    }
}
