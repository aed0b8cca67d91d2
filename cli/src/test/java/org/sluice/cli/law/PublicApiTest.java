package org.sluice.cli.law;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import kotlinx.validation.api.ClassBinarySignature;
import kotlinx.validation.api.KotlinSignaturesLoadingKt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What programs can name, and so what a change may break, is written down: a change of it is seen in the change of the
 * file.
 */
@Tag("once")
final class PublicApiTest {
    private static final Path ROOT =
            Path.of(System.getProperty("sluice.root", "..")).toAbsolutePath().normalize();

    @ParameterizedTest
    @ValueSource(strings = {"sluice", "sluice-coroutines"})
    void isTheOneThatIsWrittenDown(String name) throws IOException {
        Path jar = ROOT.resolve(".build/lib").resolve(name + ".jar");
        assumeTrue(Files.isRegularFile(jar), jar + " is missing: ./sluice --version builds it");
        Path written = ROOT.resolve("jars/api").resolve(name + ".api");
        String found = dump(jar);
        assertTrue(found.contains("public "), name + " has no public class");
        Path made = Files.createDirectories(ROOT.resolve("cli/target/api")).resolve(name + ".api");
        Files.writeString(made, found);
        assertEquals(
                Files.exists(written) ? Files.readString(written) : "",
                found,
                "if programs may be broken, or only something was added: cp " + made + " " + written);
    }

    private static String dump(Path path) throws IOException {
        try (JarFile jar = new JarFile(path.toFile())) {
            Set<String> exported;
            try (InputStream module = jar.getInputStream(jar.getEntry("module-info.class"))) {
                exported = ModuleDescriptor.read(module).exports().stream()
                        .filter(exports -> !exports.isQualified())
                        .map(ModuleDescriptor.Exports::source)
                        .collect(Collectors.toSet());
            }
            Set<String> hidden = jar.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(".class") && name.contains("/"))
                    .map(name -> name.substring(0, name.lastIndexOf('/')).replace('/', '.'))
                    .filter(name -> !exported.contains(name))
                    .collect(Collectors.toCollection(TreeSet::new));
            List<ClassBinarySignature> all =
                    KotlinSignaturesLoadingKt.loadApiFromJvmClasses(jar, name -> name.startsWith("org/sluice/"));
            return KotlinSignaturesLoadingKt.dump(
                            KotlinSignaturesLoadingKt.filterOutNonPublic(all, hidden, List.of()), new StringBuilder())
                    .toString();
        }
    }
}
