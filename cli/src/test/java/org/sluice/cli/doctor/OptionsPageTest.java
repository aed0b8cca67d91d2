package org.sluice.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.sluice.device.option.Option;

/** The page about options says what the declarations say. */
final class OptionsPageTest {
    @Test
    void theCommittedPageIsTheGeneratedOne() throws IOException {
        Path page = Path.of(System.getProperty("sluice.root"), "docs", "reference", "options.md");
        assertEquals(
                OptionsPage.text(),
                Files.readString(page),
                "it is out of date: java -cp .build/lib/cli/sluice-cli.jar org.sluice.cli.doctor.OptionsPage "
                        + "docs/reference/options.md");
    }

    @Test
    void everyOptionHasItsLine() {
        for (Option option : Option.values()) {
            assertTrue(OptionsPage.text().contains("| `" + option.property() + "` |"), option.property());
        }
    }

    /** {@code NativeLibrary} reads it by itself, since it knows no options. */
    @Test
    void everyNativeLibraryHasItsSwitch() throws IOException {
        Set<String> loaded = new TreeSet<>();
        try (Stream<Path> sources =
                Files.walk(Path.of(System.getProperty("sluice.root"), "jni", "src", "main", "java"))) {
            for (Path source : sources.filter(Files::isRegularFile).toList()) {
                Pattern.compile("NativeLibrary\\.load\\(\"(\\w+)\"\\)")
                        .matcher(Files.readString(source))
                        .results()
                        .forEach(found -> loaded.add(found.group(1)));
            }
        }
        assertTrue(loaded.size() >= 2, loaded.toString());
        for (String name : loaded) {
            assertEquals(
                    List.of("on", "off"),
                    Option.ofProperty("sluice." + name).map(Option::words).orElse(List.of()),
                    name);
        }
    }
}
