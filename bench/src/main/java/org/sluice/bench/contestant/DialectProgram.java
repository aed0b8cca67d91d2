package org.sluice.bench.contestant;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.Route;
import org.sluice.bench.rank.RankMain;
import org.sluice.device.Device;
import org.sluice.launch.Program;
import org.sluice.launch.SluiceJar;

/**
 * The programs that are written for a dialect of MPI. All dialects are the package {@code mpi}, and so none is on the
 * harness's own class path.
 */
final class DialectProgram {
    static final String MPIJAVA = "mpibench.MpijavaRank";

    private static final String OPENMPI = "mpibench.OpenMpiRank";

    private DialectProgram() {}

    /** Ranks that are threads load the program and the dialect for themselves, and have the rest in common. */
    static Program of(Api api, Route route) throws ContestantFailure {
        String rest = route == Route.THREADS ? benchmark() : System.getProperty("java.class.path");
        return Program.ofClassPath(
                dialect(api) + File.pathSeparator + rest, api == Api.MPIJAVA ? MPIJAVA : OPENMPI);
    }

    private static Path dialect(Api api) throws ContestantFailure {
        Path jar = place(Device.class).resolveSibling("mpi").resolve("sluice-" + api.label() + ".jar");
        if (!Files.isReadable(jar)) {
            throw new ContestantFailure("--api " + api.label() + " needs " + jar
                    + ", which isn't there: ./sluice and its distribution have it beside sluice.jar");
        }
        return jar;
    }

    /** Where the ranks' programs are. */
    static String benchmark() throws ContestantFailure {
        return place(RankMain.class).toString();
    }

    /** What ranks need besides {@link #benchmark}. */
    static String rest() throws ContestantFailure {
        String without = benchmark();
        return Arrays.stream(SluiceJar.classPath().split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).toAbsolutePath().normalize().toString().equals(without))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Path place(Class<?> of) throws ContestantFailure {
        CodeSource source = of.getProtectionDomain().getCodeSource();
        try {
            if (source != null) {
                return Path.of(source.getLocation().toURI()).toAbsolutePath().normalize();
            }
        } catch (URISyntaxException | IllegalArgumentException e) {
            // Of a loader that has its classes elsewhere than in files.
        }
        throw new ContestantFailure(of.getName() + " is in no file: run ./sluice bench");
    }
}
