package org.sluice.launch;

import java.io.File;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A dialect of MPI that a program speaks, which it gets a package {@code mpi} of.
 *
 * @param name of the dialect
 * @param jars that have it, as a class path; empty where they are on the program's already
 * @param isFirst whether it takes the place of a package that the program brings. Otherwise it stands behind the
 *     program's class path, whose versions of libraries win
 * @param device name of the device that {@code main} is told in front of its own arguments, with the rank and the
 *     number of ranks, as MPJ Express's launchers do; empty where it gets its own arguments alone
 */
public record MpiDialect(String name, String jars, boolean isFirst, String device) {
    public static final String MPIJAVA = "mpijava";

    private static final String DEVICE = "sluice";
    /** A class of the package, as errors name it. */
    private static final Pattern OF_MPI = Pattern.compile("(^|[ '(])mpi[./][A-Z]");

    public MpiDialect {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(jars, "jars");
        Objects.requireNonNull(device, "device");
    }

    /** One of Sluice's. */
    public static MpiDialect of(String name, String jars, boolean isFirst) {
        return new MpiDialect(name, jars, isFirst, name.equals(MPIJAVA) ? DEVICE : "");
    }

    /** As this one, if it tells programs of a device: of another. */
    public MpiDialect withDevice(String other) {
        return new MpiDialect(name, jars, isFirst, device.isEmpty() ? device : other);
    }

    /** For one that failed as it has no package {@code mpi}, or another dialect's: what to do; else empty. */
    static String advice(Throwable failure) {
        for (Throwable link = failure; link != null; link = link.getCause()) {
            if ((link instanceof LinkageError || link instanceof ClassNotFoundException)
                    && OF_MPI.matcher(String.valueOf(link.getMessage())).find()) {
                return "the program calls MPI, and its class files didn't tell in which dialect, or they were told"
                        + " another: ./sluice run --mpi mpijava gives it MPJ Express's (Send, Rank), --mpi openmpi Open"
                        + " MPI's (send, getRank)";
            }
            if (link.getCause() == link) {
                break;
            }
        }
        return "";
    }

    /** The class path of a program that has this dialect. */
    public String classPath(String ofProgram) {
        if (jars.isEmpty()) {
            return ofProgram;
        }
        return isFirst ? jars + File.pathSeparator + ofProgram : ofProgram + File.pathSeparator + jars;
    }
}
