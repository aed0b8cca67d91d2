package org.sluice.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pictures are drawn by {@code tools/pictures.sh} from the sources beside them, and stand in a page. */
@Tag("once")
final class PicturesTest {
    private final Documents documents = new Documents();
    private final Path folder = documents.root.resolve("docs/pictures");

    private List<Path> files(String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void eachIsOfItsSourceAsThatIsNow() throws Exception {
        List<Path> sources = files(".dot");
        assertTrue(sources.size() >= 4, sources::toString);
        for (Path source : sources) {
            String mark = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(source)));
            String picture = source.toString().replace(".dot", ".svg");
            assertEquals(
                    List.of(mark),
                    Documents.find(Files.readString(Path.of(picture)), "^<!-- ([0-9a-f]{64}) -->$"),
                    picture + " is another's: tools/pictures.sh draws it");
        }
    }

    @Test
    void eachStandsInAPageWithWordsForWhoCanNotSeeIt() throws Exception {
        Set<String> shown = new TreeSet<>();
        for (Path document : documents.all()) {
            shown.addAll(Documents.find(
                    Files.readString(document), "!\\[[^\\]]{20,}\\]\\((?:docs/|\\.\\./|)pictures/([a-z-]+\\.svg)\\)"));
        }
        Set<String> drawn = new TreeSet<>();
        files(".svg").forEach(file -> drawn.add(file.getFileName().toString()));
        assertEquals(drawn, shown);
    }
}
