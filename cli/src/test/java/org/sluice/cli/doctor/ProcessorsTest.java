package org.sluice.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of the processors where the kernel tells little or nothing. */
final class ProcessorsTest {
    private static final String UNTOLD =
            Runtime.getRuntime().availableProcessors() + " usable, numbers unknown: " + System.getProperty("os.arch");

    @TempDir
    private Path proc;

    private String said() {
        List<Finding> findings = Processors.examine(proc);
        assertEquals(2, findings.size(), findings.toString());
        return findings.get(0).text();
    }

    @Test
    void whatTheKernelTellsIsSaid() throws Exception {
        Files.writeString(proc.resolve("cpuinfo"), "processor\t: 0\nmodel name\t: Abacus 9\n");
        Files.createDirectory(proc.resolve("self"));
        Files.writeString(proc.resolve("self/status"), "Name:\tjava\nCpus_allowed_list:\t3-7\n");
        assertEquals(Runtime.getRuntime().availableProcessors() + " usable, numbers 3-7: Abacus 9", said());
    }

    @Test
    void filesThatAreNotThereAreNoHindrance() {
        assertEquals(UNTOLD, said());
    }

    @Test
    void filesThatCannotBeReadAreNoHindrance() throws Exception {
        Files.createDirectory(proc.resolve("cpuinfo"));
        Files.createDirectory(proc.resolve("self"));
        Files.write(proc.resolve("self/status"), new byte[] {'C', (byte) 0xff, ':', '\n'});
        assertEquals(UNTOLD, said());
    }

    @Test
    void filesThatSayNothingOfItAreNoHindrance() throws Exception {
        Files.writeString(proc.resolve("cpuinfo"), "");
        Files.createDirectory(proc.resolve("self"));
        Files.writeString(proc.resolve("self/status"), "Cpus_allowed_list\n");
        assertEquals(UNTOLD, said());
    }
}
