package org.sluice.hybrid.observe;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/** Where and when states are written. <i>Thread</i>: any. <i>Proof</i>: {@code DumpProcessTest}. */
public final class Dumps {
    private static final String STDERR = "stderr";

    private Dumps() {}

    /** One write, so that those of several ranks do not mix. */
    public static void write(String text, Options options, int rank) {
        String target = options.text(Option.DUMP_FILE);
        if (!target.equals(STDERR)) {
            Path file = Path.of(target + "." + rank);
            try {
                try {
                    append(file, text);
                } catch (FileAlreadyExistsException e) {
                    // A rank of another job was quicker: it is there now.
                    append(file, text);
                }
                return;
            } catch (IOException e) {
                System.err.println("sluice: the state of rank " + rank + " can't be written to " + file + " ("
                        + (e instanceof FileSystemException named && named.getReason() != null ? named.getReason() : e)
                        + "), and follows here: set "
                        + Option.DUMP_FILE.property() + " to a file in a folder of this user's own");
            }
        }
        System.err.print(text);
        System.err.flush();
    }

    /**
     * To a file of this user and no other: in a folder that others may write, one of theirs may have its name, or a
     * link to one of ours.
     */
    private static void append(Path file, String text) throws IOException {
        Object before = ours(file);
        Set<OpenOption> how = before == null
                ? Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)
                : Set.of(StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
        try (SeekableByteChannel channel = Files.newByteChannel(
                file, how, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            if (before != null && !before.equals(ours(file))) {
                throw new FileSystemException(file.toString(), null, "another file has come in its place");
            }
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }

    /** Which file it is, or null where there is none. */
    private static Object ours(Path file) throws IOException {
        Map<String, Object> found;
        try {
            found = Files.readAttributes(file, "unix:uid,nlink,isRegularFile,fileKey", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return null;
        }
        if (!(Boolean) found.get("isRegularFile")) {
            throw new FileSystemException(file.toString(), null, "it is a link, or no file");
        }
        if (!found.get("uid").equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
            throw new FileSystemException(file.toString(), null, "it is another user's");
        }
        if ((Integer) found.get("nlink") != 1) {
            throw new FileSystemException(
                    file.toString(), null, "it has another name as well, which others may have given it");
        }
        return found.get("fileKey");
    }

    /**
     * From now on the signal has every device of this JVM write its state. Again is harmless. By reflection: javac
     * warns of sun.misc.Signal, and has no way to be told that it is meant.
     */
    public static void onSignal(String name) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler handle = (proxy, method, arguments) -> {
                if (method.getDeclaringClass() == Object.class) {
                    return method.invoke(name, arguments);
                }
                dumpAll("signal " + name + " came");
                return null;
            };
            signal.getMethod("handle", signal, handler)
                    .invoke(
                            null,
                            signal.getConstructor(String.class).newInstance(name),
                            Proxy.newProxyInstance(Dumps.class.getClassLoader(), new Class<?>[] {handler}, handle));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    Option.DUMP_SIGNAL.property() + " = '" + name + "': this JVM doesn't let its programs handle it ("
                            + (e.getCause() == null ? e : e.getCause()) + "); take another, or off",
                    e);
        }
    }

    private static void dumpAll(String reason) {
        List<Observed> all = OpenDevices.all();
        if (all.isEmpty()) {
            System.err.println("sluice: " + reason + ", and no device is open in process "
                    + ProcessHandle.current().pid());
        }
        for (Observed device : all) {
            device.dump(reason);
        }
    }
}
