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
                jar(api.label()) + File.pathSeparator + rest, api == Api.MPIJAVA ? MPIJAVA : OPENMPI);
    }

    /** On MPJ Express itself, with Sluice as its device: a program that starts the one that is its first argument. */
    static Program underMpjExpress() throws ContestantFailure {
        return Program.ofClassPath(
                String.join(
                        File.pathSeparator,
                        jar("xdev").toString(),
                        MpjExpress.LIBRARY.toString(),
                        MpjExpress.LOGGING.toString(),
                        System.getProperty("java.class.path")),
                "xdev.mxdev.Start");
    }

    private static Path jar(String name) throws ContestantFailure {
        Path jar = place(Device.class).resolveSibling("mpi").resolve("sluice-" + name + ".jar");
        if (!Files.isReadable(jar)) {
            throw new ContestantFailure(
                    jar + " isn't there: ./sluice builds it, and its distribution has it, beside sluice.jar");
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
                .filter(entry ->
                        !Path.of(entry).toAbsolutePath().normalize().toString().equals(without))
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
