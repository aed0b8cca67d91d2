package org.sluice.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.bench.papers.Figure;
import org.sluice.bench.papers.Figures;

/** Each figure and table that the page of the papers names is drawn by the report, or is said not to be. */
@Tag("once")
final class PaperFiguresTest {
    private static final Pattern PAPER = Pattern.compile("^## ([A-E]): ");
    private static final Pattern NAMED =
            Pattern.compile("Figs?\\. (\\d+)(?:\\(([a-c])\\))?(?:(?: and |, )(\\d+))?|Table (\\d+|I{1,3})\\b");

    @Test
    void eachIsDrawnOrSaidNotToBe() throws IOException {
        Set<String> drawn = new TreeSet<>();
        Figures.all().stream()
                .map(Figure::id)
                .filter(id -> !id.contains("."))
                .forEach(id -> assertTrue(drawn.add(id), id));
        Figures.notDrawn().stream()
                .flatMap(each -> List.of(each.ids().split(", ")).stream())
                .forEach(id -> assertTrue(drawn.add(id), id + " is drawn, and said not to be"));
        assertEquals(named(), drawn);
    }

    private static Set<String> named() throws IOException {
        Set<String> named = new TreeSet<>();
        String paper = null;
        for (String line :
                new Documents().text("docs/explanation/from-the-papers.md").split("\n")) {
            Matcher title = PAPER.matcher(line);
            if (title.find()) {
                paper = title.group(1) + "-";
            }
            if (paper == null || !line.startsWith("| ")) {
                continue;
            }
            Matcher figure = NAMED.matcher(line.split("\\|")[1]);
            while (figure.find()) {
                if (figure.group(4) != null) {
                    named.add(paper + "T" + figure.group(4).replace("II", "2").replace("I", "1"));
                } else {
                    named.add(paper + figure.group(1) + (figure.group(2) == null ? "" : figure.group(2)));
                    if (figure.group(3) != null) {
                        named.add(paper + figure.group(3));
                    }
                }
            }
        }
        assertTrue(named.size() > 40, named::toString);
        return named;
    }
}
