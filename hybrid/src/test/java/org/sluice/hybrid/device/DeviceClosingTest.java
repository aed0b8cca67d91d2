package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.Channel;
import org.sluice.launch.Bootstrap;

final class DeviceClosingTest {
    private final List<String> closed = new ArrayList<>();

    private <T> T closing(Class<T> type, String name, String fault) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    assertEquals("close", method.getName());
                    closed.add(name);
                    if (fault != null) {
                        throw new IllegalStateException(fault);
                    }
                    return null;
                }));
    }

    @Test
    void oneChannelThatFailsKeepsNoneOfTheOthers() {
        SluiceException told = assertThrows(
                SluiceException.class,
                () -> DeviceClosing.giveBack(
                        3,
                        new Channel[] {
                            closing(Channel.class, "one", null),
                            closing(Channel.class, "two", "ibv_dereg_mr: EIO"),
                            closing(Channel.class, "three", "late")
                        },
                        closing(Bootstrap.class, "job", null)));
        assertEquals(List.of("one", "two", "three", "job"), closed);
        assertEquals(ErrorCode.DEVICE_FAILED, told.code());
        assertTrue(
                told.getMessage().contains("rank 3") && told.getMessage().contains("ibv_dereg_mr: EIO"),
                told.getMessage());
    }

    @Test
    void nothingIsToldWhereNothingFails() {
        DeviceClosing.giveBack(
                3, new Channel[] {closing(Channel.class, "one", null)}, closing(Bootstrap.class, "job", null));
        assertEquals(List.of("one", "job"), closed);
    }
}
