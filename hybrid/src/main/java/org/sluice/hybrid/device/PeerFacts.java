package org.sluice.hybrid.device;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.sluice.device.ErrorCode;
import org.sluice.device.ProcessId;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.device.random.Unguessable;
import org.sluice.ib.IbPresence;
import org.sluice.launch.Bootstrap;
import org.sluice.launch.Printable;

/**
 * What each rank publishes before any channel exists: who it is, where it runs, and the options that all must share.
 * Both ends of a pair derive their route from the same facts.
 *
 * <pre>
 *   uuid 16 | jvm uuid 16 | node, allowed cores, whether process-wide fences reach it, process (OpenFiles),
 *   why verbs don't, its adapter's link, shared options: each a length 4 and UTF-8
 * </pre>
 */
record PeerFacts(
        UUID uuid,
        UUID jvm,
        String node,
        String cores,
        boolean fenced,
        String process,
        String verbsReason,
        String verbsLink,
        String sharedOptions) {
    private static final String KEY = "device";
    private static final int TEXT_LIMIT = 1 << 16;
    /** Drawn once when this class loads: two ranks with the same value live in one JVM. */
    private static final UUID THIS_JVM = Unguessable.uuid();

    static PeerFacts own(String node, boolean fenced, String process, IbPresence.Reach verbs, Options options) {
        StringBuilder shared = new StringBuilder();
        for (Option option : Option.values()) {
            if (option.mustBeEqual()) {
                shared.append(option.property())
                        .append('=')
                        .append(options.text(option))
                        .append('\n');
            }
        }
        return new PeerFacts(
                Unguessable.uuid(),
                THIS_JVM,
                node,
                AllowedCores.own(),
                fenced,
                process,
                verbs.missing(),
                verbs.link(),
                shared.toString());
    }

    /**
     * Containers of one machine may share no memory and take turns on its cores all the same, unless a quota gives each
     * a part of its own.
     */
    boolean sharesCores(PeerFacts peer) {
        return !cores.isEmpty() && !peer.cores.isEmpty() && NodeIdentity.isOneMachine(node, peer.node);
    }

    void publish(Bootstrap bootstrap) {
        byte[][] texts = {
            node.getBytes(StandardCharsets.UTF_8),
            cores.getBytes(StandardCharsets.UTF_8),
            {(byte) (fenced ? '1' : '0')},
            process.getBytes(StandardCharsets.UTF_8),
            verbsReason.getBytes(StandardCharsets.UTF_8),
            verbsLink.getBytes(StandardCharsets.UTF_8),
            sharedOptions.getBytes(StandardCharsets.UTF_8)
        };
        int length = 4 * Long.BYTES;
        for (byte[] text : texts) {
            length += Integer.BYTES + text.length;
        }
        ByteBuffer out = ByteBuffer.allocate(length);
        put(out, uuid);
        put(out, jvm);
        for (byte[] text : texts) {
            out.putInt(text.length).put(text);
        }
        bootstrap.put(KEY, out.array());
    }

    private static void put(ByteBuffer out, UUID id) {
        out.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    }

    /** The facts of all ranks, after a fence; refuses what contradicts this rank's own. */
    static List<PeerFacts> all(Bootstrap bootstrap, int size, PeerFacts own) {
        List<PeerFacts> facts = new ArrayList<>(size);
        for (int rank = 0; rank < size; rank++) {
            PeerFacts peer = parse(rank, bootstrap.get(rank, KEY));
            if (!peer.sharedOptions.equals(own.sharedOptions)) {
                throw new SluiceException(
                        ErrorCode.OPEN_FAILED,
                        rank,
                        "the ranks' options differ: rank " + rank + " has "
                                + Printable.text(linesWithout(peer.sharedOptions, own.sharedOptions))
                                + ", and this rank has " + linesWithout(own.sharedOptions, peer.sharedOptions)
                                + ": give all ranks the same",
                        null);
            }
            facts.add(peer);
        }
        return facts;
    }

    private static String linesWithout(String lines, String others) {
        Set<String> known = others.lines().collect(Collectors.toSet());
        return lines.lines()
                .filter(line -> !known.contains(line))
                .map(String::strip)
                .collect(Collectors.joining(", "));
    }

    private static PeerFacts parse(int rank, byte[] value) {
        try {
            ByteBuffer in = ByteBuffer.wrap(value);
            UUID uuid = new UUID(in.getLong(), in.getLong());
            UUID jvm = new UUID(in.getLong(), in.getLong());
            return new PeerFacts(
                    uuid, jvm, text(in), text(in), text(in).equals("1"), text(in), text(in), text(in), text(in));
        } catch (RuntimeException e) {
            throw new SluiceException(ErrorCode.OPEN_FAILED, rank, "what rank " + rank + " published can't be read", e);
        }
    }

    private static String text(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > TEXT_LIMIT) {
            throw new IllegalArgumentException("a text of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static List<ProcessId> ids(List<PeerFacts> facts) {
        List<ProcessId> ids = new ArrayList<>(facts.size());
        for (int rank = 0; rank < facts.size(); rank++) {
            ids.add(new ProcessId(facts.get(rank).uuid, rank));
        }
        return List.copyOf(ids);
    }
}
