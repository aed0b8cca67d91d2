package org.sluice.jni;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.security.CodeSource;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A library as the jar holds it. The jar that these classes came from is open already, so reading an entry of it costs
 * a tenth of what it costs to look for a resource (docs/project/adr/0008-fast-open.md).
 */
final class PackedLibrary {
    private static final String FOLDER = "org/sluice/jni/";

    private PackedLibrary() {}

    /** Null when there is none. */
    static byte[] read(String resource) throws IOException {
        File jar = ownJar();
        if (jar != null) {
            try (ZipFile zip = new ZipFile(jar)) {
                ZipEntry entry = zip.getEntry(FOLDER + resource);
                if (entry != null) {
                    try (InputStream in = zip.getInputStream(entry)) {
                        return in.readAllBytes();
                    }
                }
            }
        }
        // From a folder of classes, from a jar inside a jar, or with another machine's file in a jar of its own.
        try (InputStream in = PackedLibrary.class.getResourceAsStream(resource)) {
            return in == null ? null : in.readAllBytes();
        }
    }

    private static File ownJar() {
        CodeSource source = PackedLibrary.class.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        if (location == null || !location.getProtocol().equals("file")) {
            return null;
        }
        File file = new File(URI.create(location.toString()));
        return file.isFile() ? file : null;
    }
}
