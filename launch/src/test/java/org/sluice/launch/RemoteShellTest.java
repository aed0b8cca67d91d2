package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RemoteShellTest {
    @Test
    void sshAsksNobodyAndOthersGetNoOptions() {
        List<String> ssh = RemoteShell.ssh().command("node1", "/a b/sluice.jar");
        assertTrue(ssh.contains("BatchMode=yes"), ssh.toString());
        assertEquals("node1", ssh.get(ssh.size() - 2));
        List<String> other = RemoteShell.of(" rsh  -l me ").command("node1", "x.jar");
        int at = other.indexOf("rsh");
        assertEquals(List.of("rsh", "-l", "me", "node1"), other.subList(at, other.size() - 1));
        assertThrows(IllegalArgumentException.class, () -> RemoteShell.of("  "));
    }

    /** A shell there reads it, whatever is in it. */
    @Test
    void quotesSurviveTwoShells() throws Exception {
        String nasty = "it's $HOME `id` \"x\" \\ end";
        Process echo = new ProcessBuilder(
                        "sh", "-c", "exec sh -c " + RemoteShell.quoted("printf %s " + RemoteShell.quoted(nasty)))
                .start();
        assertEquals(nasty, new String(echo.getInputStream().readAllBytes()));
    }

    @Test
    void aClassPathNamesTheSamePlacesThere() {
        String here = new File("").getAbsolutePath();
        assertEquals(
                "/a.jar" + File.pathSeparator + here + "/b.jar" + File.pathSeparator + here + "/.",
                RemoteShell.absolute("/a.jar" + File.pathSeparator + "b.jar" + File.pathSeparator));
    }
}
