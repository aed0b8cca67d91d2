package mpi;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Both of Sluice's dialects are named {@code mpi}: with both on a class path, classes of the two would be mixed. */
final class OneDialect {
    /** Each dialect's jar has it. */
    private static final String MARK = "META-INF/sluice-mpi-dialect";

    private OneDialect() {}

    static void check(ClassLoader loader) {
        // By their names: the jar of one may well be found by several ways.
        Map<String, String> places = new TreeMap<>();
        try {
            List<URL> marks = Collections.list(loader.getResources(MARK));
            if (marks.size() <= 1) {
                return;
            }
            for (URL mark : marks) {
                places.putIfAbsent(name(mark), mark.toExternalForm().replace(MARK, ""));
            }
        } catch (IOException e) {
            throw MPIException.of(e);
        }
        if (places.size() > 1) {
            throw new MPIException("several dialects of MPI are on the class path, and all are the package mpi: "
                    + String.join(" and ", places.values()) + "; leave the one that the program was written for");
        }
    }

    /** The first word of a mark. */
    private static String name(URL mark) throws IOException {
        try (InputStream in = mark.openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\\W", 2)[0];
        }
    }
}
