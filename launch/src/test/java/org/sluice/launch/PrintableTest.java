package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What strangers say reaches no terminal as a command. */
@Tag("once")
final class PrintableTest {
    @Test
    void whatATerminalObeysIsReplaced() {
        assertEquals("?[2J?]0;title? no?", Printable.text("\u001b[2J\u001b]0;title\u0007 no\n"));
        assertEquals("?31m", Printable.text("\u009b31m"));
        assertEquals("a?b", Printable.text("a\u202eb"));
        assertEquals("\u00e4 \u4e2d \ud83d\ude00", Printable.text("\u00e4 \u4e2d \ud83d\ude00"));
    }

    @Test
    void whatIsLongIsCutOff() {
        assertEquals(2003, Printable.text("x".repeat(100_000)).length());
    }
}
