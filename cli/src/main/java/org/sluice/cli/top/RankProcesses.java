package org.sluice.cli.top;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.sluice.device.option.Option;
import org.sluice.launch.RankList;

/**
 * Finds the JVMs of this user that Sluice lives in. Who asks a process that is none of them for its state ends it
 * (SIGQUIT), so a process must have a JVM's library mapped, and something of Sluice's beside. <i>Proof</i>:
 * {@code TopProcessTest}.
 */
public final class RankProcesses {
    private static final Path PROC = Path.of("/proc");
    /** How mpirun and srun number their processes. */
    private static final String PMIX_RANK = "PMIX_RANK=";

    private RankProcesses() {}

    /** Process numbers, ascending; this one's not. */
    public static List<Long> find() throws IOException {
        List<Long> found = new ArrayList<>();
        long self = ProcessHandle.current().pid();
        Object user = Files.getAttribute(PROC.resolve("self"), "unix:uid");
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                long pid = Long.parseLong(process.getFileName().toString());
                if (pid != self && isRank(process, user)) {
                    found.add(pid);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        found.sort(null);
        return found;
    }

    private static boolean isRank(Path process, Object user) {
        try {
            if (!user.equals(Files.getAttribute(process, "unix:uid"))) {
                return false;
            }
            String maps = read(process.resolve("maps"));
            return maps.contains("/libjvm.so")
                    && (maps.contains("/libsluice_")
                            || read(process.resolve("environ")).contains("SLUICE_JOB_ADDRESS=")
                            || read(process.resolve("cmdline")).contains("-Dsluice.job.address="));
        } catch (IOException e) {
            // It has ended, or may not be looked into.
            return false;
        }
    }

    /** Whether it has got a signal that stops it, or is held by a debugger: then it answers nobody. */
    static boolean isStopped(long pid) {
        try {
            String stat = read(PROC.resolve(Long.toString(pid)).resolve("stat"));
            // Its name, in parentheses, may have any letters.
            char state = stat.charAt(stat.lastIndexOf(')') + 2);
            return state == 'T' || state == 't';
        } catch (IOException e) {
            return false;
        }
    }

    /** A process as messages name it, with its ranks where its launcher has told it which those are. */
    static String name(long pid) {
        String process = "process " + pid;
        try {
            Path folder = PROC.resolve(Long.toString(pid));
            List<String> told =
                    List.of((read(folder.resolve("cmdline")) + "\0" + read(folder.resolve("environ"))).split("\0"));
            String count = value(told, Option.JOB_JVM_RANKS, "1");
            String first = value(told, Option.JOB_RANK, count.equals("1") ? value(told, PMIX_RANK, "") : "");
            return first.isEmpty()
                    ? process
                    : RankList.range(Integer.parseInt(first), Integer.parseInt(count)) + ", " + process + ",";
        } catch (IOException | NumberFormatException e) {
            // It has ended, or the values are somebody else's.
            return process;
        }
    }

    private static String value(List<String> told, Option option, String otherwise) {
        return value(told, "-D" + option.property() + "=", value(told, option.environmentVariable() + "=", otherwise));
    }

    private static String value(List<String> told, String begin, String otherwise) {
        return told.stream()
                .filter(word -> word.startsWith(begin))
                .map(word -> word.substring(begin.length()))
                .findFirst()
                .orElse(otherwise);
    }

    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }
}
