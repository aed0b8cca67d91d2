package org.sluice.hybrid.launch;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * The main class of a JVM that {@code ./sluice run} starts: ties the JVM's life to the launcher's, then runs the
 * program's main method, once, or once a rank on threads of their own.
 *
 * <p>Ranks that are threads share what a JVM has one of: System.exit and an exception that leaves one rank's main
 * method end all of them (the latter not under --survive), and they share standard input and output.
 *
 * <p>Proof: {@code LauncherProcessTest}, {@code RankThreadsProcessTest}.
 */
public final class RankMain {
    static final String OWN_LOADERS = "--own-loaders";
    static final String SURVIVE = "--survive";
    private static final int FAILED = 1;
    private static final String EXPECTED = " is not what a program needs: public static void main(String[] args)";

    private final boolean survive;
    private final String ownClassPath;
    private final String mainClass;
    private final String[] args;

    private RankMain(boolean survive, String ownClassPath, String mainClass, String[] args) {
        this.survive = survive;
        this.ownClassPath = ownClassPath;
        this.mainClass = mainClass;
        this.args = args;
    }

    /** Called as {@code RankMain [--survive] [--own-loaders CP] MAIN [args]}. */
    public static void main(String[] arguments) throws Throwable {
        boolean survive = false;
        String ownClassPath = null;
        int next = 0;
        while (next < arguments.length && arguments[next].startsWith("--")) {
            if (arguments[next].equals(SURVIVE)) {
                survive = true;
            } else if (arguments[next].equals(OWN_LOADERS) && next + 1 < arguments.length) {
                ownClassPath = arguments[++next];
            } else {
                throw new IllegalArgumentException("unknown argument " + arguments[next]
                        + "; start ranks with ./sluice run");
            }
            next++;
        }
        if (next == arguments.length) {
            throw new IllegalArgumentException("no main class is given; start ranks with ./sluice run");
        }
        new RankMain(survive, ownClassPath, arguments[next], Arrays.copyOfRange(arguments, next + 1, arguments.length))
                .run();
    }

    private void run() throws Throwable {
        Options options = Options.of(Map.of());
        int first = options.count(Option.JOB_RANK);
        int count = options.count(Option.JOB_JVM_RANKS);
        List<MethodHandle> mains = new ArrayList<>();
        List<ClassLoader> loaders = new ArrayList<>();
        try {
            if (!options.text(Option.JOB_ADDRESS).isEmpty() && !survive) {
                LifeLine.hold(JobAddress.parse(options.text(Option.JOB_ADDRESS), options.text(Option.JOB_TOKEN)),
                        RankList.range(first, count));
            }
            for (int rank = first; rank < first + count; rank++) {
                loaders.add(loader(rank));
                mains.add(mainMethod(loaders.get(loaders.size() - 1), mainClass));
            }
        } catch (IllegalArgumentException | SluiceException e) {
            System.err.println("sluice: " + RankList.range(first, count) + ": " + e.getMessage());
            System.exit(FAILED);
        }
        if (count == 1) {
            Thread.currentThread().setContextClassLoader(loaders.get(0));
            mains.get(0).invokeExact(args);
        } else {
            runThreads(first, mains, loaders);
        }
    }

    private void runThreads(int first, List<MethodHandle> mains,
            List<ClassLoader> loaders) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        boolean[] failed = new boolean[mains.size()];
        for (int i = 0; i < mains.size(); i++) {
            int index = i;
            int rank = first + i;
            Thread thread = new Thread(new RankGroup(rank), () -> failed[index] = !runRank(rank, mains.get(index)),
                    "rank-" + rank);
            thread.setContextClassLoader(loaders.get(i));
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        boolean anyFailed = false;
        for (int i = 0; i < threads.size(); i++) {
            threads.get(i).join();
            anyFailed |= failed[i];
        }
        if (anyFailed) {
            System.exit(FAILED);
        }
    }

    /** False when the rank failed. */
    private boolean runRank(int rank, MethodHandle main) {
        try {
            main.invokeExact(args.clone());
            return true;
        } catch (Throwable e) {
            System.err.print("Exception in rank " + rank + " ");
            e.printStackTrace();
            if (!survive) {
                System.exit(FAILED);
            }
            return false;
        }
    }

    private ClassLoader loader(int rank) {
        ClassLoader above = RankMain.class.getClassLoader();
        return ownClassPath == null ? above : new RankLoader(rank, Program.urls(ownClassPath), above);
    }

    /**
     * Finds a main method as the JVM would: the class need not be public. It comes as a handle, so that neither wrapped
     * exceptions nor reflection's frames get between a user and his stack trace; it is called with invokeExact(args).
     *
     * @throws IllegalArgumentException when there is none
     */
    public static MethodHandle mainMethod(ClassLoader loader, String mainClass) {
        try {
            Method main = Class.forName(mainClass, false, loader).getDeclaredMethod("main", String[].class);
            if (!Modifier.isStatic(main.getModifiers()) || main.getReturnType() != void.class) {
                throw new IllegalArgumentException("the main method of " + mainClass + EXPECTED);
            }
            main.setAccessible(true);
            return MethodHandles.lookup().unreflect(main);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("there is no class " + mainClass + " on the class path", e);
        } catch (NoSuchMethodException | IllegalAccessException e) {
            throw new IllegalArgumentException("class " + mainClass + EXPECTED, e);
        }
    }
}
