package org.sluice.cli.top;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import jdk.net.ExtendedSocketOptions;
import org.sluice.device.layer.LayerActivity;
import org.sluice.hybrid.observe.DeviceReports;

/**
 * A JVM whose devices are looked at: it loads an agent when it is first asked, which connects to a socket of ours and
 * answers there until we close. Both ends see that the other is of this user.
 *
 * <p><i>Thread</i>: one at a time, but for {@link #close}. <i>Owns</i>: the connection. <i>Fails</i>: with a reason,
 * where the JVM doesn't answer or has ended. <i>Proof</i>: {@code TopProcessTest}.
 */
final class WatchedJvm implements AutoCloseable {
    private static final String SAMPLE = "sample";

    private final long pid;
    private final Path agent;
    private volatile SocketChannel channel;

    /** @param agent its jar */
    WatchedJvm(long pid, Path agent) {
        this.pid = pid;
        this.agent = agent;
    }

    /** In the JVM's own /tmp, which needn't be ours; what is made there is gone as soon as it has come. */
    private SocketChannel connect() throws IOException, AttachNotSupportedException {
        Path root = Path.of("/proc", Long.toString(pid), "root");
        Path folder = Files.createTempDirectory(
                root.resolve("tmp"),
                "sluice-top-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path address = folder.resolve(Long.toString(pid));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(address));
            load("/" + root.relativize(address));
            // The agent has connected before the JVM said that it is loaded, or doesn't.
            server.configureBlocking(false);
            SocketChannel accepted = server.accept();
            if (accepted == null) {
                throw new IOException("its agent doesn't reach this process");
            }
            if (!accepted.getOption(ExtendedSocketOptions.SO_PEERCRED)
                    .user()
                    .equals(Files.getOwner(Path.of("/proc/self")))) {
                accepted.close();
                throw new IOException("another user has come in its place");
            }
            return accepted;
        } finally {
            Files.deleteIfExists(address);
            Files.deleteIfExists(folder);
        }
    }

    private void load(String address) throws IOException, AttachNotSupportedException {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
        try {
            machine.loadAgent(agent.toString(), address);
        } catch (AgentLoadException | AgentInitializationException e) {
            throw new IOException("it doesn't load " + agent + ": " + e.getMessage(), e);
        } finally {
            machine.detach();
        }
    }

    /** @return one for each open device */
    List<Sample> sample() throws IOException, AttachNotSupportedException {
        return ask(SAMPLE).stream().map(Report::sample).toList();
    }

    /** The state of one open device as text. */
    record Dump(String job, int rank, String text) {}

    /** @return one for each open device */
    List<Dump> dumps() throws IOException, AttachNotSupportedException {
        return ask(DeviceReports.DUMP).stream()
                .map(report -> new Dump(report.sample.job(), report.sample.rank(), report.text))
                .toList();
    }

    private record Report(Sample sample, String text) {}

    private List<Report> ask(String question) throws IOException, AttachNotSupportedException {
        if (channel == null) {
            channel = connect();
        }
        DataOutputStream out = new DataOutputStream(Channels.newOutputStream(channel));
        out.writeUTF(question);
        out.flush();
        DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
        byte[] answer = new byte[in.readInt()];
        in.readFully(answer);
        List<Report> reports = new ArrayList<>();
        DataInputStream parts = new DataInputStream(new ByteArrayInputStream(answer));
        while (parts.available() > 0) {
            String refusal = parts.readUTF();
            if (!refusal.isEmpty()) {
                throw new IOException(refusal);
            }
            readReports(parts, reports);
        }
        return reports;
    }

    private void readReports(DataInputStream in, List<Report> reports) throws IOException {
        int version = in.readInt();
        if (version != DeviceReports.VERSION) {
            throw new IOException("its Sluice is of another version: look with ./sluice top of its own checkout");
        }
        int devices = in.readInt();
        for (int i = 0; i < devices; i++) {
            reports.add(readReport(in));
        }
    }

    private Report readReport(DataInputStream in) throws IOException {
        String job = in.readUTF();
        int rank = in.readInt();
        int size = in.readInt();
        int unexpected = in.readInt();
        int waiting = in.readInt();
        List<Sample.Peer> peers = new ArrayList<>();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            peers.add(new Sample.Peer(
                    in.readInt(),
                    in.readUTF(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readInt(),
                    in.readInt(),
                    in.readLong()));
        }
        Sample.Sockets sockets = new Sample.Sockets(in.readLong(), in.readLong(), in.readLong(), in.readLong());
        List<LayerActivity> activities = new ArrayList<>();
        int activityCount = in.readInt();
        for (int i = 0; i < activityCount; i++) {
            activities.add(new LayerActivity(
                    in.readUTF(),
                    in.readUTF(),
                    in.readInt(),
                    in.readInt(),
                    in.readLong(),
                    in.readLong(),
                    in.readUTF()));
        }
        byte[] text = new byte[in.readInt()];
        in.readFully(text);
        return new Report(
                new Sample(System.nanoTime(), pid, rank, size, job, unexpected, waiting, peers, sockets, activities),
                new String(text, StandardCharsets.UTF_8));
    }

    /** From any thread: one that waits for an answer gets none. */
    @Override
    public void close() {
        SocketChannel open = channel;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // The JVM has ended: its end of the connection goes with it.
                return;
            }
        }
    }
}
