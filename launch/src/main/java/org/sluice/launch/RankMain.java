package org.sluice.launch;

import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.sluice.device.SluiceException;
import org.sluice.device.jvm.JvmRanks;
import org.sluice.device.jvm.LocalEnd;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * The main class of a JVM that {@code ./sluice run} starts: ties the JVM's life to the launcher's, then runs the
 * program's main method, once, or once a rank on threads of their own.
 *
 * <p>Ranks that are threads share what a JVM has one of: System.exit ends all of them, and they share standard output.
 * One that an exception ends, ends alone.
 *
 * <p>Proof: {@code LauncherProcessTest}, {@code RankThreadsProcessTest}.
 */
public final class RankMain {
    static final String OWN_LOADERS = "--own-loaders";
    /** Packages, with commas between, that the loader of a jar with nested ones finds in these. */
    static final String HIDDEN = "--hidden";

    /** The device's name that the program is told, in front of its own arguments, with its rank. */
    static final String DEVICE = "--device";

    static final String SURVIVE = "--survive";
    /** The status of a JVM that ends as a rank's main method did with an exception. */
    static final int FAILED = 1;

    private final boolean survive;
    private final String ownClassPath;
    private final List<String> hidden;
    private final String mainClass;
    private final ProgramWords args;
    /** Null where no launcher of ours listens. */
    private JvmLine line;

    private RankMain(boolean survive, String ownClassPath, List<String> hidden, String mainClass, ProgramWords args) {
        this.survive = survive;
        this.ownClassPath = ownClassPath;
        this.hidden = hidden;
        this.mainClass = mainClass;
        this.args = args;
    }

    /** Called as {@code RankMain [--survive] [--own-loaders CP] [--hidden PACKAGES] [--device NAME] MAIN [args]}. */
    public static void main(String[] arguments) throws InterruptedException {
        TypoWarning.leaveToLauncher();
        boolean survive = false;
        String ownClassPath = null;
        List<String> hidden = List.of();
        String device = "";
        int next = 0;
        while (next < arguments.length && arguments[next].startsWith("--")) {
            if (arguments[next].equals(SURVIVE)) {
                survive = true;
            } else if (arguments[next].equals(OWN_LOADERS) && next + 1 < arguments.length) {
                ownClassPath = arguments[++next];
            } else if (arguments[next].equals(HIDDEN) && next + 1 < arguments.length) {
                hidden = List.of(arguments[++next].split(","));
            } else if (arguments[next].equals(DEVICE) && next + 1 < arguments.length) {
                device = arguments[++next];
            } else {
                throw new IllegalArgumentException(
                        "unknown argument " + arguments[next] + "; start ranks with ./sluice run");
            }
            next++;
        }
        if (next == arguments.length) {
            throw new IllegalArgumentException("no main class is given; start ranks with ./sluice run");
        }
        new RankMain(
                        survive,
                        ownClassPath,
                        hidden,
                        arguments[next],
                        new ProgramWords(device, Arrays.copyOfRange(arguments, next + 1, arguments.length)))
                .run();
    }

    /**
     * Calls the program's main method once for each rank of this JVM, as many as {@code sluice.job.jvm.ranks} says, on
     * threads of their own, and returns when all have ended. Where one of them failed the JVM ends at once: there is no
     * launcher of ours that would tell the others.
     *
     * @throws IllegalArgumentException where no launcher says which ranks these are, or the program has no main method
     */
    public static void inPlace(ClassLoader loader, String classPath, String mainClass, String[] args)
            throws InterruptedException {
        inPlace(rank -> loader, classPath, mainClass, new ProgramWords("", args));
    }

    /** As the other, with a loader for each rank. */
    static void inPlace(IntFunction<ClassLoader> loaderOfRank, String classPath, String mainClass, ProgramWords words)
            throws InterruptedException {
        Options options = options();
        int count = options.count(Option.JOB_JVM_RANKS);
        if (count > 1
                && !Job.isOfPmix(options)
                && options.text(Option.JOB_ADDRESS).isEmpty()) {
            throw new IllegalArgumentException("several ranks as threads of a JVM (" + count
                    + ") need a launcher that they are ranks of: start this with Open MPI's mpirun or with srun"
                    + " --mpi=pmix, or use ./sluice run -n " + count + " --jvms 1");
        }
        int first = Job.firstRank(options);
        List<MethodHandle> mains = new ArrayList<>();
        List<ClassLoader> loaders = new ArrayList<>();
        for (int rank = first; rank < first + count; rank++) {
            ClassLoader loader = loaderOfRank.apply(rank);
            loaders.add(loader);
            mains.add(MainMethod.find(loader, mainClass, classPath));
        }
        RankMain here = new RankMain(false, null, List.of(), mainClass, words);
        here.line = options.text(Option.JOB_ADDRESS).isEmpty() ? null : lineInPlace(options);
        here.runThreads(first, mains, loaders);
    }

    /** Null where these ranks have another JVM, which has started this one: nobody hears of their ends from here. */
    private static JvmLine lineInPlace(Options options) {
        try {
            return JvmLine.hold(options, true);
        } catch (SluiceException e) {
            return null;
        }
    }

    private void run() throws InterruptedException {
        Options options = options();
        int first = options.count(Option.JOB_RANK);
        int count = options.count(Option.JOB_JVM_RANKS);
        List<MethodHandle> mains = new ArrayList<>();
        List<ClassLoader> loaders = new ArrayList<>();
        try {
            if (!options.text(Option.JOB_ADDRESS).isEmpty()) {
                line = line(options);
            }
            ClassLoader shared = OwnClassesLoader.below(
                    RankMain.class.getClassLoader(), System.getProperty("java.class.path"), hidden);
            for (int rank = first; rank < first + count; rank++) {
                loaders.add(ownClassPath == null ? shared : ownLoader(rank));
                mains.add(MainMethod.find(
                        loaders.get(loaders.size() - 1),
                        mainClass,
                        ownClassPath == null ? System.getProperty("java.class.path") : ownClassPath));
            }
        } catch (IllegalArgumentException | SluiceException e) {
            LastLines.print("sluice: " + RankList.range(first, count) + ": " + e.getMessage() + System.lineSeparator());
            System.exit(FAILED);
        }
        if (count == 1) {
            Thread.currentThread().setContextClassLoader(loaders.get(0));
            runAlone(first, mains.get(0));
        } else {
            runThreads(first, mains, loaders);
        }
    }

    /** Who lives on without a launcher also starts without one. */
    private JvmLine line(Options options) {
        try {
            return JvmLine.hold(options, survive);
        } catch (SluiceException e) {
            if (!survive) {
                throw e;
            }
            return null;
        }
    }

    /** A value that can't be read is the user's mistake: one line instead of a stack trace. */
    private static Options options() {
        try {
            return Options.of(Map.of());
        } catch (IllegalArgumentException e) {
            LastLines.print("sluice: " + e.getMessage() + System.lineSeparator());
            System.exit(FAILED);
            throw e;
        }
    }

    /** An exception ends this rank even while other threads of the program live: its peers would wait for ever. */
    private void runAlone(int rank, MethodHandle main) {
        try {
            main.invokeExact(args.of(rank));
            LeftThreads.ofJvm(rank).watch();
        } catch (Throwable e) {
            report(rank, e);
            System.exit(FAILED);
        }
    }

    /**
     * Where nobody can be told any more the rank ends all the same; the launcher learns of which other rank's end it
     * came, whoever reads what it prints.
     */
    private void report(int rank, Throwable failure) {
        try {
            Blame blame = Blame.of(failure);
            String reason = Reason.of(failure);
            if (line != null && (blame != null || !reason.isEmpty())) {
                line.lastWord(rank, blame, reason, false);
            }
            Uncaught.inRank(rank, failure);
        } catch (Throwable e) {
            // The program's handler failed, or memory is out: as in the JVM that is no matter, the rank ends all the
            // same.
            return;
        }
    }

    private void runThreads(int first, List<MethodHandle> mains, List<ClassLoader> loaders)
            throws InterruptedException {
        System.setIn(new InputOfRankZero(System.in));
        List<Thread> threads = new ArrayList<>();
        boolean[] well = new boolean[mains.size()];
        for (int i = 0; i < mains.size(); i++) {
            int index = i;
            int rank = first + i;
            Thread thread = new Thread(
                    new RankGroup(rank), () -> well[index] = runRank(rank, mains.get(index)), "rank-" + rank);
            thread.setContextClassLoader(loaders.get(i));
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        boolean allWell = true;
        for (int i = 0; i < threads.size(); i++) {
            threads.get(i).join();
            allWell &= well[i];
        }
        if (!allWell) {
            System.exit(FAILED);
        }
    }

    /** False when the rank failed. */
    private boolean runRank(int rank, MethodHandle main) {
        boolean well = false;
        try {
            main.invokeExact(args.of(rank));
            LeftThreads.ofThread(rank, Job.addressOf(options())).watch();
            RankGroup.awaitOthers();
            well = true;
        } catch (Throwable e) {
            report(rank, e);
        }
        boolean ended = false;
        try {
            ended = end(rank, !well);
        } catch (Throwable e) {
            report(rank, e);
        }
        if (!ended && !survive) {
            System.exit(FAILED);
        }
        return well && ended;
    }

    /**
     * As where a process ends; the JVM lives on for the others, until the launcher's grace is over.
     *
     * @return false where the rank failed and the launcher doesn't know: nobody would tell the others, nor end them
     */
    private boolean end(int rank, boolean failed) {
        boolean isOpen = abandonDevice(Job.addressOf(options()), rank);
        boolean isKnown = line != null && line.lastWord(rank, null, "", failed);
        if (isOpen && !failed) {
            LastLines.print("sluice: " + RankEnds.leftOpen(rank) + System.lineSeparator());
        }
        return isKnown || !failed;
    }

    /**
     * A rank that ended without closing its device is dead to its peers.
     *
     * @return whether it did
     */
    private static boolean abandonDevice(String address, int rank) {
        LocalEnd device = JvmRanks.ofThisJvm().find(Job.devicesOf(address), rank);
        boolean isOpen = device != null && !device.isClosed();
        if (isOpen) {
            device.abandon();
        }
        return isOpen;
    }

    private ClassLoader ownLoader(int rank) {
        return new RankLoader(rank, Program.urls(ownClassPath), RankMain.class.getClassLoader(), hidden);
    }
}
