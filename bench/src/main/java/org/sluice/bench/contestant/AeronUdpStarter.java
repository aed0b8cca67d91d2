package org.sluice.bench.contestant;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.sluice.bench.rank.RankSetup;

/** Two JVMs, each with a media driver of Aeron's own, at either end of the wire. */
final class AeronUdpStarter implements Starter {
    private static final int RANKS = 2;
    /** Below those that Linux gives away by itself. */
    private static final int FIRST_PORT = 20_000;

    private static final int PORTS = 10_000;

    private final JavaCommand java;
    private final RankSetup setup;
    private final Wire wire;
    private volatile WorkFolder folder;

    AeronUdpStarter(JavaCommand java, RankSetup setup, Wire wire) {
        this.java = java;
        this.setup = setup;
        this.wire = wire;
    }

    @Override
    public InetAddress harness() {
        return wire.here();
    }

    @Override
    public List<Running> start(Map<String, String> environment) throws IOException, ContestantFailure {
        folder = WorkFolder.create();
        List<Running> started = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            RankSetup own = new RankSetup(
                    setup.kind(),
                    setup.api(),
                    setup.buffer(),
                    RANKS,
                    rank,
                    1,
                    folder.path().resolve("driver" + rank) + "," + endpoint(rank) + "," + endpoint(1 - rank),
                    setup.largest(),
                    0);
            List<String> command = new ArrayList<>(wire.prefix(rank, RANKS));
            command.addAll(java.rank(own, environment));
            started.add(ChildProcess.start(command, environment, null));
        }
        return started;
    }

    /** Two harnesses on one loopback have different ports as well. */
    private String endpoint(int rank) {
        long port = FIRST_PORT + ProcessHandle.current().pid() * RANKS % PORTS + rank;
        return wire.address(rank, RANKS).getHostAddress() + ":" + port;
    }

    @Override
    public void close() {
        if (folder != null) {
            folder.close();
        }
    }
}
