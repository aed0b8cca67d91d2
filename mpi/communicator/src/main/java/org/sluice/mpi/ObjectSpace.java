package org.sluice.mpi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.sluice.device.ErrorCode;
import org.sluice.device.Message;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;

/**
 * Messages and collectives of objects on a communicator, by Java's serialization ({@link Communicator#objects()}) or by
 * a {@link Codec} of the program's ({@link Communicator#objects(Codec)}). What is received is a copy, of which nobody
 * else knows.
 *
 * <p>An object is a message of its bytes: {@code recv} takes those, too. All ranks of a collective call it here.
 *
 * <p><b>Serialization</b> takes objects of the program's own classes and the JDK's values: strings, numbers, java.time,
 * and collections and arrays of all these. Its own are the classes of the jar or folder, or named module, in which the
 * caller of {@code objects()} is. {@code sluice.mpi.objects} allows others, in the patterns of
 * {@link java.io.ObjectInputFilter}.
 *
 * <p><i>Thread</i>: as the communicator. <i>Fails</i>: IllegalArgumentException for what can't be encoded, before
 * anything of it is sent; {@link ObjectRefusedException} for what can't be decoded, which is consumed then. In a
 * collective the others of a rank that has nothing to send get COLLECTIVE_FAILED, with that rank; the communicator goes
 * on.
 */
public final class ObjectSpace<T> {
    /** Arrays of all JVMs are so long. */
    private static final int MOST_BYTES = Integer.MAX_VALUE - 8;
    /** As a length: that rank has none to send. */
    private static final int NOTHING = -1;

    private final AgreedSpace messages;
    /** For collectives; null of messages alone. */
    private final Communicator communicator;

    private final Codec<T> codec;

    ObjectSpace(Communicator communicator, Codec<T> codec) {
        this(communicator, communicator, codec);
    }

    private ObjectSpace(AgreedSpace messages, Communicator communicator, Codec<T> codec) {
        if (codec == null) {
            throw new IllegalArgumentException("the codec is null: without one give no argument");
        }
        this.messages = messages;
        this.communicator = communicator;
        this.codec = codec;
    }

    /** As {@link Communicator#objects()}, on behalf of a program of which this is a class. */
    public static ObjectSpace<Object> of(Communicator communicator, Class<?> program) {
        return new ObjectSpace<>(communicator, new SerialCodec(communicator.layer.options(), program, false));
    }

    /**
     * How {@link #of} writes and reads objects, except that all classes of the program's class path are its own, and
     * objects may be 500 deep in each other: for layers that send their bytes themselves, and whose programs know of no
     * filter. An {@code Object[]} is written as its items, so that none of them may refer to it.
     */
    public static Codec<Object> codec(MessageSpace communicator, Class<?> program) {
        return new SerialCodec(communicator.layer.options(), program, true);
    }

    /** As {@link #ireceive(int, int)}, on what may be an intercommunicator. */
    public static <T> ObjectReceive<T> ireceive(AgreedSpace messages, Codec<T> codec, int source, int tag) {
        return new ObjectSpace<>(messages, null, codec).ireceive(source, tag);
    }

    /** What a rank has for others: its bytes, or why there are none. */
    private static final class Outgoing {
        byte[] bytes;
        RuntimeException failure;

        int length() {
            return failure == null ? bytes.length : NOTHING;
        }
    }

    // --- messages ----------------------------------------------------------------------------------------------------

    /** As {@link MessageSpace#send(Object, int, int)}. */
    public void send(T value, int dest, int tag) {
        messages.send(encode(value), dest, tag);
    }

    /** As {@link MessageSpace#ssend(Object, int, int)}. */
    public void ssend(T value, int dest, int tag) {
        messages.ssend(encode(value), dest, tag);
    }

    /** As {@link MessageSpace#isend(Object, int, int)}; the object may change as soon as this returns. */
    public Request isend(T value, int dest, int tag) {
        return messages.isend(encode(value), dest, tag);
    }

    /** As {@link MessageSpace#issend(Object, int, int)}; the object may change as soon as this returns. */
    public Request issend(T value, int dest, int tag) {
        return messages.issend(encode(value), dest, tag);
    }

    /** Waits for an object and takes it; null of PROC_NULL. */
    public T receive(int source, int tag) {
        return receive(source, tag, new Status());
    }

    /** As {@link #receive(int, int)}; the status gets the message's, in bytes, also where the object is refused. */
    public T receive(int source, int tag, Status status) {
        if (source == MessageSpace.PROC_NULL) {
            messages.recv(new byte[0], source, tag, status);
            return null;
        }
        return receive(messages.mprobe(source, tag), status);
    }

    /** Takes the object of a message that a matched probe of this communicator has found. */
    public T receive(Message message, Status status) {
        Status found = message.status();
        int source = found.source();
        status.set(source, found.tag(), found.contextId(), found.bytes(), 1, ErrorCode.NONE);
        byte[] bytes = received(message, found);
        return decode(bytes, 0, bytes.length, source);
    }

    /**
     * Begins to receive an object. Of several that wait, {@link #receive} among them, the first that was begun has the
     * first message; receives of buffers that wait come before.
     */
    public ObjectReceive<T> ireceive(int source, int tag) {
        return new ObjectReceive<>(this, messages, messages.taking(source, tag)).begin();
    }

    /** For the bytes of a message. */
    byte[] room(Status found) {
        if (found.bytes() > MOST_BYTES) {
            throw refused(found.source(), found.bytes() + " bytes, more than an array can have", null);
        }
        return new byte[(int) found.bytes()];
    }

    /** @param refusal why there are none, or null */
    T decoded(byte[] bytes, Throwable refusal, int source) {
        if (refusal instanceof Error) {
            throw (Error) refusal;
        }
        if (refusal != null) {
            throw (RuntimeException) refusal;
        }
        return decode(bytes, 0, bytes.length, source);
    }

    private byte[] received(Message message, Status found) {
        byte[] bytes;
        try {
            bytes = room(found);
        } catch (RuntimeException | OutOfMemoryError e) {
            consume(message);
            throw e;
        }
        message.recv(bytes);
        return bytes;
    }

    private static void consume(Message message) {
        try {
            message.recv(new byte[0]);
        } catch (SluiceException e) {
            if (e.code() != ErrorCode.TRUNCATED) {
                throw e;
            }
        }
    }

    /** Sends one and receives another; neither waits for the other. */
    public T sendReceive(T value, int dest, int sendTag, int source, int receiveTag) {
        messages.checkReceive(new byte[0], source, receiveTag);
        Request sent = isend(value, dest, sendTag);
        try {
            return receive(source, receiveTag);
        } finally {
            sent.waitFor();
        }
    }

    // --- collectives -------------------------------------------------------------------------------------------------

    /** The root's object for all; at the root it is the very same. */
    public T broadcast(T value, int root) {
        return broadcast(value, communicator.rank() == root ? tried(value) : null, root);
    }

    private T broadcast(T value, Outgoing own, int root) {
        int[] length = {own == null ? 0 : own.length()};
        communicator.broadcast(length, root);
        check(own, length[0], root);
        byte[] bytes = own == null ? new byte[length[0]] : own.bytes;
        communicator.broadcast(bytes, root);
        return own == null ? decode(bytes, 0, bytes.length, root) : value;
    }

    /** The objects of all ranks, in their order, at the root; null at the others. */
    public List<T> gather(T value, int root) {
        Gathered gathered = collect(value, root);
        return gathered == null ? null : gathered.upTo(communicator.size());
    }

    /** As {@link #gather}, at all ranks. */
    public List<T> allGather(T value) {
        return collectAll(value).upTo(communicator.size());
    }

    /** @param values at the root one for each rank; at others it isn't looked at */
    public T scatter(List<T> values, int root) {
        boolean isRoot = communicator.rank() == root;
        Outgoing[] all = isRoot ? triedAll(values, MOST_BYTES) : null;
        int[] lengths = isRoot ? lengths(all) : null;
        int[] own = new int[1];
        communicator.scatter(lengths, own, root);
        check(isRoot ? all[0] : null, own[0], root);
        byte[] bytes = new byte[own[0]];
        communicator.scatterBlocks(isRoot ? blocks(joined(all), lengths) : null, bytes, root);
        return decode(bytes, 0, bytes.length, root);
    }

    /** An object of each rank for each: the i-th of rank j becomes the j-th of rank i. */
    public List<T> allToAll(List<T> values) {
        int size = communicator.size();
        Outgoing[] all = triedAll(values, MOST_BYTES / size);
        int[] out = lengths(all);
        int[] in = new int[size];
        communicator.allToAll(out, in);
        for (int rank = 0; rank < size; rank++) {
            check(rank == communicator.rank() ? all[0] : null, in[rank], rank);
        }
        byte[] bytes = new byte[total(in)];
        communicator.allToAllBlocks(blocks(joined(all), out), blocks(bytes, in));
        return new Gathered(bytes, in).upTo(size);
    }

    /** All objects, reduced one after the other in the order of ranks, at the root; null at the others. */
    public T reduce(T value, BinaryOperator<T> operator, int root) {
        checkOperator(operator);
        Gathered gathered = collect(value, root);
        return gathered == null ? null : gathered.reduced(communicator.size(), operator);
    }

    /** As {@link #reduce}, at all ranks: rank 0 does it, and tells the others. */
    public T allReduce(T value, BinaryOperator<T> operator) {
        checkOperator(operator);
        Gathered gathered = collect(value, 0);
        if (gathered == null) {
            return broadcast(null, null, 0);
        }
        T result = null;
        Outgoing own = new Outgoing();
        try {
            result = gathered.reduced(communicator.size(), operator);
            own = tried(result);
        } catch (RuntimeException e) {
            own.failure = e;
        }
        return broadcast(result, own, 0);
    }

    /** Of the ranks up to this one. */
    public T scan(T value, BinaryOperator<T> operator) {
        checkOperator(operator);
        return collectAll(value).reduced(communicator.rank() + 1, operator);
    }

    /** As {@link #scan} without this rank's own; null at rank 0. */
    public T exclusiveScan(T value, BinaryOperator<T> operator) {
        checkOperator(operator);
        Gathered gathered = collectAll(value);
        return communicator.rank() == 0 ? null : gathered.reduced(communicator.rank(), operator);
    }

    private static void checkOperator(BinaryOperator<?> operator) {
        if (operator == null) {
            throw new IllegalArgumentException("the operator is null: give one that reduces two objects to one");
        }
    }

    // --- how they are done -------------------------------------------------------------------------------------------

    /** Of several ranks, one after the other. */
    private final class Gathered {
        private final byte[] bytes;
        private final int[] lengths;

        Gathered(byte[] bytes, int[] lengths) {
            this.bytes = bytes;
            this.lengths = lengths;
        }

        List<T> upTo(int count) {
            List<T> values = new ArrayList<>(count);
            int at = 0;
            for (int rank = 0; rank < count; rank++) {
                values.add(decode(bytes, at, lengths[rank], rank));
                at += lengths[rank];
            }
            return values;
        }

        T reduced(int count, BinaryOperator<T> operator) {
            List<T> values = upTo(count);
            T result = values.get(0);
            for (T next : values.subList(1, count)) {
                result = operator.apply(result, next);
            }
            return result;
        }
    }

    /** Null where this isn't the root. */
    private Gathered collect(T value, int root) {
        Outgoing own = tried(value);
        int[] lengths = exchanged(own);
        boolean isRoot = communicator.rank() == root;
        byte[] all = isRoot ? new byte[total(lengths)] : null;
        communicator.gatherBlocks(own.bytes, isRoot ? blocks(all, lengths) : null, root);
        return isRoot ? new Gathered(all, lengths) : null;
    }

    private Gathered collectAll(T value) {
        Outgoing own = tried(value);
        int[] lengths = exchanged(own);
        byte[] all = new byte[total(lengths)];
        communicator.allGatherBlocks(own.bytes, blocks(all, lengths));
        return new Gathered(all, lengths);
    }

    /** All ranks know all lengths, so that all of them find out whether there is something amiss. */
    private int[] exchanged(Outgoing own) {
        int[] lengths = new int[communicator.size()];
        communicator.allGather(new int[] {own.length()}, lengths);
        for (int rank = 0; rank < lengths.length; rank++) {
            check(rank == communicator.rank() ? own : null, lengths[rank], rank);
        }
        total(lengths);
        return lengths;
    }

    private static int total(int[] lengths) {
        long sum = 0;
        for (int length : lengths) {
            sum += length;
        }
        if (sum > MOST_BYTES) {
            throw new IllegalArgumentException("the objects have " + sum + " bytes together; at most " + MOST_BYTES);
        }
        return (int) sum;
    }

    private static Data blocks(byte[] bytes, int[] lengths) {
        int[] displacements = new int[lengths.length];
        for (int i = 1; i < lengths.length; i++) {
            displacements[i] = displacements[i - 1] + lengths[i - 1];
        }
        return Data.blocks(bytes, lengths, displacements);
    }

    private static int[] lengths(Outgoing[] all) {
        int[] lengths = new int[all.length];
        for (int i = 0; i < all.length; i++) {
            lengths[i] = all[i].length();
        }
        return lengths;
    }

    private static byte[] joined(Outgoing[] all) {
        byte[] joined = new byte[total(lengths(all))];
        int at = 0;
        for (Outgoing each : all) {
            System.arraycopy(each.bytes, 0, joined, at, each.bytes.length);
            at += each.bytes.length;
        }
        return joined;
    }

    /** What it throws is for the caller, once the others know that nothing comes. */
    private Outgoing tried(T value) {
        Outgoing outgoing = new Outgoing();
        try {
            outgoing.bytes = encode(value);
        } catch (RuntimeException e) {
            outgoing.failure = e;
        }
        return outgoing;
    }

    /** Where one has failed, all have. */
    private Outgoing[] triedAll(List<T> values, int mostBytes) {
        int size = communicator.size();
        Outgoing[] all = new Outgoing[size];
        RuntimeException failure = values != null && values.size() == size
                ? null
                : new IllegalArgumentException("one object for each of " + size + " ranks is needed, and there are "
                        + (values == null ? "none" : values.size()));
        long sum = 0;
        for (int i = 0; i < size; i++) {
            all[i] = failure == null ? tried(values.get(i)) : new Outgoing();
            failure = failure == null ? all[i].failure : failure;
            sum += failure == null ? all[i].bytes.length : 0;
            if (failure == null && (sum > MOST_BYTES || all[i].bytes.length > mostBytes)) {
                failure = new IllegalArgumentException("an object of " + all[i].bytes.length + " bytes is too much"
                        + " here: each may have " + mostBytes + ", and all of them " + MOST_BYTES);
            }
        }
        for (Outgoing each : all) {
            each.failure = failure;
        }
        return all;
    }

    /** @param own null for what another rank has */
    private void check(Outgoing own, int length, int rank) {
        if (own != null && own.failure != null) {
            throw own.failure;
        }
        if (length < 0) {
            throw new SluiceException(
                    ErrorCode.COLLECTIVE_FAILED,
                    communicator.inDevice(rank),
                    "rank " + rank + " of " + communicator + " has no object to send: what it threw says why",
                    null);
        }
    }

    private byte[] encode(T value) {
        try {
            return codec.encode(value);
        } catch (IOException | StackOverflowError e) {
            throw new IllegalArgumentException(
                    "an object of " + (value == null ? "null" : value.getClass().getTypeName()) + " can't be sent: " + e
                            + "; it has to be serializable, or a codec has to be given",
                    e);
        }
    }

    /** Nothing that a message has is an error of this JVM's. */
    private T decode(byte[] bytes, int offset, int length, int source) {
        try {
            return codec.decode(ByteBuffer.wrap(bytes, offset, length).slice());
        } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError | LinkageError e) {
            String words = e.getMessage() == null ? e.toString() : e.getMessage();
            throw refused(source, words, e);
        }
    }

    private ObjectRefusedException refused(int source, String why, Throwable cause) {
        return new ObjectRefusedException(
                source,
                "rank " + source + " of " + messages.name() + " sent an object that isn't taken: " + why,
                cause);
    }
}
