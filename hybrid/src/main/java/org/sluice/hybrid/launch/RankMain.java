package org.sluice.hybrid.launch;

import java.io.File;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * The main class of a JVM that {@code ./sluice run} starts: ties the JVM's life to the launcher's, then runs the program's main
 * method, once, or once a rank on threads of their own.
 *
 * <p>Ranks that are threads share what a JVM has one of: System.exit and an exception that leaves one rank's main method end all of
 * them (the latter not under --survive), and they share standard input and output.
 *
 * <p>Proof: {@code LauncherProcessTest}, {@code RankThreadsProcessTest}.
 */
public final class RankMain {
    static final String OWN_LOADERS = "--own-loaders";
    static final String SURVIVE = "--survive";
    private static final int FAILED = 1;

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
                throw new IllegalArgumentException("unknown argument " + arguments[next] + "; start ranks with ./sluice run");
            }
            next++;
        }
        if (next == arguments.length) {
            throw new IllegalArgumentException("no main class is given; start ranks with ./sluice run");
        }
        new RankMain(survive, ownClassPath, arguments[next], Arrays.copyOfRange(arguments, next + 1, arguments.length)).run();
    }

    private void run() throws Throwable {
        Options options = Options.of(Map.of());
        int first = options.count(Option.JOB_RANK);
        int count = options.count(Option.JOB_JVM_RANKS);
        if (!options.text(Option.JOB_ADDRESS).isEmpty() && !survive) {
            LifeLine.hold(JobAddress.parse(options.text(Option.JOB_ADDRESS), options.text(Option.JOB_TOKEN)),
                    RankList.range(first, count));
        }
        if (count == 1) {
            ClassLoader loader = loader(first);
            Thread.currentThread().setContextClassLoader(loader);
            callMain(loader, mainClass, args);
        } else {
            runThreads(first, count);
        }
    }

    private void runThreads(int first, int count) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        boolean[] failed = new boolean[count];
        for (int i = 0; i < count; i++) {
            int index = i;
            int rank = first + i;
            ClassLoader loader = loader(rank);
            Thread thread = new Thread(new RankGroup(rank), () -> failed[index] = !runRank(rank, loader), "rank-" + rank);
            thread.setContextClassLoader(loader);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        boolean anyFailed = false;
        for (int i = 0; i < count; i++) {
            threads.get(i).join();
            anyFailed |= failed[i];
        }
        if (anyFailed) {
            System.exit(FAILED);
        }
    }

    /** False when the rank failed. */
    private boolean runRank(int rank, ClassLoader loader) {
        try {
            callMain(loader, mainClass, args.clone());
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

    /** Calls a main method as the JVM would: the class need not be public. What the program throws comes out as it is. */
    public static void callMain(ClassLoader loader, String mainClass, String[] args) throws Throwable {
        Method main;
        try {
            main = Class.forName(mainClass, false, loader).getDeclaredMethod("main", String[].class);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("there is no class " + mainClass + " on the class path "
                    + System.getProperty("java.class.path").replace(File.pathSeparator, " "), e);
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException("class " + mainClass + " has no method main(String[]); it needs "
                    + "public static void main(String[] args)", e);
        }
        if (!Modifier.isStatic(main.getModifiers())) {
            throw new IllegalArgumentException("the main method of " + mainClass + " is not static; it needs "
                    + "public static void main(String[] args)");
        }
        main.setAccessible(true);
        // A handle, so that neither wrapped exceptions nor reflection's frames come between a user and his stack trace.
        MethodHandles.lookup().unreflect(main).invokeExact(args);
    }
}
