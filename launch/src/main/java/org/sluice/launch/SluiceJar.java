package org.sluice.launch;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;

/** The jar that programs have: Sluice's own classes, with a manifest that names the libraries beside it. */
public final class SluiceJar {
    private static final String NAME = "sluice.jar";

    private SluiceJar() {}

    /**
     * The class path that a program needs behind its own: that jar, if this JVM has Sluice of it, or else all that this
     * JVM has.
     */
    public static String classPath() {
        CodeSource source = SluiceJar.class.getProtectionDomain().getCodeSource();
        try {
            Path place = source == null ? null : Path.of(source.getLocation().toURI());
            return place != null && place.endsWith(NAME) ? place.toString() : System.getProperty("java.class.path");
        } catch (URISyntaxException | IllegalArgumentException e) {
            return System.getProperty("java.class.path");
        }
    }
}
