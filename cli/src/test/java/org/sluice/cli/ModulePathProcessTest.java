package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.sluice.cli.BuiltProgram.Ended;

/** Sluice as a module, alone and beside those of Kotlin and SLF4J. */
@Timeout(120)
final class ModulePathProcessTest {
    private static final String SOURCE = """
        package my;
        import java.lang.management.ManagementFactory;
        import javax.management.ObjectName;
        import org.sluice.device.Device;
        public final class Main {
            public static void main(String[] arguments) throws Exception {
                try (Device device = Device.open(); var buffer = device.allocate(8)) {
                    int[] taken = new int[1];
                    var receive = device.irecv(taken, 0, 1);
                    device.send(new int[] {41}, 0, 1);
                    receive.waitFor();
                    var server = ManagementFactory.getPlatformMBeanServer();
                    server.createMBean("org.sluice.hybrid.observe.Devices", new ObjectName("org.sluice:type=Devices"));
                    int beans = 0;
                    for (ObjectName name : server.queryNames(new ObjectName("org.sluice:type=Device,*"), null)) {
                        for (var attribute : server.getMBeanInfo(name).getAttributes()) {
                            server.getAttribute(name, attribute.getName());
                            beans = 1;
                        }
                    }
                    String module = Device.class.getModule().getName();
                    System.out.println(module + " took " + taken[0] + ", beans " + beans + OTHERS);
                }
            }
        }
        """;

    @TempDir
    private Path folder;

    private Ended run(String requires, String others, String modulePath) throws Exception {
        BuiltProgram program = new BuiltProgram(folder);
        Path main = folder.resolve("sources/my/Main.java");
        Files.createDirectories(main.getParent());
        Files.writeString(main, SOURCE.replace("OTHERS", others));
        Path module = Files.writeString(
                folder.resolve("sources/module-info.java"),
                "module my { requires java.management; requires org.sluice; " + requires + " }\n");
        program.compile("classes", List.of(main, module), "--module-path", modulePath);
        return program.java("--module-path", "classes:" + modulePath, "--module", "my/my.Main");
    }

    @Test
    void alone() throws Exception {
        Ended ended = run("", "\"\"", BuiltProgram.SLUICE + ":" + BuiltProgram.jarIn(BuiltProgram.LIB, "jctools-core"));
        assertEquals("org.sluice took 41, beans 1\n", ended.out(), ended.err());
        assertEquals(0, ended.status());
    }

    @Test
    void besideKotlinAndLogging() throws Exception {
        Path logging = Path.of(
                Logger.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Ended ended = run("requires kotlin.stdlib; requires org.slf4j;", """
            " " + kotlin.KotlinVersion.class.getModule().getName() + " " + org.slf4j.Logger.class.getModule().getName()
            """, BuiltProgram.LIB + ":" + logging);
        assertEquals("org.sluice took 41, beans 1 kotlin.stdlib org.slf4j\n", ended.out(), ended.err());
        assertEquals(0, ended.status());
    }
}
