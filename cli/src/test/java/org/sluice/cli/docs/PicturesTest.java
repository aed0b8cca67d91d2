package org.sluice.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
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
        List<Path> sources = new ArrayList<>(files(".dot"));
        sources.addAll(files(".gp"));
        assertTrue(sources.size() >= 5, sources::toString);
        for (Path source : sources) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(Files.readAllBytes(source));
            if (source.toString().endsWith(".gp")) {
                // The records that it draws.
                digest.update(Files.readAllBytes(Path.of(source.toString().replace(".gp", ".json"))));
            }
            String mark = HexFormat.of().formatHex(digest.digest());
            String picture = source.toString().replaceAll("\\.(dot|gp)$", ".svg");
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
