package org.sluice.device.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class OptionsTest {
    private static final Option SHARE = Option.EAGER_SHARE;

    private static Options given(Option option, String value) {
        return Options.of(Map.of(option.property(), value), Map.of(), Map.of());
    }

    private static void refused(Option option, String value, String... parts) {
        String message = assertThrows(IllegalArgumentException.class, () -> given(option, value))
                .getMessage();
        assertTrue(message.contains(option.property()), message);
        assertTrue(message.contains("'" + value + "'"), message);
        assertTrue(message.contains("given to open"), message);
        for (String part : parts) {
            assertTrue(message.contains(part), message);
        }
    }

    @Test
    void theFirstOfGivenPropertyEnvironmentAndDefaultCounts() {
        Map<String, String> given = Map.of(SHARE.property(), "1m");
        Map<String, String> properties = Map.of(SHARE.property(), "2m");
        Map<String, String> environment = Map.of(SHARE.environmentVariable(), "3m");
        check(Options.of(given, properties, environment), 1 << 20, "given to open");
        check(Options.of(Map.of(), properties, environment), 2 << 20, "system property");
        check(Options.of(Map.of(), Map.of(), environment), 3 << 20, "environment SLUICE_EAGER_SHARE_BYTES");
        check(Options.of(Map.of(), Map.of(), Map.of()), 4 << 20, "default");
    }

    private static void check(Options options, long value, String origin) {
        assertEquals(value, options.number(SHARE));
        assertEquals(origin, options.origin(SHARE));
    }

    @Test
    void aSystemPropertyOfThisJvmCounts() {
        System.setProperty(SHARE.property(), "5m");
        try {
            check(Options.of(Map.of()), 5 << 20, "system property");
        } finally {
            System.clearProperty(SHARE.property());
        }
    }

    @Test
    void sizesCarryUnits() {
        assertEquals(8, Options.parseSize("8"));
        assertEquals(1024, Options.parseSize("1k"));
        assertEquals(64 << 10, Options.parseSize(" 64K "));
        assertEquals(16 << 20, Options.parseSize("16m"));
        assertEquals(2L << 30, Options.parseSize("2G"));
        assertEquals(-1, Options.parseSize("-1"));
        for (String wrong :
                List.of("", " ", "k", "1t", "1kk", "0x10", "1.5m", "9223372036854775807k", "99999999999999999999")) {
            assertThrows(NumberFormatException.class, () -> Options.parseSize(wrong), "'" + wrong + "'");
        }
    }

    @Test
    void bothEndsOfARangeAreIn() {
        assertEquals(4096, given(SHARE, "4k").number(SHARE));
        refused(SHARE, "4095", "out of range", "4096 to " + (1L << 40), "bytes");
        assertEquals(1L << 40, given(SHARE, "1024g").number(SHARE));
        refused(SHARE, "1025g", "out of range");
        assertEquals(60000, given(Option.PEER_CHECK_MS, "60000").count(Option.PEER_CHECK_MS));
        refused(Option.PEER_CHECK_MS, "60001", "10 to 60000", "milliseconds");
    }

    @Test
    void whatIsNoNumberIsRefusedWhenItIsGiven() {
        refused(SHARE, "lots", "it is no number", SHARE.help());
        refused(Option.PROGRESS_THREADS, "", "it is no number");
    }

    @Test
    void whereAWrongValueCameFromIsSaid() {
        Map<String, String> environment = Map.of(SHARE.environmentVariable(), "many");
        String message = assertThrows(IllegalArgumentException.class, () -> Options.of(Map.of(), Map.of(), environment))
                .getMessage();
        assertTrue(message.contains("environment SLUICE_EAGER_SHARE_BYTES"), message);
    }

    @Test
    void aSwitchTakesOnlyItsWords() {
        assertEquals("on", given(Option.PEEK, " on ").text(Option.PEEK));
        refused(Option.PEEK, "yes", "off, on");
        refused(Option.SHM_CMA, "true", "auto, on, off");
        refused(Option.OS, "auto", "on, off");
    }

    @Test
    void aPathIsOneThatThisJvmCanName() {
        assertEquals("/dev/shm/mine", given(Option.SHM_DIR, " /dev/shm/mine ").text(Option.SHM_DIR));
        refused(Option.SHM_DIR, "", "it is empty", "such as /dev/shm", Option.SHM_DIR.help());
        refused(Option.SHM_DIR, "/dev/\0shm", "can't make a path of it (Nul character not allowed", "LC_ALL=C.UTF-8");
    }

    @Test
    void unknownNamesGivenToOpenAreRefusedWithASuggestion() {
        String message = assertThrows(
                        IllegalArgumentException.class,
                        () -> Options.of(Map.of("sluice.eager.share.byte", "1m"), Map.of(), Map.of()))
                .getMessage();
        assertTrue(message.contains("sluice.eager.share.byte; did you mean sluice.eager.share.bytes?"), message);
        String strange = assertThrows(
                        IllegalArgumentException.class, () -> Options.of(Map.of("colour", "blue"), Map.of(), Map.of()))
                .getMessage();
        assertTrue(strange.contains("no option is called colour;"), strange);
    }

    @Test
    void nullIsNoValue() {
        Map<String, String> given = new HashMap<>();
        given.put(SHARE.property(), null);
        String message = assertThrows(IllegalArgumentException.class, () -> Options.of(given, Map.of(), Map.of()))
                .getMessage();
        assertTrue(message.contains(SHARE.property()) && message.contains("null"), message);
    }

    @Test
    void typosAreNamedWithWhatWasMeant() {
        assertEquals(
                List.of(
                        "system property sluice.peak is no option of Sluice; did you mean sluice.peek?",
                        "environment variable SLUICE_SHM_RING_BYTE is no option of Sluice; "
                                + "did you mean SLUICE_SHM_RING_BYTES?"),
                Options.typos(
                        List.of("sluice.peak", "sluice.peek", "java.home"),
                        List.of("SLUICE_SHM_RING_BYTE", "SLUICE_SHM_RING_BYTES", "SLUICE_VM_NODE", "PATH")));
        assertEquals(
                List.of("system property sluice.entirely.unlike.any is no option of Sluice"),
                Options.typos(List.of("sluice.entirely.unlike.any"), List.of()));
    }

    @Test
    void aSuggestionResemblesWhatWasWritten() {
        assertEquals(
                List.of(
                        "system property sluice.bogus is no option of Sluice",
                        "environment variable SLUICE_FOO is no option of Sluice"),
                Options.typos(List.of("sluice.bogus"), List.of("SLUICE_FOO")));
        String unprefixed = assertThrows(
                        IllegalArgumentException.class, () -> Options.of(Map.of("peek", "on"), Map.of(), Map.of()))
                .getMessage();
        assertTrue(unprefixed.contains("no option is called peek; did you mean sluice.peek?"), unprefixed);
    }

    @Test
    void whoLeftOutTheEndOfANameIsToldIt() {
        assertEquals(
                List.of("system property sluice.progres is no option of Sluice; did you mean sluice.progress.threads?"),
                Options.typos(List.of("sluice.progres"), List.of()));
        assertEquals(
                List.of("environment variable SLUICE_PROGRESS is no option of Sluice; did you mean"
                        + " SLUICE_PROGRESS_THREADS?"),
                Options.typos(List.of(), List.of("SLUICE_PROGRESS")));
        // Too many to be of use, and too short.
        assertEquals(
                List.of(
                        "system property sluice.shm is no option of Sluice",
                        "system property sluice.w is no option of Sluice"),
                Options.typos(List.of("sluice.shm", "sluice.w"), List.of()));
    }

    @Test
    void whetherPackagesMayBeInstalledIsTheScriptsToKnow() {
        assertEquals(
                List.of("environment variable SLUICE_INSTAL is no option of Sluice; did you mean SLUICE_INSTALL?"),
                Options.typos(List.of(), List.of("SLUICE_INSTALL", "SLUICE_INSTAL")));
    }

    @Test
    void whatTheScriptAndTestsSetIsNoTypo() {
        assertEquals(
                List.of(),
                Options.typos(
                        List.of(
                                "sluice.home",
                                "sluice.root",
                                "sluice.debug",
                                "sluice.terminal",
                                "sluice.test.patience"),
                        List.of("SLUICE_VM_NODE")));
    }

    @Test
    void aVariableIsWrittenInCapitals() {
        for (String variable : List.of("SLUICE_shm_DIR", "SLUICE_SHM.DIR", "sluice_shm_dir", "_SLUICE_SHM_DIR")) {
            Options options = Options.of(Map.of(), Map.of(), Map.of(variable, "/tmp"));
            assertEquals("default", options.origin(Option.SHM_DIR), variable);
        }
        assertEquals(1, Options.typos(List.of(), List.of("SLUICE_shm_DIR")).size());
    }

    @Test
    void aRangeIsSaidInTheUnitOfTheOption() {
        refused(SHARE, "1", "allowed is 4096 to " + (1L << 40) + " bytes, also with k, m or g; ");
        refused(Option.PEER_CHECK_MS, "1", "allowed is 10 to 60000 milliseconds; ");
        refused(Option.PROGRESS_THREADS, "65", "allowed is 0 to 64; ");
    }

    @Test
    void everyOptionIsWhole() {
        Options options = Options.of(Map.of(), Map.of(), Map.of());
        Set<String> properties = new HashSet<>();
        for (Option option : Option.values()) {
            assertTrue(properties.add(option.property()), option.property());
            assertTrue(option.property().matches("sluice(\\.[a-z]+)+"), option.property());
            assertEquals(
                    option.property().toUpperCase(Locale.ROOT),
                    option.environmentVariable().replace('_', '.'));
            assertTrue(option.help().length() > 10, option.property());
            assertEquals("default", options.origin(option));
            assertEquals(option.defaultValue(), options.text(option));
            assertEquals(option, Option.ofProperty(option.property()).orElseThrow());
            assertEquals(
                    option,
                    Option.ofEnvironmentVariable(option.environmentVariable()).orElseThrow());
            // A default isn't checked where nobody gives it.
            Options given = Options.of(Map.of(option.property(), option.defaultValue()), Map.of(), Map.of());
            assertEquals(option.defaultValue(), given.text(option));
            boolean isListOfWords = option.property().startsWith("sluice.mpi.algorithm.");
            assertEquals(
                    option.unit() == Option.Unit.SWITCH || isListOfWords,
                    !option.words().isEmpty(),
                    option.property());
            assertTrue(!isListOfWords || option.unit() == Option.Unit.NAMES, option.property());
            if (option.isNumber()) {
                assertTrue(option.least() < option.most(), option.property());
                assertTrue(options.number(option) >= option.least(), option.property());
            }
        }
    }
}
