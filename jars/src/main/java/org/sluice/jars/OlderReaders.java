package org.sluice.jars;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.RecordComponentVisitor;

/**
 * Takes out of a jar's classes what old build tools can't read, and call the jar malformed for: the lists of records'
 * components and of sealed classes' heirs, which only reflection and compilers look at. Entries keep their order and
 * their times.
 */
public final class OlderReaders {
    private OlderReaders() {}

    /** @param jars each is written anew */
    public static void main(String[] jars) throws IOException {
        for (String jar : jars) {
            rewrite(Path.of(jar));
        }
    }

    private static void rewrite(Path jar) throws IOException {
        Path made = jar.resolveSibling(jar.getFileName() + ".new");
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(jar));
                OutputStream file = Files.newOutputStream(made);
                ZipOutputStream out = new ZipOutputStream(file)) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                ZipEntry copy = new ZipEntry(entry.getName());
                copy.setTimeLocal(entry.getTimeLocal());
                out.putNextEntry(copy);
                out.write(isOurs(entry) ? withoutLists(in) : in.readAllBytes());
                out.closeEntry();
            }
        }
        Files.move(made, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    private static boolean isOurs(ZipEntry entry) {
        return entry.getName().startsWith("org/sluice/") && entry.getName().endsWith(".class");
    }

    private static byte[] withoutLists(InputStream in) throws IOException {
        ClassReader reader = new ClassReader(in);
        ClassWriter writer = new ClassWriter(0);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public void visit(
                            int version,
                            int access,
                            String name,
                            String signature,
                            String parent,
                            String[] interfaces) {
                        super.visit(version, access & ~Opcodes.ACC_RECORD, name, signature, parent, interfaces);
                    }

                    @Override
                    public RecordComponentVisitor visitRecordComponent(
                            String name, String descriptor, String signature) {
                        return null;
                    }

                    @Override
                    public void visitPermittedSubclass(String permittedSubclass) {
                        // Left out.
                    }
                },
                0);
        return writer.toByteArray();
    }
}
