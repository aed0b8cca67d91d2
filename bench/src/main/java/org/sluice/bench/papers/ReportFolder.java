package org.sluice.bench.papers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Where a report and all that it is made of lies: {@code records/RUN.jsonl}, {@code output/RUN.txt}, the page. */
public final class ReportFolder {
    static final String PAGE = "index.html";
    private static final String RECORDS = "records";
    private static final String OUTPUT = "output";
    private static final String OUTCOMES = "runs.jsonl";
    private static final String ENDING = ".jsonl";

    private final Path folder;

    public ReportFolder(Path folder) {
        this.folder = folder;
    }

    /** Makes it, with its parts. */
    public void create() throws IOException {
        Files.createDirectories(folder.resolve(RECORDS));
        Files.createDirectories(folder.resolve(OUTPUT));
    }

    /** Whether some run has been here. */
    public boolean hasRecords() {
        return Files.exists(folder.resolve(OUTCOMES)) || Files.exists(folder.resolve(RECORDS));
    }

    public Path page() {
        return folder.resolve(PAGE);
    }

    Path recordsOf(String run) {
        return folder.resolve(RECORDS).resolve(run + ENDING);
    }

    Path outputOf(String run) {
        return folder.resolve(OUTPUT).resolve(run + ".txt");
    }

    void append(Outcome outcome) throws IOException {
        Files.writeString(
                folder.resolve(OUTCOMES), outcome.json() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    void write(String name, byte[] bytes) throws IOException {
        Files.write(folder.resolve(name), bytes);
    }

    List<Outcome> outcomes() throws IOException {
        return lines(folder.resolve(OUTCOMES)).stream()
                .flatMap(line -> Outcome.parse(line).stream())
                .toList();
    }

    /** What a run printed; nothing if it didn't. */
    List<String> output(String run) throws IOException {
        return lines(outputOf(run));
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.exists(file)
                ? new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                        .lines()
                        .toList()
                : List.of();
    }

    /** By run, as far as they are whole. */
    Map<String, List<RunRecord>> records() throws IOException {
        Map<String, List<RunRecord>> all = new LinkedHashMap<>();
        for (Path file : files(folder.resolve(RECORDS))) {
            String name = file.getFileName().toString();
            all.put(name.substring(0, name.length() - ENDING.length()), parsed(file));
        }
        return all;
    }

    private static List<Path> files(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ENDING))
                    .sorted()
                    .toList();
        }
    }

    private static List<RunRecord> parsed(Path file) throws IOException {
        return lines(file).stream()
                .flatMap(line -> RunRecord.parse(line).stream())
                .toList();
    }

    /**
     * Of a report of {@code papers}, of the report of any other benchmark, or of a file of {@code --json}.
     *
     * @throws IllegalArgumentException if nothing is there
     */
    static List<RunRecord> recordsAt(Path place) throws IOException {
        List<RunRecord> all = new ArrayList<>();
        if (Files.isRegularFile(place)) {
            all.addAll(parsed(place));
        } else {
            for (Path file : files(place.resolve(RECORDS))) {
                all.addAll(parsed(file));
            }
            all.addAll(parsed(place.resolve("records.json")));
        }
        if (all.isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + place + "' has no records; name a folder of --report or a file of" + " --json");
        }
        return all;
    }
}
