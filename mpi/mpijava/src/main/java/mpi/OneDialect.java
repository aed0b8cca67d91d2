package mpi;

import java.io.IOException;
import java.net.URL;
import java.util.Enumeration;
import java.util.Set;
import java.util.TreeSet;

/** Both of Sluice's dialects are named {@code mpi}: with both on a class path, classes of the two would be mixed. */
final class OneDialect {
    /** Each dialect's jar has it. */
    private static final String MARK = "META-INF/sluice-mpi-dialect";

    private OneDialect() {}

    static void check(ClassLoader loader) {
        Set<String> places = new TreeSet<>();
        try {
            Enumeration<URL> marks = loader.getResources(MARK);
            while (marks.hasMoreElements()) {
                // As text: URLs ask the network whether they are equal.
                places.add(marks.nextElement().toExternalForm().replace(MARK, ""));
            }
        } catch (IOException e) {
            throw MPIException.of(e);
        }
        if (places.size() > 1) {
            throw new MPIException("several dialects of MPI are on the class path, and all are the package mpi: "
                    + String.join(" and ", places) + "; leave the one that the program was written for");
        }
    }
}
