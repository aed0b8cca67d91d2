package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HostListTest {
    @TempDir
    private Path folder;

    private static String shares(HostList list, int ranks) {
        return list.shares(ranks).stream()
                .map(share -> share.host() + "=" + share.firstRank() + "+" + share.ranks())
                .collect(Collectors.joining(" "));
    }

    private HostList file(String text) throws Exception {
        return HostList.ofFile(Files.writeString(folder.resolve("hosts"), text));
    }

    @Test
    void aFileIsReadAsMpirunAndMpjExpressHaveIt() throws Exception {
        assertEquals(
                "node1=0+4 node2=4+2 10.0.0.3=6+1",
                shares(file("# of a laboratory\nnode1 slots=4\n\n  node2:2 # two\n10.0.0.3 slots=8 max_slots=8\n"), 7));
        assertEquals("a=0+3 b=3+2 c=5+2", shares(file("a\nb\nc\n"), 7));
        assertEquals("fe80::1=0+1 ::2=1+1", shares(file("[fe80::1]:1\n::2 slots=1"), 2));
        assertEquals("a=0+3 b=3+1 c=4+1", shares(file("a\na\nb\na\nc\n"), 5), "as batch systems write it");
        assertEquals("me@a=0+2", shares(file("me@a slots=1\nme@a slots=1"), 2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a:4,b:4 | 5 | a=0+4 b=4+1",
                "a:4,b:4 | 3 | a=0+3",
                "a,b | 1 | a=0+1",
                "a:1,b,c | 6 | a=0+1 b=1+3 c=4+2",
                "b,a:2 | 3 | b=0+1 a=1+2",
                "a:1,b | 1 | a=0+1",
            })
    void ranksAreSpread(String words, int ranks, String expected) {
        assertEquals(expected, shares(HostList.ofWords(words), ranks));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a:1,b:1 | has room for 2 ranks, and -n is 3",
                "-oProxyCommand=x | is no machine",
                "a,,b | is no machine",
                "a;b | is no machine",
                "a:0 | slots are '0'",
                "a:99999999 | slots are '99999999'",
            })
    void whatIsNoMachineIsRefused(String words, String said) {
        String message = assertThrows(
                        IllegalArgumentException.class,
                        () -> HostList.ofWords(words).shares(3))
                .getMessage();
        assertTrue(message.contains(said) && message.contains(words), message);
    }

    @Test
    void whatIsWrongInAFileIsToldWithItsLine() throws Exception {
        for (String line : List.of("a slots=x", "a cpu=3", "-a", "a slots=-1")) {
            String message = assertThrows(IllegalArgumentException.class, () -> file("b\n" + line))
                    .getMessage();
            assertTrue(message.contains("hosts, line 2"), message);
        }
        assertTrue(assertThrows(IllegalArgumentException.class, () -> file("\n# none\n"))
                .getMessage()
                .contains("names no machine"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> HostList.ofFile(folder.resolve("none")))
                .getMessage()
                .contains("can't be read"));
        Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertTrue(assertThrows(IllegalArgumentException.class, () -> HostList.ofFile(folder.resolve("binary")))
                .getMessage()
                .contains("no text"));
    }

    @Test
    void thisMachineIsKnownByItsNamesAndAddresses() throws Exception {
        String own = InetAddress.getLocalHost().getHostName();
        Set<String> names = new TreeSet<>(List.of("localhost", "127.0.0.1", "127.0.1.1", "::1", own));
        NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .forEach(address -> names.add(address.getHostAddress()));
        for (String name : names) {
            assertTrue(HostList.isHere(name), name);
        }
        assertFalse(HostList.isHere("192.0.2.1"), "an address that documents have");
        assertFalse(HostList.isHere("no-such-machine.invalid"));
    }
}
