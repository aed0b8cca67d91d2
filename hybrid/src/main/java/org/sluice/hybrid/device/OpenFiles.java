package org.sluice.hybrid.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.sluice.jni.os.OsCalls;

/**
 * Whether two processes of a node can open what the other has open, under {@code /proc}: then nothing that they share
 * needs a name. Each rank asks the kernel only whether it may look into the other, and must know that the other may
 * look into it. So it asks only about processes that are to the kernel what it is itself: that count processes alike
 * (containers may not) and have the same user, groups, capabilities and security label, and let as much be seen of
 * themselves. Between those it is allowed both ways or neither.
 *
 * <p><i>Proof</i>: {@code OpenFilesTest}.
 */
final class OpenFiles {
    private static final String PROC = "/proc/";
    /** What ptrace(2) compares under PTRACE_MODE_READ_FSCREDS, which /proc/PID/fd asks for. */
    private static final String[] COMPARED = {"Uid:", "Gid:", "CapPrm:", "CapEff:"};

    private OpenFiles() {}

    /** What the others need to know of this process, its number last; empty where files without names can't be. */
    static String ownProcess(OsCalls os) {
        return ownProcess(os, PROC);
    }

    /** @param proc ends with a slash; a folder of its own in tests */
    static String ownProcess(OsCalls os, String proc) {
        try {
            String number = Files.readSymbolicLink(Path.of(proc + "self")).toString();
            // Not so without the native library, nor where /proc is that of another namespace than this process's.
            if (!number.equals(Integer.toString(os.getpid()))) {
                return "";
            }
            // Gone with a main thread that ended before the others, as it may where a program has a JVM inside; the
            // numbers of open files are gone too.
            Files.readSymbolicLink(Path.of(proc + "self/exe"));
            // Root's where another user's process may not be looked into (PR_SET_DUMPABLE), by its like neither.
            Object seenBy = Files.getAttribute(Path.of(proc + "self/fd"), "unix:uid");
            return Files.readSymbolicLink(Path.of(proc + "self/ns/pid")) + " "
                    + Files.readSymbolicLink(Path.of(proc + "self/ns/user")) + " "
                    + compared(ProcFile.read(proc + "self/status")) + "fd:" + seenBy + " label:" + label(proc) + " "
                    + number;
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }

    /** What SELinux, AppArmor or Smack call this process; nothing where the kernel has none of them. */
    private static String label(String proc) {
        try {
            return ProcFile.read(proc + "self/attr/current").trim();
        } catch (IOException e) {
            return "";
        }
    }

    private static String compared(String status) {
        StringBuilder lines = new StringBuilder();
        for (String line : status.split("\n")) {
            for (String name : COMPARED) {
                if (line.startsWith(name)) {
                    lines.append(line).append(' ');
                }
            }
        }
        return lines.toString();
    }

    /**
     * @param own what {@link #ownProcess} says of this process
     * @param peer what it said there
     */
    static boolean areShared(String own, String peer) {
        int number = own.lastIndexOf(' ') + 1;
        if (number == 0 || !peer.startsWith(own.substring(0, number)) || !isNumber(peer, number)) {
            return false;
        }
        try {
            // Only those may read this link who may open its files. Where it leads is not asked: that may be on a slow
            // file system.
            Files.readSymbolicLink(Path.of(PROC + peer.substring(number) + "/exe"));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isNumber(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return from < text.length();
    }
}
