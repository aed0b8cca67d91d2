package org.sluice.mpi;

import java.util.ArrayList;
import java.util.List;

/**
 * The values that a program has set of one communicator, the last set at the end. <i>Thread</i>: any; no lock is held
 * while callbacks run.
 */
final class Attributes {
    private record Attribute(AttributeKey<?> key, Object value) {}

    private final List<Attribute> attributes = new ArrayList<>();

    private synchronized Attribute find(AttributeKey<?> key) {
        for (Attribute each : attributes) {
            if (each.key == key) {
                return each;
            }
        }
        return null;
    }

    private synchronized Attribute last() {
        return attributes.isEmpty() ? null : attributes.get(attributes.size() - 1);
    }

    private synchronized void remove(Attribute attribute) {
        attributes.removeIf(each -> each == attribute);
    }

    private synchronized List<Attribute> all() {
        return new ArrayList<>(attributes);
    }

    private synchronized void add(AttributeKey<?> key, Object value) {
        attributes.add(new Attribute(key, value));
    }

    /** Null where there is none. */
    <T> T get(AttributeKey<T> key) {
        Attribute found = find(key);
        return found == null ? null : key.cast(found.value);
    }

    /** The value that was there before stays if its delete callback throws. */
    <T> void set(AnyCommunicator owner, AttributeKey<T> key, T value) {
        delete(owner, key);
        add(key, value);
    }

    void delete(AnyCommunicator owner, AttributeKey<?> key) {
        Attribute found = find(key);
        if (found != null) {
            key.delete(owner, found.value);
            remove(found);
        }
    }

    /**
     * Deletes all, the last set first, whatever callbacks throw.
     *
     * @return what the first that failed has thrown, or null
     */
    RuntimeException deleteAll(AnyCommunicator owner) {
        RuntimeException first = null;
        for (Attribute each = last(); each != null; each = last()) {
            remove(each);
            try {
                each.key.delete(owner, each.value);
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else if (first != e) {
                    first.addSuppressed(e);
                }
            }
        }
        return first;
    }

    /** What a duplicate of their communicator is to have, in the order in which they were set. */
    void copyTo(Attributes copies, AnyCommunicator owner) {
        for (Attribute each : all()) {
            Object copy = each.key.copied(owner, each.value);
            if (copy != null) {
                copies.add(each.key, copy);
            }
        }
    }
}
