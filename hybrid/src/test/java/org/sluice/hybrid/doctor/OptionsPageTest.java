package org.sluice.hybrid.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.sluice.device.option.Option;

/** The page about options says what the declarations say. */
final class OptionsPageTest {
    @Test
    void theCommittedPageIsTheGeneratedOne() throws IOException {
        Path page = Path.of(System.getProperty("sluice.root"), "docs", "options.md");
        assertEquals(OptionsPage.text(), Files.readString(page),
                "docs/options.md is out of date: java -cp .build/sluice.jar org.sluice.hybrid.doctor.OptionsPage "
                + "docs/options.md");
    }

    @Test
    void everyOptionHasItsLine() {
        for (Option option : Option.values()) {
            assertTrue(OptionsPage.text().contains("| `" + option.property() + "` |"), option.property());
        }
    }
}
