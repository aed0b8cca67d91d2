package org.sluice.hybrid.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.device.user.OtherUser;

/** States are written to files of this user alone, also in a folder that everybody may write, as /tmp is. */
@Tag("once")
final class DumpFileTest {
    private static final String STATE = "state\n";
    private static final int RANK = 3;

    private Path folder;
    private Path precious;

    @BeforeEach
    void makeFolder() throws Exception {
        folder = Files.createTempDirectory("sluice-dump-");
        Files.setAttribute(folder, "unix:mode", 01777);
        precious = Files.writeString(Files.createTempFile("sluice-precious-", ""), "mine\n");
    }

    @AfterEach
    void removeAll() throws Exception {
        for (String name : new String[] {"new", "link", "his", "second", "queue"}) {
            Files.deleteIfExists(file(name));
        }
        Files.delete(folder);
        Files.delete(precious);
    }

    private Path file(String name) {
        return folder.resolve(name + "." + RANK);
    }

    /** @return what went to standard error instead */
    private String write(String name) {
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            Dumps.write(
                    STATE,
                    Options.of(Map.of(
                            Option.DUMP_FILE.property(), folder.resolve(name).toString())),
                    RANK);
        } finally {
            System.setErr(before);
        }
        return said.toString(StandardCharsets.UTF_8);
    }

    private void assertRefused(String name, String why) {
        String said = write(name);
        assertTrue(
                said.startsWith("sluice: the state of rank 3 can't be written to " + file(name) + " (" + why
                        + "), and follows here: set sluice.dump.file to "),
                said);
        assertTrue(said.endsWith("\n" + STATE), said);
    }

    @Test
    void aNewFileIsForItsOwnerAloneAndLaterStatesAreAddedToIt() throws Exception {
        assertEquals("", write("new") + write("new"));
        assertEquals(STATE + STATE, Files.readString(file("new")));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file("new"))));
    }

    @Test
    void aLinkIsNotFollowed() throws Exception {
        Files.createSymbolicLink(file("link"), precious);
        assertRefused("link", "it is a link, or no file");
        Files.createLink(file("second"), precious);
        assertRefused("second", "it has another name as well, which others may have given it");
        assertEquals("mine\n", Files.readString(precious));
    }

    @Test
    void whatAStrangerHasMadeIsLeftAlone() throws Exception {
        OtherUser stranger = OtherUser.stranger();
        OtherUser.Result made = stranger.shell("cd " + folder + " && ln -s " + precious
                + " link.3 && echo his >his.3 && chmod 666 his.3 && mkfifo -m 666 queue.3");
        assertEquals(0, made.status, made.output);
        assertRefused("link", "it is a link, or no file");
        assertRefused("his", "it is another user's");
        assertRefused("queue", "it is a link, or no file");
        assertEquals("mine\nhis\n", Files.readString(precious) + Files.readString(file("his")));
        assertEquals("", write("new"));
        assertFalse(stranger.shell("cat " + file("new")).status == 0, "he reads the state");
    }
}
