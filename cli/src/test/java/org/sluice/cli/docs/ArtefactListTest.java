package org.sluice.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each version that pom.xml names has its hash in .mvn/artefacts.sha256, with which tools/setup.sh compares what Maven
 * brings.
 */
@Tag("once")
final class ArtefactListTest {
    private static final Pattern NAMED = Pattern.compile(
            "<(dependency|plugin)>(?:\\s|<!--.*?-->)*<groupId>([^<]*)</groupId>\\s*<artifactId>([^<]*)</artifactId>\\s*"
                    + "<version>([^<]*)</version>",
            Pattern.DOTALL);
    /** Pinned, so that nothing floats; no build of ours runs them. */
    private static final List<String> IDLE =
            List.of("maven-clean-plugin", "maven-install-plugin", "maven-deploy-plugin", "maven-site-plugin");

    private final Documents documents = new Documents();

    @Test
    void eachVersionIsListed() throws Exception {
        String pom = documents.text("pom.xml");
        String list = documents.text(".mvn/artefacts.sha256");
        List<String> missing = new ArrayList<>();
        int named = 0;
        Matcher matcher = NAMED.matcher(pom);
        while (matcher.find()) {
            if (matcher.group(2).equals("org.sluice") || IDLE.contains(matcher.group(3))) {
                continue;
            }
            named++;
            String version = value(pom, matcher.group(4));
            String path = "./" + matcher.group(2).replace('.', '/') + "/" + matcher.group(3) + "/" + version + "/"
                    + matcher.group(3) + "-" + version + ".jar";
            if (!list.contains("  " + path + "\n")) {
                missing.add(path);
            }
        }
        assertTrue(named > 20, "artefacts found in pom.xml: " + named);
        assertEquals(List.of(), missing, "tools/artefacts.sh lists them");
    }

    /** What comes with a wrong checksum fails, which by itself Maven only warns of. */
    @Test
    void wrongChecksumsFail() throws Exception {
        assertTrue(documents.text(".mvn/maven.config").lines().anyMatch("-C"::equals));
    }

    private static String value(String pom, String version) {
        if (!version.startsWith("${")) {
            return version;
        }
        String property = version.substring(2, version.length() - 1);
        List<String> values = Documents.find(pom, "<" + Pattern.quote(property) + ">(.*?)</");
        assertEquals(1, values.size(), property);
        return values.get(0);
    }
}
