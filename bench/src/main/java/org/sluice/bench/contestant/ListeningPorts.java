package org.sluice.bench.contestant;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** At which ports of TCP somebody listens, as the kernel tells it. */
final class ListeningPorts {
    private static final String LISTEN = "0A";
    private static final int LOCAL = 1;
    private static final int STATE = 3;
    private static final int HEX = 16;

    private ListeningPorts() {}

    /** @param network the kernel's folder of the network in which it is asked */
    static boolean contain(String network, int port) throws IOException {
        for (String table : List.of("tcp", "tcp6")) {
            Path path = Path.of(network, table);
            if (Files.isReadable(path) && contain(Files.readAllLines(path), port)) {
                return true;
            }
        }
        return false;
    }

    /** @param lines of the kernel's table, the head first */
    static boolean contain(List<String> lines, int port) {
        return lines.stream()
                .skip(1)
                .map(line -> line.strip().split("\\s+"))
                .anyMatch(words -> words.length > STATE
                        && words[STATE].equals(LISTEN)
                        && Integer.parseInt(words[LOCAL].substring(words[LOCAL].lastIndexOf(':') + 1), HEX) == port);
    }
}
