package org.sluice.jni;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another JVM with this one's class path, for what a test cannot do to itself. Killed on close, if it still lives. */
public final class ChildJvm implements AutoCloseable {

    private final Process process;
    private final BufferedReader lines;

    private ChildJvm(Process process) {
        this.process = process;
        this.lines = process.inputReader();
    }

    public static ChildJvm start(Class<?> main, String... options) throws IOException {
        return new ChildJvm(new ProcessBuilder(command(main, options))
                .redirectErrorStream(true)
                .start());
    }

    public static List<String> command(Class<?> main, String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 24) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of(options));
        command.addAll(List.of("-Xmx64m", "-cp", System.getProperty("java.class.path"), main.getName()));
        return command;
    }

    public int pid() {
        return Math.toIntExact(process.pid());
    }

    /** The next line of its output, or null at the end. */
    public String readLine() throws IOException {
        return lines.readLine();
    }

    /** Ends its standard input, which the test's mains take as the word to leave. */
    public void endInput() throws IOException {
        process.getOutputStream().close();
    }

    public void kill() {
        process.destroyForcibly();
    }

    public int waitFor() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the child JVM " + process.pid() + " did not end within 60 s");
        }
        return process.exitValue();
    }

    /** All that it still prints, once it has ended. */
    public String restOfOutput() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            text.append(line).append('\n');
        }
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        lines.close();
    }
}
