package org.sluice.hybrid.observe.agent;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;

/**
 * Answers {@code ./sluice top} over a Unix socket of its caller's, as long as that lives: no port, and nothing that
 * others could connect to (docs/project/adr/0061).
 *
 * <p>It is loaded from a jar that holds it alone, by the loader of the class path. Sluice may have been loaded by
 * another, or by several; each is asked by reflection.
 *
 * <p><i>Thread</i>: its own, a daemon. <i>Owns</i>: the connection. <i>Fails</i>: in silence where the socket can't be
 * reached or is another user's, as its caller sees that nobody comes; what befalls an answer is the answer.
 * <i>Proof</i>: {@code TopProcessTest}.
 */
public final class TopAgent {
    /** Loaded by whatever loader has Sluice, as soon as a device opens. */
    private static final String MARK = "org.sluice.device.jvm.JvmRanks";

    private static final String ANSWERER = "org.sluice.hybrid.observe.DeviceReports";
    private static final String ANSWER = "of";

    private TopAgent() {}

    /** @param address of the socket */
    public static void agentmain(String address, Instrumentation jvm) {
        SocketChannel channel;
        try {
            channel = SocketChannel.open(UnixDomainSocketAddress.of(address));
            if (!channel.getOption(ExtendedSocketOptions.SO_PEERCRED)
                    .user()
                    .equals(Files.getOwner(Path.of("/proc/self")))) {
                channel.close();
                return;
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            // What is thrown here would be printed as this program's.
            return;
        }
        Thread thread = new Thread(null, () -> serve(channel, jvm), "sluice-top", 0, false);
        thread.setDaemon(true);
        thread.start();
    }

    private static void serve(SocketChannel channel, Instrumentation jvm) {
        try (channel) {
            DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
            DataOutputStream out = new DataOutputStream(Channels.newOutputStream(channel));
            while (true) {
                byte[] answer = answer(in.readUTF(), jvm);
                out.writeInt(answer.length);
                out.write(answer);
                out.flush();
            }
        } catch (EOFException e) {
            // The caller is through.
            return;
        } catch (IOException e) {
            // It has gone away.
            return;
        }
    }

    /**
     * For each loader that has Sluice a reason why it has no answer, or else an empty one and the answer; then nothing.
     */
    private static byte[] answer(String question, Instrumentation jvm) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (ClassLoader loader : loaders(jvm)) {
            try {
                byte[] answer = (byte[]) Class.forName(ANSWERER, true, loader)
                        .getMethod(ANSWER, String.class)
                        .invoke(null, question);
                out.writeUTF("");
                out.write(answer);
            } catch (InvocationTargetException e) {
                out.writeUTF(String.valueOf(e.getCause()));
            } catch (ReflectiveOperationException | LinkageError e) {
                out.writeUTF(
                        "its Sluice is of another version: look with ./sluice top of its own checkout (" + e + ")");
            }
        }
        return bytes.toByteArray();
    }

    private static Set<ClassLoader> loaders(Instrumentation jvm) {
        Set<ClassLoader> loaders = new HashSet<>();
        for (Class<?> loaded : jvm.getAllLoadedClasses()) {
            if (loaded.getName().equals(MARK)) {
                loaders.add(loaded.getClassLoader());
            }
        }
        return loaders;
    }
}
