package org.sluice.bench.contestant;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sluice.bench.rank.RankSetup;

/**
 * Ranks of MPJ Express over its niodev: a JVM each, with the arguments that its daemons would give them. The harness
 * itself tells them of each other, so that no daemon has to run.
 */
final class NiodevStarter implements Starter {
    /** Above it messages go as a rendezvous; mpjrun's own. */
    private static final int SWITCH_LIMIT = 128 << 10;

    private final JavaCommand java;
    private final RankSetup setup;
    private final Wire wire;
    private volatile NiodevServer server;

    NiodevStarter(JavaCommand java, RankSetup setup, Wire wire) {
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
        server = new NiodevServer(wire.here(), setup.ranks());
        Map<String, String> all = new HashMap<>(environment);
        all.put("MPJ_HOME", MpjExpress.HOME.toString());
        String configuration = String.join(
                ";",
                "#Number of Processes",
                Integer.toString(setup.ranks()),
                "#Protocol Switch Limit",
                Integer.toString(SWITCH_LIMIT),
                "#Server Name",
                server.host(),
                "#Server Port",
                Integer.toString(server.port()));
        String classPath = MpjExpress.LIBRARY + ":" + MpjExpress.LOGGING + ":" + System.getProperty("java.class.path");
        List<Running> started = new ArrayList<>();
        for (int rank = 0; rank < setup.ranks(); rank++) {
            List<String> command = new ArrayList<>(wire.prefix(rank, setup.ranks()));
            command.addAll(java.withHeap(setup, environment));
            command.addAll(List.of("-cp", classPath, DialectProgram.MPIJAVA));
            command.addAll(List.of(Integer.toString(rank), configuration, "niodev"));
            command.addAll(List.of(setup.arguments()));
            started.add(ChildProcess.start(command, all, null));
        }
        return started;
    }

    @Override
    public void ranksAreReady() {
        server.close();
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }
}
