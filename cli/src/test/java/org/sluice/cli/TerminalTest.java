package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the script says of the streams; that it says so is asserted in {@code ScriptToolsProcessTest}. */
@Tag("once")
final class TerminalTest {
    @Test
    void eachStreamIsATerminalByItself() {
        assertTrue(Terminal.OUT.isIn("out") && Terminal.OUT.isIn("out,err"));
        assertTrue(Terminal.ERR.isIn("err") && Terminal.ERR.isIn("out,err"));
        assertFalse(Terminal.OUT.isIn("err") || Terminal.ERR.isIn("out"));
        assertFalse(Terminal.OUT.isIn("") || Terminal.ERR.isIn(""));
    }

    /** As under JDK 22 and newer, which have a console there. */
    @Test
    void withoutTheScriptThereIsNone() {
        assertFalse(Terminal.OUT.isThere() || Terminal.ERR.isThere());
    }
}
