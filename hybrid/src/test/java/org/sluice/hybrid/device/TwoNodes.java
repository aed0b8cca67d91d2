package org.sluice.hybrid.device;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;
import org.sluice.device.option.Option;
import org.sluice.device.random.Unguessable;
import org.sluice.launch.JobServer;
import org.sluice.launch.MeetingPlace;

/**
 * Runs the same cases in two guests at once, each with half of the ranks: the first half of a job lives in guest 0, the
 * rest in guest 1. Both JVMs run the same classes in the same order, and wait for each other before each case, after
 * what the ranks of a job do, and around a job's end. A case that asks for a rank that isn't here is left, and counts
 * as passed where the other guest could run it to its end.
 *
 * <p><i>Thread</i>: the test's. <i>Owns</i>: a line to the other guest for each case. <i>Fails</i>: both, when one
 * does.
 */
final class TwoNodes
        implements BeforeAllCallback,
                AfterAllCallback,
                BeforeEachCallback,
                AfterTestExecutionCallback,
                AfterEachCallback,
                TestExecutionExceptionHandler {
    private static final String FIRST_ADDRESS = "10.9.0.1";
    private static final int FIRST_PORT = 7300;
    private static final int PORTS = 1000;
    /** The other JVM starts at another time, and may have classes of other modules to run before. */
    private static final int MEET_LIMIT_MS = 150_000;

    private static final int STEP_LIMIT_MS = 90_000;
    private static final String SEED = "seed ";
    private static final String COMPLETE = "complete";
    private static final String LEFT = "left";
    private static final String SKIPPED = "skipped";
    private static final String FAILED = "failed";

    private final int node = Integer.parseInt(System.getenv().getOrDefault("SLUICE_VM_NODE", "0"));
    private InetSocketAddress meetingPlace;
    private ServerSocket server;
    private NodeLine line;
    private boolean ended;
    private String otherEnd;
    private boolean broken;
    private String secret;
    private int flags;

    int node() {
        return node;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        // Each class has its own: guest 1 may come for the next before guest 0 has closed the last one's.
        meetingPlace = new InetSocketAddress(
                FIRST_ADDRESS,
                FIRST_PORT
                        + Math.floorMod(context.getRequiredTestClass().getName().hashCode(), PORTS));
        if (node == 0) {
            server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(meetingPlace, 1);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (server != null) {
            server.close();
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        ended = false;
        otherEnd = null;
        broken = false;
        flags = 0;
        line = node == 0 ? NodeLine.accept(server, MEET_LIMIT_MS) : NodeLine.connect(meetingPlace, MEET_LIMIT_MS);
        agree("case " + context.getRequiredTestClass().getSimpleName() + "." + context.getDisplayName());
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        ended = true;
        if (thrown instanceof Elsewhere) {
            line.say(NodeLine.END + LEFT);
            String other = end();
            if (other.equals(LEFT)) {
                throw new TestAbortedException("it has one thread use ranks of both guests: " + thrown.getMessage());
            }
            check(other);
        } else if (thrown instanceof TestAbortedException) {
            line.say(NodeLine.END + SKIPPED);
            throw thrown;
        } else {
            try {
                line.fail(thrown.toString());
                line.say(NodeLine.END + FAILED);
            } catch (UncheckedIOException e) {
                // It has failed there too, and is over.
                thrown.addSuppressed(e);
            }
            throw thrown;
        }
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        if (!ended) {
            line.say(NodeLine.END + COMPLETE);
            check(end());
        }
    }

    private static void check(String otherEnd) {
        if (otherEnd.equals(FAILED)) {
            throw new AssertionError("it failed in the other guest");
        }
    }

    /** How the case ended there. */
    private String end() {
        while (otherEnd == null) {
            take(line.next(STEP_LIMIT_MS));
        }
        return otherEnd;
    }

    private boolean take(String said) {
        if (said.startsWith(NodeLine.END)) {
            otherEnd = said.substring(NodeLine.END.length());
            return true;
        }
        return false;
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        line.close();
    }

    /** @return false where the case has ended in the other guest, which is no failure of its own */
    private boolean agree(String step) {
        if (broken || otherEnd != null) {
            return false;
        }
        try {
            line.say(step);
            String said = line.next(STEP_LIMIT_MS);
            if (take(said)) {
                return false;
            }
            if (!said.equals(step)) {
                throw new AssertionError("this guest is at '" + step + "', the other at '" + said + "'");
            }
            return true;
        } catch (RuntimeException | AssertionError e) {
            broken = true;
            throw e;
        }
    }

    /** The first rank that lives here. */
    int first(int size) {
        return node == 0 ? 0 : (size + 1) / 2;
    }

    /** How many do. */
    int count(int size) {
        return node == 0 ? (size + 1) / 2 : size / 2;
    }

    /**
     * A new job.
     *
     * @return its server, in guest 0; null in the other
     */
    JobServer begin(int size) {
        if (!agree("open " + size)) {
            throw new Elsewhere("the other guest has left the case before a job of " + size);
        }
        if (node != 0) {
            return null;
        }
        secret = Unguessable.uuid().toString();
        return JobServer.start(size, MeetingPlace.of(FIRST_ADDRESS + ":0", secretFile()));
    }

    /** Of this user alone, as the JDK makes them. */
    private String secretFile() {
        try {
            Path file = Files.createTempFile("secret", "");
            file.toFile().deleteOnExit();
            return Files.writeString(file, secret).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The options of this guest's ranks. */
    Map<String, String> options(JobServer jobServer, int size) {
        if (jobServer != null) {
            line.say(
                    jobServer.outerOptions(first(size), count(size)).get(Option.JOB_ADDRESS.property()) + " " + secret);
            return jobServer.options(first(size), count(size));
        }
        String[] words = line.next(STEP_LIMIT_MS).split(" ");
        secret = words[1];
        return Map.of(
                Option.JOB_ADDRESS.property(),
                words[0],
                Option.JOB_SECRET_FILE.property(),
                secretFile(),
                Option.JOB_SIZE.property(),
                Integer.toString(size),
                Option.JOB_RANK.property(),
                Integer.toString(first(size)),
                Option.JOB_JVM_RANKS.property(),
                Integer.toString(Math.max(1, count(size))));
    }

    /** The ranks that live here are through, or failed: so are the others, or this fails too. */
    void through(Throwable failure) {
        if (failure != null) {
            broken = true;
            line.fail(failure.toString());
        } else if (!agree("through")) {
            check(otherEnd == null ? FAILED : otherEnd);
        }
    }

    /** Around a job's end; where something failed there is nobody to wait for. */
    void meet(String step) {
        agree(step);
    }

    /** A random one, of guest 0. */
    long seed() {
        if (node == 0) {
            long seed = ThreadLocalRandom.current().nextLong();
            line.say(SEED + seed);
            return seed;
        }
        return Long.parseLong(line.next(STEP_LIMIT_MS).substring(SEED.length()));
    }

    String otherFailure() {
        return line.failure();
    }

    /** The same ones in both guests, as they make them in the same order. */
    Flag flag() {
        return Flag.across(line, Integer.toString(flags++));
    }
}
