package org.sluice.launch;

import java.io.File;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A dialect of MPI that a program speaks, which it gets a package {@code mpi} of.
 *
 * @param name of the dialect
 * @param jar of the dialect; null where it is on the program's class path already
 * @param isFirst whether it takes the place of a package that the program brings. Otherwise it stands behind the
 *     program's class path, whose versions of libraries win
 * @param device name of the device that {@code main} is told in front of its own arguments, with the rank and the
 *     number of ranks, as MPJ Express's launchers do; empty where it gets its own arguments alone
 */
public record MpiDialect(String name, Path jar, boolean isFirst, String device) {
    public static final String MPIJAVA = "mpijava";

    private static final String DEVICE = "sluice";

    public MpiDialect {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(device, "device");
    }

    /** With the device's name of Sluice, where programs of that dialect are told one. */
    public static MpiDialect of(String name, Path jar, boolean isFirst) {
        return new MpiDialect(
                name, Objects.requireNonNull(jar, "jar"), isFirst, name.equals(MPIJAVA) ? DEVICE : "");
    }

    /** One that is on the program's class path. */
    public static MpiDialect brought(String name) {
        return new MpiDialect(name, null, false, name.equals(MPIJAVA) ? DEVICE : "");
    }

    /** Programs that are told of a device are told this one. */
    public MpiDialect withDevice(String other) {
        return new MpiDialect(name, jar, isFirst, device.isEmpty() ? device : other);
    }

    /** The class path of a program that has this dialect. */
    public String classPath(String ofProgram) {
        if (jar == null) {
            return ofProgram;
        }
        return isFirst ? jar + File.pathSeparator + ofProgram : ofProgram + File.pathSeparator + jar;
    }
}
