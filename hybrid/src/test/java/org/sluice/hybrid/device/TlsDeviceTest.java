package org.sluice.hybrid.device;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The suite over sockets within TLS, which the options force although all ranks live in one JVM. */
@Tag("all")
@Tag("once")
final class TlsDeviceTest extends DeviceConformance implements ThreadCases {
    @Override
    public Map<String, String> options() {
        return Map.of("sluice.channels", "tcp", "sluice.tcp.interface", "127.0.0.1", "sluice.tcp.tls", "on");
    }

    @Override
    public boolean readsInPlace() {
        return false;
    }

    @Override
    public int many(int count) {
        return count / 10;
    }
}
