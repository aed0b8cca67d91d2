package example.ranks;

import example.kotlin.KotlinWorkers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;
import net.openhft.chronicle.bytes.Bytes;
import org.sluice.device.Device;
import org.sluice.device.DeviceProvider;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Options;
import org.sluice.launch.Job;

/** A user's program for the launcher's tests: does what its first argument says. */
public final class RankProgram {
    private static final long FOR_EVER_MS = 120_000;
    private static int timesStarted;

    private RankProgram() {}

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "hello" -> System.out.println("hello from " + args.length + " arguments, first " + args[1]);
            case "exit" -> exit(args);
            case "throw" -> fail(args);
            case "linger" -> linger();
            case "sleep" -> sleep();
            case "stubborn" -> stubborn();
            case "input" -> input();
            case "statics" -> statics();
            case "told" -> told(args);
            case "children" -> children();
            case "workers" -> workers();
            case "device" -> device();
            case "leave" -> leave(args);
            case "absent" -> absent();
            case "late" -> late();
            case "unopened" -> unopened();
            case "property" -> System.out.println(System.getProperty(args[1]));
            case "blame" -> blame(args[1]);
            case "unheard" -> unheard(args);
            case "shout" -> shout(Path.of(args[1]));
            case "prompt" -> prompt();
            case "pool" -> pool();
            case "hoard" -> hoard(args[1]);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static Job job() {
        return Job.find(Options.of(Map.of()), DeviceProvider.RANK_OF_CALLER);
    }

    private static boolean isRank(String rank) {
        return System.getenv("SLUICE_JOB_RANK").equals(rank);
    }

    private static void sleep() throws InterruptedException {
        System.out.println("sleeping");
        Thread.sleep(FOR_EVER_MS);
    }

    /** Prints without end; makes a file named after its rank when that has stood still for a while. */
    private static void shout(Path folder) {
        AtomicLong printed = new AtomicLong();
        Thread watch = new Thread(() -> {
            for (int still = 0; still < 20; ) {
                long before = printed.get();
                pause();
                still = before > 0 && printed.get() == before ? still + 1 : 0;
            }
            try {
                Files.createFile(folder.resolve(rankOfThread()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        watch.setDaemon(true);
        watch.start();
        while (true) {
            System.out.println("what nobody reads, for the " + printed.incrementAndGet() + "th time");
        }
    }

    /** Rank 1 has worked, and not shut its pool down. */
    private static void pool() throws Exception {
        int rank;
        try (Device device = Device.open()) {
            rank = device.rank();
        }
        if (rank == 1) {
            Executors.newFixedThreadPool(1, work -> new Thread(work, "left-behind"))
                    .submit(() -> {})
                    .get();
        }
    }

    /** Takes memory without end. */
    private static void hoard(String rank) throws InterruptedException {
        List<byte[]> taken = new ArrayList<>();
        while (isRank(rank)) {
            taken.add(new byte[1 << 20]);
        }
        sleep();
    }

    /** Goes on when it is answered. */
    private static void prompt() throws IOException {
        System.out.print("your name? ");
        System.out.flush();
        System.out.println("hello " + new BufferedReader(new InputStreamReader(System.in)).readLine());
    }

    private static void exit(String[] args) throws InterruptedException {
        if (isRank(args[1])) {
            System.exit(Integer.parseInt(args[2]));
        }
        sleep();
    }

    private static void fail(String[] args) throws InterruptedException {
        if (job().rank() == Integer.parseInt(args[1])) {
            throw new IllegalStateException("planned");
        }
        if (args.length > 2 && rankOfThread().equals(args[2])) {
            awaitEnd(args[1]);
            System.exit(1);
        }
        Thread.sleep(FOR_EVER_MS);
    }

    /** Of a rank before this one, or one that is alive, in this JVM. */
    private static void awaitEnd(String rank) throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("rank-" + rank)) {
                thread.join();
            }
        }
    }

    /** Rank 1 fails; the others sleep, or have ended before. */
    private static void unheard(String[] args) throws Exception {
        boolean last = args.length > 1;
        if (!rankOfThread().equals("1")) {
            if (!last) {
                sleep();
            }
            return;
        }
        if (last) {
            awaitEnd("0");
        }
        throw new IllegalStateException("planned");
    }

    /** Fails, and leaves a thread behind that keeps the JVM alive, as a pool that nobody shut down does. */
    private static void linger() {
        new Thread(() -> {
                    try {
                        Thread.sleep(FOR_EVER_MS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                })
                .start();
        throw new IllegalStateException("planned");
    }

    /** Rank 0 fails; rank 1 does not end when it is asked to. */
    private static void stubborn() throws InterruptedException {
        if (isRank("1")) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                System.out.println("asked to end");
                while (true) {
                    Thread.onSpinWait();
                    pause();
                }
            }));
            sleep();
        }
        Thread.sleep(1500);
        System.exit(5);
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void input() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        int lines = 0;
        while (in.readLine() != null) {
            lines++;
        }
        System.out.println("read " + lines + " lines");
    }

    private static void statics() {
        Job job = job();
        int before;
        synchronized (RankProgram.class) {
            before = timesStarted++;
        }
        job.bootstrap().put("at", new byte[] {(byte) job.rank()});
        job.bootstrap().fence(20_000);
        System.out.println("rank " + job.rank() + " of " + job.size() + " saw " + before + ", last is "
                + job.bootstrap().get(job.size() - 1, "at")[0]);
        job.bootstrap().close();
    }

    /** Rank 1 ends with its device open, in the way that is named; the others say what they hear of it. */
    private static void leave(String[] args) throws InterruptedException {
        Device device = Device.open();
        device.barrier();
        if (device.rank() == 1) {
            if (args[1].equals("by exception")) {
                throw new IllegalStateException("planned");
            }
            if (args[1].equals("later")) {
                Thread worker = new Thread(() -> {
                    pause();
                    device.send(new byte[5], 0, 2);
                });
                worker.start();
            }
            return;
        }
        try {
            System.out.println(device.recv(new byte[8], 1, 2).bytes() + " bytes");
            device.recv(new byte[8], 1, 2);
        } catch (SluiceException e) {
            System.out.println(e.code() + " " + e.peer());
        }
        device.close();
    }

    /**
     * Rank 1 ends in the way that is named, which rank 0 fails of; where rank 1 fails and both are processes, rank 0 is
     * gone first.
     */
    private static void blame(String how) {
        Device device = Device.open();
        long[] pid = {ProcessHandle.current().pid()};
        if (device.rank() == 0) {
            device.send(pid, 1, 1);
            try (device) {
                device.recv(new byte[8], 1, 2);
            } catch (SluiceException e) {
                throw new IllegalStateException("of another's end", e);
            }
        }
        device.recv(pid, 0, 1);
        if (how.equals("by exit")) {
            System.exit(0);
        }
        if (how.equals("by exception")) {
            try (device) {
                throw new IllegalStateException("planned");
            } finally {
                if (pid[0] != ProcessHandle.current().pid()) {
                    ProcessHandle.of(pid[0]).ifPresent(other -> other.onExit().join());
                }
            }
        }
    }

    /** Rank 0 opens a device and prints why it can't; the others have nothing to do. */
    private static void absent() {
        if (Integer.parseInt(rankOfThread()) == 0) {
            try (Device device = Device.open()) {
                System.out.println("opened " + device);
            } catch (SluiceException e) {
                System.out.println(e.code() + ": " + e.getMessage());
            }
        }
    }

    /** Rank 1 has something else to do before it opens a device, for longer than the others wait. */
    private static void late() throws InterruptedException {
        if (isRank("1")) {
            sleep();
        }
        Device.open().close();
    }

    /** Rank 0 fails as the others have nothing to do. */
    private static void unopened() {
        if (isRank("0")) {
            Device.open().close();
        }
    }

    private static String rankOfThread() {
        String thread = Thread.currentThread().getName();
        return thread.startsWith("rank-") ? thread.substring("rank-".length()) : System.getenv("SLUICE_JOB_RANK");
    }

    /** The named rank dies without a word when all are there; the others print what they are told. */
    private static void told(String[] args) throws Exception {
        Job job = job();
        CompletableFuture<Integer> lost = new CompletableFuture<>();
        job.bootstrap().onRankLost(lost::complete);
        job.bootstrap().fence(20_000);
        if (job.rank() == Integer.parseInt(args[1])) {
            new ProcessBuilder("sh", "-c", "kill -9 " + ProcessHandle.current().pid()).start();
            Thread.sleep(FOR_EVER_MS);
        }
        System.out.println("rank " + job.rank() + " was told of " + lost.get());
        job.bootstrap().close();
    }

    /** Two messages round the ring, out of memory that the JVM may warn of and through Chronicle's. */
    private static void device() {
        try (Device device = Device.open();
                MessageBuffer mine = device.allocate(8)) {
            int next = (device.rank() + 1) % device.size();
            mine.putLong(0, device.rank());
            Bytes<?> text = Bytes.from(Integer.toString(device.rank()));
            Bytes<?> receivedText = Bytes.allocateElasticDirect(8);
            long[] received = {-1};
            Request first = device.irecv(received, Device.ANY_SOURCE, 1);
            Request second = device.irecv(receivedText, Device.ANY_SOURCE, 2);
            device.send(mine, next, 1);
            device.send(text, next, 2);
            device.waitAll(first, second);
            System.out.println("rank " + device.rank() + " received " + received[0] + " and " + receivedText);
        }
    }

    /** Which rank threads that a rank starts belong to; 'none' where only Device.open(rank) helps. */
    private static void children() throws Exception {
        Job job = job();
        job.bootstrap().close();
        CompletableFuture<String> child = new CompletableFuture<>();
        new Thread(() -> child.complete(rankHere())).start();
        String plain = child.get();
        var pool = Executors.newSingleThreadExecutor();
        String pooled = pool.submit(RankProgram::rankHere).get();
        pool.shutdown();
        CompletableFuture<String> shared = new CompletableFuture<>();
        ForkJoinPool.commonPool().execute(() -> shared.complete(rankHere()));
        String common = shared.get();
        System.out.println("rank " + job.rank() + " thread " + plain + " pool " + pooled + " common " + common);
    }

    /**
     * Whose device threads open that serve the whole JVM, one after the other; 'none' where only Device.open(rank)
     * helps.
     */
    private static void workers() throws Exception {
        CompletableFuture<String> common = new CompletableFuture<>();
        ForkJoinPool.commonPool().execute(() -> common.complete(deviceHere()));
        String answers =
                " common " + common.get() + " kotlin " + KotlinWorkers.onDefault(RankProgram::deviceHere) + " virtual ";
        CompletableFuture<String> virtual = new CompletableFuture<>();
        try {
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable)
                    () -> virtual.complete(deviceHere()));
        } catch (NoSuchMethodException e) {
            virtual.complete("absent");
        }
        System.out.println("rank " + rankOfThread() + answers + virtual.get());
    }

    private static String deviceHere() {
        try (Device device = Device.open()) {
            return Integer.toString(device.rank());
        } catch (IllegalStateException e) {
            return e.getMessage().contains("Device.open(rank)") ? "none" : e.getMessage();
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    private static String rankHere() {
        try {
            Job job = job();
            job.bootstrap().close();
            return Integer.toString(job.rank());
        } catch (IllegalStateException e) {
            return e.getMessage().contains("Device.open(rank)") ? "none" : e.getMessage();
        }
    }
}
