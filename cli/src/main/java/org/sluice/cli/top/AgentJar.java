package org.sluice.cli.top;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import org.sluice.hybrid.observe.agent.TopAgent;
import org.sluice.jni.SafeFolder;

/**
 * The jar with which a JVM is asked: the agent's class and nothing else, as it is added to that JVM's class path for
 * good. Therefore it keeps its name from call to call, in a folder that nobody else may write.
 */
final class AgentJar {
    private static final FileAttribute<?> OURS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private AgentJar() {}

    static Path make() throws IOException {
        byte[] jar = bytes();
        CRC32 sum = new CRC32();
        sum.update(jar);
        String name = "sluice-top-" + Long.toHexString(sum.getValue()) + ".jar";
        StringBuilder refusals = new StringBuilder();
        for (Path folder : folders()) {
            try {
                Files.createDirectories(folder, OURS);
                return make(folder.toRealPath(), name, jar);
            } catch (IOException e) {
                refusals.append("; ").append(e);
            }
        }
        throw new IOException(
                "there is no place for the jar that top has ranks load: set XDG_CACHE_HOME to a folder that this user"
                        + " alone may write"
                        + refusals);
    }

    private static List<Path> folders() {
        List<Path> folders = new ArrayList<>();
        String cache = System.getenv("XDG_CACHE_HOME");
        folders.add(
                cache != null && cache.startsWith("/")
                        ? Path.of(cache, "sluice")
                        : Path.of(System.getProperty("user.home"), ".cache", "sluice")
                                .toAbsolutePath());
        String home = System.getProperty("sluice.home");
        if (home != null) {
            folders.add(Path.of(home, ".build").toAbsolutePath());
        }
        return folders;
    }

    private static Path make(Path folder, String name, byte[] jar) throws IOException {
        SafeFolder.check(folder);
        Path file = folder.resolve(name);
        if (!isThere(file, jar)) {
            Path made = Files.createTempFile(folder, "sluice-top-", ".new");
            Files.write(made, jar);
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        return file;
    }

    private static boolean isThere(Path file, byte[] jar) throws IOException {
        try {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Arrays.equals(Files.readAllBytes(file), jar);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** The same each time. */
    private static byte[] bytes() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Agent-Class"), TopAgent.class.getName());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream out = new JarOutputStream(bytes);
                InputStream code = TopAgent.class.getResourceAsStream("TopAgent.class")) {
            out.putNextEntry(entry("META-INF/MANIFEST.MF"));
            manifest.write(out);
            out.putNextEntry(entry(TopAgent.class.getName().replace('.', '/') + ".class"));
            code.transferTo(out);
        }
        return bytes.toByteArray();
    }

    private static ZipEntry entry(String name) {
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(0);
        return entry;
    }
}
