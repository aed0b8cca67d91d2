package org.sluice.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.sluice.bench.report.HtmlReport;

/**
 * The files that {@code --json} and {@code --report} name. They are tried before a race begins, since nobody wants to
 * hear after it that there is no place for what was measured.
 *
 * <p><i>Fails</i>: with the option, the path, the reason and what to do.
 */
final class OutputFiles {
    private static final String ADVICE =
            "; name a place that exists, where this user may write and where there is room";

    private final Path json;
    private final Path report;

    /** Either may be null, for none. */
    OutputFiles(Path json, Path report) {
        this.json = json;
        this.report = report;
    }

    /**
     * Leaves no file behind; makes the folder of the report.
     *
     * @throws IllegalArgumentException where one can't be written
     */
    void check() {
        if (json != null) {
            if (Files.isDirectory(json)
                    || !Files.isDirectory(json.toAbsolutePath().getParent())) {
                throw new IllegalArgumentException("--json '" + json + "': name a file in a folder that exists");
            }
            tryOut("--json", json, () -> tryFile(json));
        }
        if (report != null) {
            if (Files.exists(report) && !Files.isDirectory(report)) {
                throw new IllegalArgumentException(
                        "--report '" + report + "': that is a file; name a folder, which is made if needed");
            }
            tryOut("--report", report, () -> {
                Files.createDirectories(report);
                for (String name : HtmlReport.FILES) {
                    tryFile(report.resolve(name));
                }
            });
        }
    }

    private interface Writing {
        void run() throws IOException;
    }

    private static void tryOut(String option, Path path, Writing writing) {
        try {
            writing.run();
        } catch (IOException e) {
            throw new IllegalArgumentException(text(option, path, e), e);
        }
    }

    private static String text(String option, Path path, IOException failure) {
        return option + " '" + path + "' can't be written: " + reason(failure) + ADVICE;
    }

    /** What is there keeps its content. A pipe or a device is not touched: its reader would notice. */
    private static void tryFile(Path file) throws IOException {
        boolean exists = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        if (Files.isDirectory(file)) {
            throw new FileSystemException(file.toString(), null, "'" + file.getFileName() + "' is a folder there");
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            return;
        }
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            if (!exists) {
                // Where files may have no length at all, opening alone succeeds.
                out.write('\n');
            }
        } finally {
            if (!exists) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Without the path, which some messages consist of. */
    static String reason(IOException failure) {
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof NoSuchFileException) {
            return "no such file or folder";
        }
        if (failure instanceof FileSystemException system && system.getReason() != null) {
            return system.getReason();
        }
        return failure.getMessage() == null || failure instanceof FileSystemException
                ? failure.getClass().getSimpleName()
                : failure.getMessage();
    }

    void append(List<String> records) throws IOException {
        if (json != null) {
            write(
                    "--json",
                    json,
                    () -> Files.write(
                            json,
                            records,
                            StandardCharsets.UTF_8,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.APPEND));
        }
    }

    void write(HtmlReport page) throws IOException {
        if (report != null) {
            write("--report", report, () -> page.write(report));
        }
    }

    private static void write(String option, Path path, Writing writing) throws IOException {
        try {
            writing.run();
        } catch (IOException e) {
            throw new IOException(text(option, path, e), e);
        }
    }
}
