package org.sluice.launch;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How another machine is reached: by ssh, or what takes a machine and a command as it does. Immutable.
 *
 * <p><i>Proof</i>: {@code RemoteShellTest}.
 */
public final class RemoteShell {
    private static final String SSH = "ssh";
    /** Nobody is there to answer a question; a machine that is gone is noticed. */
    private static final List<String> OPTIONS = List.of(
            "-x",
            "-o",
            "BatchMode=yes",
            "-o",
            "ConnectTimeout=10",
            "-o",
            "ServerAliveInterval=5",
            "-o",
            "ServerAliveCountMax=2",
            // A connection that others share would not be cut when this machine is lost.
            "-o",
            "ControlMaster=no",
            "-o",
            "ControlPath=none");

    /** Small, as it only hands on what others print. */
    private static final String JVM = "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto";

    private static final Path SETSID = Path.of("/usr/bin/setsid");

    private final List<String> words;

    private RemoteShell(List<String> words) {
        this.words = words;
    }

    /** @param command words with blanks between, of which the first is a program */
    public static RemoteShell of(String command) {
        List<String> words = Arrays.stream(command.strip().split("\\s+"))
                .filter(word -> !word.isEmpty())
                .toList();
        if (words.isEmpty()) {
            throw new IllegalArgumentException("--ssh '" + command
                    + "': it must be a command that takes a machine and a command as ssh does, as in --ssh 'ssh -p"
                    + " 2222'");
        }
        return new RemoteShell(words);
    }

    /** ssh, as it is configured. */
    public static RemoteShell ssh() {
        return new RemoteShell(List.of(SSH));
    }

    List<String> command(String host, String classPath) {
        List<String> command = new ArrayList<>();
        // A Ctrl-C is for the launcher, which still has something to say to its machines.
        if (Files.isExecutable(SETSID)) {
            command.add(SETSID.toString());
        }
        command.addAll(words);
        if (Path.of(words.get(0)).endsWith(SSH)) {
            command.addAll(OPTIONS);
        }
        command.add(host);
        command.add("exec sh -c " + quoted(script(classPath)));
        return command;
    }

    /** The first Java that is there: that of this JVM, that of the login, or any. */
    private static String script(String classPath) {
        String own = JavaHome.current().command();
        return "for j in " + quoted(own)
                + " \"${JAVA_HOME:-/none}/bin/java\" \"$(command -v java)\"; do if [ -x \"$j\" ];"
                + " then exec \"$j\" " + JVM + " -cp " + quoted(absolute(classPath)) + " " + NodeAgent.class.getName()
                + "; fi; done; echo \"there is no Java: neither " + own.replaceAll("[\"$`\\\\]", "?")
                + " nor JAVA_HOME nor on the PATH\" >&2; exit 127";
    }

    static String absolute(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator, -1))
                .map(entry -> new File(entry.isEmpty() ? "." : entry).getAbsolutePath())
                .collect(Collectors.joining(File.pathSeparator));
    }

    static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
