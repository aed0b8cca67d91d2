package org.sluice.bench.contestant;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.sluice.bench.plan.Route;
import org.sluice.bench.rank.RankMain;
import org.sluice.bench.rank.RankSetup;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;

/**
 * Ranks of Sluice, started as {@code ./sluice run} would: as a JVM each, or as the threads of one; with one more that
 * shares no memory with them where the route has that.
 */
final class SluiceStarter implements Starter {
    private final JavaCommand java;
    private final RankSetup setup;
    private final SluiceWay way;
    private final Map<String, String> options;
    private final boolean underMpjExpress;
    private final int jvms;

    /** @param options by environment variable, in place of the harness's own */
    SluiceStarter(JavaCommand java, RankSetup setup, SluiceWay way, Map<String, String> options) {
        this(java, setup, way, options, false, way.route() == Route.THREADS ? 1 : setup.ranks());
    }

    private SluiceStarter(
            JavaCommand java,
            RankSetup setup,
            SluiceWay way,
            Map<String, String> options,
            boolean underMpjExpress,
            int jvms) {
        this.java = java;
        this.setup = setup;
        this.way = way;
        this.options = options;
        this.underMpjExpress = underMpjExpress;
        this.jvms = jvms;
    }

    /** With its ranks in so many JVMs. */
    SluiceStarter inJvms(int count) {
        return new SluiceStarter(java, setup, way, options, underMpjExpress, count);
    }

    /** Processes of MPJ Express, whose device is Sluice. */
    static SluiceStarter underMpjExpress(JavaCommand java, RankSetup setup) {
        Map<String, String> home = Map.of("MPJ_HOME", MpjExpress.HOME.toString());
        return new SluiceStarter(java, setup, new SluiceWay(Route.SHM, 1), home, true, setup.ranks());
    }

    @Override
    public List<Running> start(Map<String, String> environment) throws ContestantFailure {
        int apart = way.route() == Route.ALL ? 1 : 0;
        boolean isDialect = setup.api().isDialect() && !underMpjExpress;
        Launcher launcher = new Launcher(setup.ranks() + apart, program())
                .ownLoaders(isDialect && jvms < setup.ranks())
                .jvms(jvms + apart)
                .java(java.home())
                .jvmOptions(java.heap(setup))
                .arguments(arguments());
        environment.forEach(launcher::environment);
        options.forEach(launcher::environment);
        if (way.route() == Route.ALL) {
            launcher.commandPrefix(first -> first == setup.ranks() ? OwnMemory.PREFIX : List.of());
        }
        way.set(launcher, setup.ranks());
        return List.of(new RunningSluice(launcher));
    }

    @Override
    public InetAddress harness() {
        return way.harness();
    }

    private List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of(setup.arguments()));
        if (underMpjExpress) {
            arguments.add(0, DialectProgram.MPIJAVA);
        }
        return arguments;
    }

    private Program program() throws ContestantFailure {
        if (underMpjExpress) {
            return DialectProgram.underMpjExpress();
        }
        return setup.api().isDialect()
                ? DialectProgram.of(setup.api(), way.route())
                : Program.ofClassPath(System.getProperty("java.class.path"), RankMain.class.getName());
    }

    @Override
    public void close() {
        // The launcher and the device clean up after themselves.
    }
}
