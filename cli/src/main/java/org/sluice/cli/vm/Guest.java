package org.sluice.cli.vm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One guest: its QEMU, and the three streams to and from it.
 *
 * <p><i>Thread</i>: one caller, which must live as long as the guest; {@link #kill} from any. <i>Owns</i>: the process,
 * the streams, and daemon threads that read them. <i>Proof</i>: {@code VmProcessTest}.
 */
final class Guest {
    private static final int CONNECT_LIMIT_S = 30;
    private static final int POLL_MS = 20;

    /** Something that a guest said, or null for the end of all it says. */
    record Event(int node, String line) {}

    private final int node;
    private final Process process;
    private final SocketChannel control;
    private final List<Thread> pumps = new ArrayList<>();

    private Guest(int node, Process process, SocketChannel control) {
        this.node = node;
        this.process = process;
        this.control = control;
    }

    /** @param command QEMU's, whose sockets are the folders' */
    static Guest start(
            int node,
            List<String> command,
            VmFolders folders,
            String mark,
            GuestOutput output,
            BlockingQueue<Event> events)
            throws IOException, InterruptedException {
        Map<String, ServerSocketChannel> servers = new HashMap<>();
        Process process = null;
        boolean started = false;
        try {
            for (String port : QemuCommand.PORTS) {
                servers.put(port, listen(folders.socket(port + node)));
            }
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folders.qemuLog("node" + node).toFile())
                    .redirectInput(Path.of("/dev/null").toFile())
                    .start();
            Map<String, SocketChannel> ports = new HashMap<>();
            for (String port : QemuCommand.PORTS) {
                ports.put(port, accept(servers.get(port), process, node, folders));
            }
            Guest guest = new Guest(node, process, ports.get("control"));
            guest.pump(ports.get("out"), mark, output.sink(node, false));
            guest.pump(ports.get("err"), mark, output.sink(node, true));
            guest.listen(events);
            started = true;
            return guest;
        } finally {
            for (ServerSocketChannel server : servers.values()) {
                server.close();
            }
            if (!started && process != null) {
                process.destroyForcibly();
            }
        }
    }

    private static ServerSocketChannel listen(Path socket) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        server.configureBlocking(false);
        return server;
    }

    private static SocketChannel accept(ServerSocketChannel server, Process process, int node, VmFolders folders)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CONNECT_LIMIT_S);
        for (SocketChannel channel = server.accept(); ; channel = server.accept()) {
            if (channel != null) {
                return channel;
            }
            if (process.waitFor(POLL_MS, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                throw new VmFailure("QEMU did not start" + folders.lastLines("node" + node));
            }
        }
    }

    private void pump(SocketChannel from, String mark, GuestOutput.Sink to) {
        Thread pump = daemon("vm-output-" + node, () -> {
            try (InputStream in = Channels.newInputStream(from)) {
                new EndMark(mark).copy(in, to);
            } catch (IOException e) {
                // The guest was killed while it printed; what was read so far is all there is.
                return;
            }
        });
        pumps.add(pump);
    }

    private void listen(BlockingQueue<Event> events) {
        daemon("vm-control-" + node, () -> {
            InputStream in = Channels.newInputStream(control);
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    events.add(new Event(node, line));
                }
            } catch (IOException e) {
                // As good as its end.
                events.add(new Event(node, null));
                return;
            }
            events.add(new Event(node, null));
        });
    }

    private static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    int node() {
        return node;
    }

    void tell(String line) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            control.write(bytes);
        }
    }

    /** Waits until all output is handed on; true if it was in that time. */
    boolean awaitOutput(long timeoutMs) throws InterruptedException {
        boolean all = true;
        for (Thread pump : pumps) {
            pump.join(timeoutMs);
            all &= !pump.isAlive();
        }
        return all;
    }

    boolean awaitEnd(long timeoutMs) throws InterruptedException {
        return process.waitFor(timeoutMs, TimeUnit.MILLISECONDS);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void kill() {
        process.destroyForcibly();
    }
}
