package org.sluice.hybrid.device;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** What the kernel says in a file; read so that as few classes as possible load while a device opens. */
final class ProcFile {
    private ProcFile() {}

    static String read(String path) throws IOException {
        try (InputStream in = new FileInputStream(path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
