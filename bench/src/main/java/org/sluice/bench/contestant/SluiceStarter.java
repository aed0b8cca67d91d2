package org.sluice.bench.contestant;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.sluice.bench.cli.Main;
import org.sluice.bench.plan.Route;
import org.sluice.bench.rank.RankMain;
import org.sluice.bench.rank.RankSetup;

/** Ranks of Sluice, started by {@code sluice run} in a process of its own: as a JVM each, or as the threads of one. */
final class SluiceStarter implements Starter {
    private final JavaCommand java;
    private final RankSetup setup;
    private final Route route;

    SluiceStarter(JavaCommand java, RankSetup setup, Route route) {
        this.java = java;
        this.setup = setup;
        this.route = route;
    }

    @Override
    public List<ChildProcess> start(Map<String, String> environment) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(java.home().resolve("bin/java").toString());
        command.addAll(java.flags(setup.largest()));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), "run",
                "-n", Integer.toString(setup.ranks()), "--jvms", route == Route.THREADS ? "1" : Integer.toString(setup.ranks())));
        command.addAll(java.flags(setup.largest()));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), RankMain.class.getName()));
        command.addAll(List.of(setup.arguments()));
        return List.of(ChildProcess.start(command, environment, null));
    }

    @Override
    public void close() {
        // The launcher and the device clean up after themselves.
    }
}
