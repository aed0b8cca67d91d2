package org.sluice.hybrid.process;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.sluice.device.Device;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Option;

/**
 * Rank 0 has opened all the files that its process may, but as many as the argument says, before it opens its device.
 * Without an argument it does so once it is connected with rank 1. Then it dials rank 2, and rank 3 dials it, when the
 * test says so; it hears from rank 1 all the same. At last it closes them, after rank 4 has begun to dial it.
 */
final class FewFilesRanks {
    private static final int TAG = 1;
    private static final int LATE_TAG = 2;
    /** In a row that find no file free. */
    private static final int LOOKS = 20;

    private static final int LOOKS_MOST = 200;
    private static final long LOOK_MS = 50;
    private static final byte[] BODY = new byte[100_000];

    static {
        new Random(1).nextBytes(BODY);
    }

    private final List<Closeable> taken = new ArrayList<>();

    private FewFilesRanks() {}

    public static void main(String[] args) throws Exception {
        FewFilesRanks ranks = new FewFilesRanks();
        Say.line("begins");
        if (System.getProperty(Option.JOB_RANK.property()).equals("0")) {
            loadAll();
            if (args.length > 0) {
                ranks.takeAllBut(Integer.parseInt(args[0]));
            }
        }
        try (Device device = Device.open()) {
            Say.line("opened");
            if (args.length == 0) {
                ranks.run(device);
            }
            Say.line("ended well");
        } catch (SluiceException e) {
            Say.line("failed " + e.code() + " " + e.peer() + ": "
                    + e.getMessage().replace('\n', ' '));
            System.exit(CheckedRanks.FAILED_STATUS);
        }
    }

    private void run(Device device) throws IOException, InterruptedException {
        switch (device.rank()) {
            case 0 -> beWithoutFiles(device);
            case 1 -> {
                device.send(BODY, 0, TAG);
                receive(device, 0);
                Say.awaitTest("send");
                exchange(device, 0);
            }
            case 3 -> {
                Say.awaitTest("send");
                Say.failure("send", () -> device.send(BODY, 0, TAG));
            }
            case 4 -> {
                Say.awaitTest("send");
                device.send(BODY, 0, LATE_TAG);
            }
            default -> Say.awaitTest("end");
        }
    }

    private void beWithoutFiles(Device device) throws IOException, InterruptedException {
        // One after the other: of two that dial at once a socket too many is closed a little later.
        receive(device, 1);
        device.send(BODY, 1, TAG);
        // What some other thread has open for a moment it gives back, and then that is free.
        for (int found = 0, looks = 0; found < LOOKS && looks < LOOKS_MOST; looks++) {
            int before = taken.size();
            takeAllBut(0);
            found = taken.size() == before ? found + 1 : 0;
            Thread.sleep(LOOK_MS);
        }
        Say.failure("send", () -> device.send(BODY, 2, TAG));
        Say.line("waits");
        exchange(device, 1);
        Say.line("heard");
        Say.awaitTest("close them");
        for (Closeable each : taken) {
            each.close();
        }
        byte[] late = new byte[BODY.length];
        device.recv(late, 4, LATE_TAG);
        Say.check(Arrays.equals(BODY, late), "what came late");
    }

    private static void receive(Device device, int source) {
        byte[] into = new byte[BODY.length];
        device.recv(into, source, TAG);
        Say.check(Arrays.equals(BODY, into), "what came from rank " + source);
    }

    private static void exchange(Device device, int other) {
        byte[] into = new byte[BODY.length];
        device.waitAll(device.isend(BODY, other, TAG), device.irecv(into, other, TAG));
        Say.check(Arrays.equals(BODY, into), "what came from rank " + other);
    }

    /** What is not in a jar takes a file when it is first used. */
    private static void loadAll() throws Exception {
        try {
            Class.forName("org.sluice.InNoJar");
        } catch (ClassNotFoundException e) {
            // By now all jars are open.
        }
        // The JDK reads files of its own before the first.
        SocketChannel.open(StandardProtocolFamily.UNIX).close();
        for (String part : System.getProperty("java.class.path").split(":")) {
            Path folder = Path.of(part);
            if (part.endsWith("classes") && !part.contains("test") && Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.walk(folder)) {
                    for (Path file : files.filter(each -> each.toString().endsWith(".class"))
                            .toList()) {
                        String name = folder.relativize(file).toString().replace('/', '.');
                        if (name.startsWith("org.sluice.")) {
                            Class.forName(
                                    name.substring(0, name.length() - ".class".length()),
                                    false,
                                    FewFilesRanks.class.getClassLoader());
                        }
                    }
                }
            }
        }
    }

    private void takeAllBut(int few) throws IOException {
        try {
            while (true) {
                taken.add(new FileInputStream("/dev/null"));
            }
        } catch (FileNotFoundException e) {
            Say.line("has taken " + taken.size() + ": " + e.getMessage());
        }
        for (int i = 0; i < few; i++) {
            taken.remove(taken.size() - 1).close();
        }
    }
}
