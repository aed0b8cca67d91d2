package org.sluice.bench.rank;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import org.sluice.bench.plan.Step;

/**
 * The floor of objects: Java's serialization alone. In the place of each message rank 0 writes the object to an array
 * and reads it again; the other rank has nothing to do.
 */
final class SerializationExchange implements Exchange {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final boolean works;
    private Object object;
    private int size;

    SerializationExchange(int rank) {
        works = rank == 0;
    }

    @Override
    public void prepare(Step step) {
        size = step.size();
        object = Lists.of(size);
    }

    @Override
    public ByteBuffer outgoing() {
        return NOTHING;
    }

    @Override
    public ByteBuffer incoming() {
        return NOTHING;
    }

    @Override
    public void post(int rank, int slot) {
        if (works) {
            Lists.check(read(written()), size);
        }
    }

    private byte[] written() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return bytes.toByteArray();
    }

    private static Object read(byte[] bytes) {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the other rank would have sent. */
    @Override
    public void expect(int rank, int slot) {
        post(rank, slot);
    }

    @Override
    public void finish() {
        // Nothing is pending.
    }

    @Override
    public void acknowledge(int rank) {
        // Nothing to answer.
    }

    @Override
    public void awaitAcknowledge(int rank) {
        // Nothing to wait for.
    }

    @Override
    public void close() {
        // Nothing but memory.
    }
}
