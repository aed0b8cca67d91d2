package org.sluice.hybrid.observe;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.sluice.device.counter.Counter;
import org.sluice.device.layer.LayerActivity;

/**
 * The open devices of this JVM, or of this class loader, as bytes for {@code ./sluice top}. <i>Thread</i>: any.
 * <i>Proof</i>: {@code TopProcessTest}.
 */
public final class DeviceReports {
    /** Changes with the bytes. */
    public static final int VERSION = 4;
    /** The question that wants text as well. */
    public static final String DUMP = "dump";

    private static final int LISTED = 50;
    private static final List<Counter> SOCKETS =
            List.of(Counter.SOCKET_WRITES, Counter.SOCKET_BYTES, Counter.SOCKET_STALLS, Counter.SOCKET_RETRANSMITS);
    /** In the place of a count that can't be told. */
    public static final long UNKNOWN = -1;

    private DeviceReports() {}

    /**
     * Called by the agent, by reflection.
     *
     * @param question {@link #DUMP} or another
     */
    public static byte[] of(String question) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        List<Observed> devices = OpenDevices.all();
        out.writeInt(VERSION);
        out.writeInt(devices.size());
        for (Observed device : devices) {
            boolean asText = question.equals(DUMP);
            DeviceState state = device.state(asText ? LISTED : 0);
            write(out, state, device.counters(), asText ? DumpText.of(state, "./sluice top asks") : "");
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, DeviceState state, Map<String, Long> counters, String text)
            throws IOException {
        out.writeUTF(state.job());
        out.writeInt(state.rank());
        out.writeInt(state.size());
        out.writeInt(state.unexpected());
        out.writeInt(state.waiting());
        out.writeInt(state.peers().size());
        for (PeerState peer : state.peers()) {
            out.writeInt(peer.getRank());
            out.writeUTF(peer.getChannel());
            out.writeLong(peer.getSentMessages());
            out.writeLong(peer.getReceivedMessages());
            out.writeLong(peer.getSentBytes());
            out.writeLong(peer.getReceivedBytes());
            out.writeInt(peer.getUnexpectedMessages());
            out.writeInt(peer.getWaitingSends() + peer.getWaitingReceives());
            out.writeLong(peer.getCounters().getOrDefault(Counter.SOCKET_RETRANSMITS.key(), 0L));
        }
        for (Counter counter : SOCKETS) {
            out.writeLong(counters.getOrDefault(counter.key(), UNKNOWN));
        }
        out.writeInt(state.activities().size());
        for (LayerActivity activity : state.activities()) {
            out.writeUTF(activity.group());
            out.writeUTF(activity.name());
            out.writeInt(activity.rank());
            out.writeInt(activity.size());
            out.writeLong(activity.begun());
            out.writeLong(activity.turn());
            out.writeUTF(activity.call());
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
    }
}
