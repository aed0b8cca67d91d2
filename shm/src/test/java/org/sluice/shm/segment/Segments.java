package org.sluice.shm.segment;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.sluice.device.channel.TestRank;
import org.sluice.device.option.Options;
import org.sluice.jni.Errno;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;

/** Opens segment channels inside one JVM. */
final class Segments {
    private Segments() {}

    static TestRank[] open(int count, Options options, OsCalls os) {
        SegmentChannel[] channels = create(count, options, os);
        connect(channels);
        for (SegmentChannel channel : channels) {
            channel.unlink();
        }
        return ranks(channels);
    }

    static SegmentChannel[] create(int count, Options options, OsCalls os) {
        SegmentChannel[] channels = new SegmentChannel[count];
        String secret = UUID.randomUUID().toString();
        for (int rank = 0; rank < count; rank++) {
            int self = rank;
            int[] others =
                    IntStream.range(0, count).filter(each -> each != self).toArray();
            channels[rank] = SegmentChannel.create(secret, rank, count, others, options, os);
        }
        return channels;
    }

    static void connect(SegmentChannel[] channels) {
        for (int rank = 0; rank < channels.length; rank++) {
            for (int peer = 0; peer < channels.length; peer++) {
                if (peer != rank) {
                    channels[rank].connect(peer, channels[peer].facts());
                }
            }
        }
    }

    static TestRank[] ranks(SegmentChannel[] channels) {
        return IntStream.range(0, channels.length)
                .mapToObj(rank -> new TestRank(rank, channels[rank], channels[rank].waitWord()))
                .toArray(TestRank[]::new);
    }

    static SegmentChannel channel(TestRank rank) {
        return (SegmentChannel) rank.channel;
    }

    static OsCalls os() {
        return Os.calls();
    }

    /** The native calls of a machine where the library can't load. */
    static OsCalls noOs() {
        return (OsCalls) Proxy.newProxyInstance(
                OsCalls.class.getClassLoader(),
                new Class<?>[] {OsCalls.class},
                (proxy, method, arguments) -> method.getReturnType() == long.class
                        ? (Object) (long) -Errno.ENOSYS
                        : (Object) (-Errno.ENOSYS));
    }

    /** Options given as name, value, name, value; neither properties nor environment count. */
    static Options options(String... given) {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < given.length; i += 2) {
            map.put(given[i], given[i + 1]);
        }
        return Options.of(map, Map.of(), Map.of());
    }
}
