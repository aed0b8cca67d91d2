package org.sluice.cli.vm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Boots the guests of a request, lets them begin together, and ends them together when all commands have ended.
 *
 * <p><i>Thread</i>: one. <i>Owns</i>: the guests, which die with that thread. <i>Fails</i>: with {@link VmFailure},
 * which names the logs; they are kept then. <i>Proof</i>: {@code VmProcessTest}.
 */
public final class VmRun {
    /** The status for a command that took too long, as that of timeout(1). */
    public static final int TIMED_OUT = 124;

    /** Nobody sees it: a JVM that a signal ends has a status already. */
    private static final int TERMINATED = 143;

    private static final int BOOT_LIMIT_S = 240;
    private static final int END_LIMIT_MS = 20_000;
    private static final int NO_LIMIT_S = Integer.MAX_VALUE;
    private static final String READY = "ready";
    private static final String STATUS = "status ";
    private static final String ERROR = "error ";

    private final VmRequest request;
    private final GuestOutput output;
    private final List<Guest> guests = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Guest.Event> events = new LinkedBlockingQueue<>();
    private final String mark = EndMark.random();
    private volatile boolean killed;
    private volatile boolean ending;
    private volatile VmFolders folders;

    public VmRun(VmRequest request, GuestOutput output) {
        this.request = request;
        this.output = output;
    }

    /** @return the first status of a node's command that isn't 0, in the order in which they ended */
    public int run() throws IOException, InterruptedException {
        prepare();
        folders = VmFolders.create(request.home());
        Thread hook = new Thread(this::interrupted, "vm-kill");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            Accelerator accelerator = Accelerator.choose(folders);
            int status = boot(accelerator);
            folders.forget();
            return status;
        } catch (IOException e) {
            if (ending) {
                // The guests were killed because this JVM ends: that they are gone is no news.
                return TERMINATED;
            }
            throw e;
        } finally {
            kill();
            for (Guest guest : guests) {
                guest.awaitEnd(END_LIMIT_MS);
            }
            folders.close();
            removeHook(hook);
        }
    }

    /** This JVM is to end: nobody asks for logs. */
    private void interrupted() {
        ending = true;
        kill();
        try {
            for (Guest guest : guests) {
                guest.awaitEnd(END_LIMIT_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        folders.close();
        folders.forget();
    }

    /** Ends all guests at once. <i>Thread</i>: any. */
    private void kill() {
        killed = true;
        guests.forEach(Guest::kill);
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // This JVM is ending, and the hook does its work.
            return;
        }
    }

    /** Packages and what guests boot from; quick when all is there. */
    private void prepare() throws IOException, InterruptedException {
        Path script = request.home().resolve("tools/vm/prepare.sh");
        if (!Files.exists(script)) {
            throw new VmFailure("guests boot with the scripts of a checkout, and " + script
                    + " does not exist: run ./sluice vm in one");
        }
        int status = new ProcessBuilder("bash", script.toString())
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new VmFailure("what the VM needs is not here (see above)");
        }
    }

    private int boot(Accelerator accelerator) throws IOException, InterruptedException {
        HostShare share = HostShare.of(request.nodes(), request.processors(), accelerator);
        OptionalLong counter = accelerator == Accelerator.TCG ? HostCounter.khz() : OptionalLong.empty();
        for (int node = 0; node < request.nodes(); node++) {
            Path start = folders.guest(node).resolve("start");
            Files.writeString(start, GuestScript.text(request, node, folders.out(), mark));
            awaitLink(node);
            guests.add(Guest.start(
                    node,
                    QemuCommand.guest(request, node, folders, accelerator, share, counter),
                    folders,
                    mark,
                    output,
                    events));
            if (killed) {
                kill();
            }
        }
        awaitReady(accelerator);
        for (Guest guest : guests) {
            guest.tell("go");
        }
        return awaitStatus();
    }

    /** Node 0 connects its own sockets after it has opened those for the others; this only makes sure. */
    private void awaitLink(int node) throws IOException, InterruptedException {
        for (int tries = 0; node > 0 && !Files.exists(QemuCommand.link(node, folders)); tries++) {
            if (tries == 500 || !guests.get(0).isAlive()) {
                throw new VmFailure("node 0 does not wait for node " + node + folders.lastLines("node0"));
            }
            Thread.sleep(20);
        }
    }

    private void awaitReady(Accelerator accelerator) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOOT_LIMIT_S);
        for (int ready = 0; ready < guests.size(); ) {
            Guest.Event event = next(deadline);
            if (event == null) {
                throw failure(waitingFor(), "does not come up within " + BOOT_LIMIT_S + " s under " + accelerator);
            }
            checkError(event);
            if (event.line() == null) {
                throw failure(event.node(), "ended while it booted (a panic?)");
            }
            ready += event.line().equals(READY) ? 1 : 0;
        }
    }

    /** The first node that is silent: all of its events would have been read. */
    private int waitingFor() {
        return guests.get(guests.size() - 1).node();
    }

    private int awaitStatus() throws IOException, InterruptedException {
        long began = System.nanoTime();
        long limitS = request.timeoutS() == 0 ? NO_LIMIT_S : request.timeoutS();
        long deadline = began + TimeUnit.SECONDS.toNanos(limitS);
        int status = 0;
        List<Guest> left = new ArrayList<>(guests);
        List<Guest> gone = new ArrayList<>();
        while (!left.isEmpty()) {
            Guest.Event event = next(deadline);
            if (event == null) {
                kill();
                throw new VmTimeout(
                        "the command did not end within --timeout " + request.timeoutS() + ": its guest is killed");
            }
            Guest guest = guests.get(event.node());
            checkError(event);
            if (event.line() == null) {
                if (left.contains(guest) && !request.faults().powersOff(event.node())) {
                    throw failure(event.node(), "ended before its command did (a panic?)");
                }
                left.remove(guest);
                gone.add(guest);
            } else if (event.line().startsWith(STATUS)) {
                left.remove(guest);
                status = status == 0 ? Integer.parseInt(event.line().substring(STATUS.length())) : status;
            }
        }
        List<Guest> running = new ArrayList<>(guests);
        running.removeAll(gone);
        end(running);
        return status;
    }

    /** Nodes are needed by each other until all commands have ended. */
    private void end(List<Guest> running) throws IOException, InterruptedException {
        for (Guest guest : running) {
            if (!guest.awaitOutput(END_LIMIT_MS)) {
                throw failure(guest.node(), "holds back the end of its command's output");
            }
        }
        for (Guest guest : running) {
            guest.tell("off");
        }
        for (Guest guest : running) {
            // What it had to say is here: that it can't power off is no reason to fail.
            guest.awaitEnd(END_LIMIT_MS);
        }
    }

    private Guest.Event next(long deadline) throws InterruptedException {
        return events.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void checkError(Guest.Event event) throws VmFailure {
        if (event.line() != null && event.line().startsWith(ERROR)) {
            throw failure(event.node(), event.line().substring(ERROR.length()));
        }
    }

    private VmFailure failure(int node, String what) {
        return new VmFailure("the guest" + (request.nodes() > 1 ? " of node " + node : "")
                + (killed ? " was killed" : " " + what) + folders.lastLines("node" + node));
    }
}
