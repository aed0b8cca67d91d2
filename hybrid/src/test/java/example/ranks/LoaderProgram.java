package example.ranks;

import example.kotlin.KotlinCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import org.sluice.device.Device;
import org.sluice.jni.os.Os;

/**
 * Says of classes of each origin who loaded them for this rank, what state they had, and how often a native library is
 * in this process.
 */
public final class LoaderProgram {
    private static final String[] TYPES = {
        "example.ranks.LoaderProgram",
        "example.kotlin.KotlinCounter",
        "org.sluice.device.Device",
        "org.sluice.launch.Job",
        "org.sluice.jni.os.Os",
        "kotlin.Unit",
        "kotlin.collections.CollectionsKt",
        "kotlin.coroutines.Continuation",
        "kotlinx.coroutines.Dispatchers",
        "kotlinx.coroutines.Job",
        "net.openhft.chronicle.bytes.Bytes",
        "org.jctools.queues.SpscArrayQueue"
    };
    private static int timesStarted;

    private LoaderProgram() {}

    public static void main(String[] args) throws Exception {
        try (Device device = Device.open()) {
            TreeMap<String, String> loaders = new TreeMap<>();
            for (String type : TYPES) {
                loaders.put(
                        type,
                        Class.forName(type, true, LoaderProgram.class.getClassLoader())
                                .getClassLoader()
                                .getName());
            }
            loaders.forEach((type, loader) -> System.out.println(device.rank() + " " + type + " by " + loader));
            System.out.println(device.rank() + " statics " + timesStarted++ + " and " + KotlinCounter.next());
            // So that every rank has loaded what it loads.
            device.barrier();
            System.out.println(device.rank() + " natives " + Os.available() + " " + mapped("libsluice_os.so"));
        }
    }

    /** The number of files of that name whose code this process has mapped. */
    private static long mapped(String library) throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains(library))
                    .map(line -> line.split(" +"))
                    .filter(fields -> fields[1].startsWith("r-x"))
                    .map(fields -> fields[3] + " " + fields[4])
                    .distinct()
                    .count();
        }
    }
}
