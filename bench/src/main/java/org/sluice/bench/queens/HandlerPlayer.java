package org.sluice.bench.queens;

import org.sluice.device.Device;
import org.sluice.device.Handlers;
import org.sluice.device.Lease;

/**
 * Message-driven: a task's handler puts it on the stack, from which the rank works when it makes no progress. A rank
 * that has nothing to do gives back its credit; when rank 0 has all of it, all is done.
 *
 * <p>Handlers may run on the device's thread while the rank's works, so what they change is behind the lock.
 * <i>Thread</i>: the rank's. <i>Lends</i>: the device from the caller. <i>Fails</i>: {@link IllegalStateException} for
 * a task that is wrong, which ends the rank and so the job.
 */
final class HandlerPlayer implements Player {
    private static final int TASK = 1;
    private static final int CREDIT = 2;
    private static final int DONE = 3;

    private final Device device;
    private final Handlers handlers;
    private final long[] returned = new long[1];
    private final Task arriving = new Task();
    private QueensProblem problem;
    private TaskStack tasks;
    private Worker worker;
    /** Under the lock, as all that follow: what rank 0 has of all. */
    private long credit;

    private boolean waits;
    private boolean done;
    private RuntimeException failure;

    HandlerPlayer(Device device) {
        this.device = device;
        handlers = device.handlers();
        handlers.register(TASK, (source, message) -> arrived(message));
        handlers.register(CREDIT, (source, message) -> add(message.getLong(0)));
        handlers.register(DONE, (source, message) -> done());
    }

    @Override
    public synchronized void begin(QueensProblem newProblem) {
        problem = newProblem;
        tasks = new TaskStack();
        worker = new Worker(
                problem,
                device.rank(),
                device.size(),
                tasks,
                (rank, task) -> handlers.syncSend(rank, TASK, task.longs));
        credit = 0;
        done = false;
    }

    @Override
    public RankShare play() {
        Task task = new Task();
        long begin = System.nanoTime();
        long idleNs = 0;
        if (device.rank() == 0) {
            task.begin(problem.queens());
            tasks.push(task);
        }
        while (!isDone()) {
            if (tasks.pop(task)) {
                worker.run(task);
                device.progress();
                continue;
            }
            giveBack();
            if (hasToWait()) {
                long before = System.nanoTime();
                handlers.serve();
                idleNs += System.nanoTime() - before;
            }
        }
        long wholeNs = System.nanoTime() - begin;
        if (device.rank() == 0) {
            handlers.broadcast(DONE, null);
        }
        return worker.share(idleNs, wholeNs);
    }

    private void giveBack() {
        long taken = worker.takeCredit();
        if (taken > 0 && device.rank() == 0) {
            add(taken);
        } else if (taken > 0) {
            returned[0] = taken;
            handlers.syncSend(0, CREDIT, returned);
        }
    }

    /** Once it is so, whatever comes wakes the rank. */
    private synchronized boolean hasToWait() {
        waits = !done && failure == null && tasks.isEmpty();
        return waits;
    }

    private synchronized boolean isDone() {
        if (failure != null) {
            throw failure;
        }
        return done;
    }

    private synchronized void arrived(Lease message) {
        try {
            arriving.take(message);
            if (problem.verify()) {
                arriving.check(problem.queens());
            }
            tasks.push(arriving);
            wake();
        } catch (IllegalStateException e) {
            fail(e);
        }
    }

    private synchronized void add(long more) {
        credit += more;
        if (credit == Task.ALL_CREDIT) {
            done();
        }
    }

    private synchronized void done() {
        done = true;
        wake();
    }

    private synchronized void fail(RuntimeException e) {
        failure = e;
        wake();
    }

    private void wake() {
        if (waits) {
            waits = false;
            handlers.stop();
        }
    }

    @Override
    public void close() {
        handlers.deregister(TASK);
        handlers.deregister(CREDIT);
        handlers.deregister(DONE);
    }
}
