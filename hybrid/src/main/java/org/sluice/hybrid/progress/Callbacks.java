package org.sluice.hybrid.progress;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sluice.hybrid.request.Callback;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.request.Guard;

/**
 * Completions that somebody wants to be called back for: how many are awaited, and those that ended and are to be told
 * outside the lock. Each has its place among those from when it is wanted, so that an end allocates nothing.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Fails</i>: never, see {@link #runAndUnlock}. <i>Proof</i>:
 * {@code CallbacksTest}, {@code ProgressEngineTest}, {@code UnlockTest}.
 */
final class Callbacks {
    private static final int FEW = 16;
    /** Source, tag and context of what matched no message that anybody still knows. */
    private static final int NOBODYS = -1;

    /** A ring, whose length is a power of two. */
    private Completion[] ended = new Completion[FEW];

    private int first;
    private int count;
    /** Those that are awaited, and those that have ended and were not told. */
    private int wanted;
    /**
     * Each that is wanted, among others that are over: for {@link #endLost} alone, so that those leave when there is no
     * place for one more, or when nobody waits.
     */
    private Completion[] known = new Completion[FEW];

    private int knownCount;

    private final Needs needs;
    private final Duty duty;
    private final Guard guard;
    private final WaitLog waits;
    private final List<Server> servers = new ArrayList<>();
    private Server spare;

    /** A thread that is telling them. */
    private static final class Server {
        private Thread thread;
        /** What it has taken out of the ring and not told to the end; null also where its stack did not let it. */
        private Completion telling;
    }

    Callbacks(Needs needs, Duty duty, Guard guard, WaitLog waits) {
        this.needs = needs;
        this.duty = duty;
        this.guard = guard;
        this.waits = waits;
    }

    /** Has a place for one more. */
    private void reserve() {
        if (wanted == ended.length) {
            Completion[] larger = new Completion[2 * ended.length];
            for (int i = 0; i < count; i++) {
                larger[i] = ended[first + i & ended.length - 1];
            }
            ended = larger;
            first = 0;
        }
        if (knownCount == known.length) {
            forgetThoseThatAreOver();
        }
    }

    private void forgetThoseThatAreOver() {
        int before = knownCount;
        knownCount = 0;
        for (int i = 0; i < before; i++) {
            Completion completion = known[i];
            known[i] = null;
            if (!completion.isReached() || isUntold(completion)) {
                known[knownCount++] = completion;
            }
        }
        if (knownCount > known.length / 2) {
            known = Arrays.copyOf(known, 2 * known.length);
        }
    }

    private static boolean isUntold(Completion completion) {
        Callback callback = completion.callback();
        return callback != null && callback.isWaiting();
    }

    void want(Completion completion) {
        reserve();
        known[knownCount++] = completion;
        wanted++;
        needs.add();
    }

    /** One that was wanted. */
    void add(Completion completion) {
        ended[first + count++ & ended.length - 1] = completion;
        waits.over(completion);
    }

    /** Whether somebody is still to be called. */
    boolean areWanted() {
        return wanted > 0;
    }

    boolean isEmpty() {
        return count == 0;
    }

    private Completion poll() {
        Completion completion = ended[first];
        ended[first] = null;
        first = first + 1 & ended.length - 1;
        count--;
        wanted--;
        return completion;
    }

    /**
     * Tells all of them. With the lock held; lets go of it while a callback runs, and for good at the end. Throws
     * nothing.
     *
     * <p>None is told within another: a callback that calls the device would run the next inside itself, and so on.
     */
    void runAndUnlock(ProgressLock lock) {
        Server server = isEmpty() ? null : server(Thread.currentThread());
        if (server == null) {
            lock.unlock();
            return;
        }
        try {
            while (!isEmpty()) {
                Completion completion = poll();
                server.telling = completion;
                needs.remove();
                Callback callback = completion.callback();
                lock.unlock();
                StackOverflowError lost = Callback.tell(callback, completion);
                if (lost != null) {
                    guard.caught = lost;
                }
                lock.lock();
                server.telling = null;
            }
        } catch (Error e) {
            // There may be no stack for a call. The lock is free, or found by the next who wants it.
            guard.caught = e;
            server.telling = null;
            server.thread = null;
            throw e;
        }
        servers.remove(server);
        server.thread = null;
        spare = server;
        if (wanted == 0 && servers.isEmpty() && guard.caught == null) {
            Arrays.fill(known, 0, knownCount, null);
            knownCount = 0;
        }
        lock.unlock();
    }

    /** @return null where it is one already */
    private Server server(Thread thread) {
        for (int i = 0; i < servers.size(); i++) {
            if (servers.get(i).thread == thread) {
                return null;
            }
        }
        Server server = spare == null ? new Server() : spare;
        spare = null;
        server.thread = thread;
        servers.add(server);
        return server;
    }

    /**
     * After everything has ended, where a call was left half-way: what is in no list any more ends with this failure,
     * and who was to be told of an end, and was not, will be.
     */
    void endLost(Failure failure) {
        for (; wanted > 0; wanted--) {
            needs.remove();
        }
        // Those are known, too: each is found once.
        Arrays.fill(ended, null);
        count = 0;
        Completion[] all = Arrays.copyOf(known, knownCount);
        knownCount = 0;
        for (Completion completion : all) {
            if (!completion.isReached()) {
                boolean isToBeTold = completion.fail(failure, NOBODYS, NOBODYS, NOBODYS, 0, 0);
                waits.over(completion);
                if (isToBeTold) {
                    tellOnce(completion);
                }
            } else if (isBeingTold(completion)) {
                known[knownCount++] = completion;
            } else if (isUntold(completion)) {
                tellOnce(completion);
            }
        }
    }

    private boolean isBeingTold(Completion completion) {
        for (Server server : servers) {
            if (server.telling == completion) {
                return true;
            }
        }
        return false;
    }

    private void tellOnce(Completion completion) {
        want(completion);
        ended[first + count++ & ended.length - 1] = completion;
    }
}
