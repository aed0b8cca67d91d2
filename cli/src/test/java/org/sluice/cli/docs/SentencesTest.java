package org.sluice.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pages are written in sentences that are read once. Tables, code and decisions are left out. */
@Tag("once")
final class SentencesTest {
    private static final int LONGEST_WORDS = 40;
    private static final double AVERAGE_WORDS = 20;

    private static final Pattern CODE_BLOCK = Pattern.compile("(?s)```.*?```");
    private static final Pattern NO_PROSE = Pattern.compile("(?m)^(?:    .*|\\|.*|#.*)$");
    private static final Pattern PARAGRAPHS = Pattern.compile("\\n\\s*\\n|\\n(?=[-*] |\\d+\\. )");
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)\\]\\([^)]*\\)");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Pattern SENTENCES = Pattern.compile("(?<=[.!?:])\\s+(?=[A-Z*(])");
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}'\u2019-]+");

    private final Documents documents = new Documents();

    static List<String> sentences(String page) {
        String prose = NO_PROSE.matcher(CODE_BLOCK.matcher(page).replaceAll("")).replaceAll("\n");
        List<String> found = new ArrayList<>();
        for (String paragraph : PARAGRAPHS.split(prose)) {
            String plain =
                    CODE.matcher(LINK.matcher(paragraph).replaceAll("$1")).replaceAll("X");
            for (String sentence : SENTENCES.split(plain.replaceAll("\\s+", " ").strip())) {
                if (words(sentence) > 1) {
                    found.add(sentence);
                }
            }
        }
        return found;
    }

    static int words(String sentence) {
        int words = 0;
        for (Matcher word = WORD.matcher(sentence); word.find(); ) {
            words++;
        }
        return words;
    }

    @Test
    void noneIsTooLong() throws IOException {
        List<String> tooLong = new ArrayList<>();
        int seen = 0;
        for (Path document : pages()) {
            for (String sentence : sentences(Files.readString(document))) {
                seen++;
                if (words(sentence) > LONGEST_WORDS) {
                    tooLong.add(document.getFileName() + ", " + words(sentence) + " words: " + sentence);
                }
            }
        }
        assertEquals(List.of(), tooLong);
        assertTrue(seen > 1000, "only " + seen + " sentences were found");
    }

    @Test
    void mostAreShort() throws IOException {
        List<String> tedious = new ArrayList<>();
        for (Path document : pages()) {
            List<String> sentences = sentences(Files.readString(document));
            double average =
                    sentences.stream().mapToInt(SentencesTest::words).average().orElse(0);
            if (average > AVERAGE_WORDS) {
                tedious.add(document.getFileName() + ": " + average + " words on average");
            }
        }
        assertEquals(List.of(), tedious);
    }

    @Test
    void sentencesAreTold() {
        String page = "# Title of a page\n\nOne is `a.b(c)` here. It [links to it](a/b.md): Two.\n\n| a | b |\n"
                + "    code here. And more.\n- A list\n- of two\n";
        assertEquals(List.of("One is X here.", "It links to it:", "- A list", "- of two"), sentences(page));
    }

    private List<Path> pages() throws IOException {
        return documents.all().stream()
                .filter(document -> !document.getParent().endsWith("adr"))
                .toList();
    }
}
