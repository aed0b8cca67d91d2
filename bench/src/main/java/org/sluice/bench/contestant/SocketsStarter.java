package org.sluice.bench.contestant;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The two ends of one connection of our C program, which has nothing else. */
final class SocketsStarter implements Starter {
    private static final int RANKS = 2;

    private final Wire wire;
    private volatile WorkFolder folder;

    SocketsStarter(Wire wire) {
        this.wire = wire;
    }

    @Override
    public InetAddress harness() {
        return wire.here();
    }

    @Override
    public List<Running> start(Map<String, String> environment) throws IOException, ContestantFailure {
        String program = PeerBuild.program(PeerProgram.BARE_SOCKETS).toString();
        folder = WorkFolder.create();
        // Nodes may share no files: there it is a port of this machine's that is free, and most likely on that one.
        String place = wire.isOfMachines()
                ? Integer.toString(freePort())
                : folder.path().resolve("port").toString();
        List<Running> started = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            List<String> command = new ArrayList<>(wire.prefix(rank, RANKS));
            command.addAll(List.of(
                    program, Integer.toString(rank), wire.address(1, RANKS).getHostAddress(), place));
            started.add(ChildProcess.start(command, environment, null));
        }
        return started;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void ranksAreReady() {
        close();
    }

    @Override
    public void close() {
        if (folder != null) {
            folder.close();
        }
    }
}
