package org.sluice.ib.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * What the simulated device has made and not taken back, by handle, and what was asked of it that a real library would
 * crash on.
 */
final class Objects {
    static final int EINVAL = 22;
    static final int EBUSY = 16;

    private final Map<Long, Object> living = new HashMap<>();
    private final Map<Integer, Region> regions = new HashMap<>();
    private final Map<Integer, Object> descriptors = new HashMap<>();
    private final List<String> wrongs = new ArrayList<>();
    private long last = 0x1000;
    private int lastDescriptor = 1_000_000;

    /** A protection domain. */
    static final class Domain {
        int users;
    }

    /** Where completions are told. */
    static final class Channel {
        int descriptor;
        int users;
        int events;
    }

    static final class CompletionQueue {
        Channel channel;
        int capacity;
        int users;
        boolean isArmed;
        final ArrayDeque<Completion> entries = new ArrayDeque<>();
    }

    record Completion(long id, int status, int opcode, int bytes, int immediate, long queuePair) {}

    static final class ReceiveQueue {
        long handle;
        Domain domain;
        int users;
        int limit;
        final ArrayDeque<long[]> posted = new ArrayDeque<>();
    }

    record Region(Domain domain, long address, long bytes, int access, int key) {
        boolean allows(Domain of, long from, long length, int wanted) {
            return domain == of && (access & wanted) == wanted && from >= address && from + length <= address + bytes;
        }
    }

    static final class QueuePair {
        long handle;
        long number;
        Domain domain;
        CompletionQueue queue;
        ReceiveQueue receives;
        QueuePair peer;
        int inline;
        boolean isConnected;
        boolean isFailed;
        boolean isGone;
        final ArrayDeque<Work> waiting = new ArrayDeque<>();
    }

    /** Where the connection manager tells what happens. */
    static final class EventChannel {
        int descriptor;
        int users;
        final ArrayDeque<Event> events = new ArrayDeque<>();
    }

    record Event(int kind, int status, Identifier of, byte[] data) {}

    /** Of the connection manager. */
    static final class Identifier {
        long handle;
        EventChannel channel;
        int port;
        boolean isBound;
        boolean listens;
        boolean hasRoute;
        boolean isRequest;
        boolean isAnswered;
        boolean isEstablished;
        boolean isGone;
        QueuePair queuePair;
        Identifier peer;
    }

    static final class Bell {
        boolean isRung;
    }

    /** The device itself, which nobody gives back. */
    static final class Context {
        int descriptor;
        /** What its port says, and holds to. */
        long mostMessageBytes = 1L << 31;

        final ArrayDeque<long[]> events = new ArrayDeque<>();
    }

    long add(Object made) {
        last += 0x100;
        living.put(last, made);
        if (made instanceof Region region) {
            regions.put(region.key(), region);
        }
        return last;
    }

    int describe(Object waitedFor) {
        descriptors.put(++lastDescriptor, waitedFor);
        return lastDescriptor;
    }

    Object ofDescriptor(int descriptor) {
        return descriptors.get(descriptor);
    }

    void close(int descriptor) {
        if (descriptors.remove(descriptor) == null) {
            wrong("descriptor " + descriptor + " is closed and is none");
        }
    }

    /** The object of a handle; null, and noted, where there is none. */
    <T> T get(Class<T> type, long handle) {
        Object found = living.get(handle);
        if (!type.isInstance(found)) {
            wrong("a call with " + type.getSimpleName() + " " + Long.toHexString(handle) + ", which is " + found);
            return null;
        }
        return type.cast(found);
    }

    <T> T find(Class<T> type, Predicate<T> is) {
        return living.values().stream()
                .filter(type::isInstance)
                .map(type::cast)
                .filter(is)
                .findFirst()
                .orElse(null);
    }

    <T> List<T> all(Class<T> type) {
        return living.values().stream().filter(type::isInstance).map(type::cast).toList();
    }

    void remove(long handle) {
        if (living.remove(handle) instanceof Region region) {
            regions.remove(region.key());
        }
    }

    void wrong(String what) {
        wrongs.add(what);
    }

    List<String> wrongs() {
        return List.copyOf(wrongs);
    }

    /** Of each kind how many live, without the device. */
    Map<String, Integer> living() {
        Map<String, Integer> found = new HashMap<>();
        living.values().stream()
                .filter(each -> !(each instanceof Context))
                .forEach(each -> found.merge(each.getClass().getSimpleName(), 1, Integer::sum));
        return found;
    }

    Region region(int key) {
        return regions.get(key);
    }

    static int remote(boolean isRead) {
        return isRead ? VerbsCalls.ACCESS_REMOTE_READ : VerbsCalls.ACCESS_REMOTE_WRITE;
    }
}
