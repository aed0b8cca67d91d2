package org.sluice.shm.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.jni.os.OsCalls;

/** What can't be given back leaves the rest no less closed. */
final class SegmentCloseTest {
    @TempDir
    Path folder;

    private static long openDescriptors(Path within) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(each -> leadsInto(each, within)).count();
        }
    }

    private static boolean leadsInto(Path descriptor, Path folder) {
        try {
            return Files.readSymbolicLink(descriptor).startsWith(folder);
        } catch (IOException e) {
            return false; // Closed meanwhile.
        }
    }

    /** The first one makes trouble, after it is closed. */
    private static OsCalls throwingOnClose(List<Integer> closed) {
        return (OsCalls) Proxy.newProxyInstance(
                OsCalls.class.getClassLoader(), new Class<?>[] {OsCalls.class}, (proxy, method, arguments) -> {
                    Object result;
                    try {
                        result = method.invoke(Segments.os(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (method.getName().equals("close")) {
                        closed.add((Integer) arguments[0]);
                        throw new SluiceException(ErrorCode.DEVICE_FAILED, "planned " + closed.size());
                    }
                    return result;
                });
    }

    @Test
    void oneDescriptorThatMakesTroubleLeavesNoOtherOpen() throws IOException {
        List<Integer> closed = new ArrayList<>();
        SegmentChannel[] channels =
                Segments.create(3, Segments.options("sluice.shm.dir", folder.toString()), throwingOnClose(closed));
        Segments.connect(channels);
        SluiceException failure = assertThrows(SluiceException.class, channels[0]::close);
        assertEquals("planned 1", failure.getMessage());
        assertEquals(2, failure.getSuppressed().length, "one of its own, one of each peer's");
        assertThrows(SluiceException.class, channels[1]::close);
        assertThrows(SluiceException.class, channels[2]::close);
        assertEquals(9, closed.size());
        assertEquals(0, openDescriptors(folder));
    }

    @Test
    void aNameThatCannotBeRemovedLeavesNothingOpen() throws IOException {
        SegmentChannel[] channels =
                Segments.create(2, Segments.options("sluice.shm.dir", folder.toString()), Segments.os());
        Segments.connect(channels);
        assertTrue(openDescriptors(folder) > 0);
        for (SegmentChannel channel : channels) {
            Path name = name(channel);
            Files.delete(name);
            Files.createDirectories(name.resolve("in the way"));
        }
        for (SegmentChannel channel : channels) {
            SluiceException failure = assertThrows(SluiceException.class, channel::close);
            assertEquals(ErrorCode.DEVICE_FAILED, failure.code(), failure::getMessage);
        }
        assertEquals(0, openDescriptors(folder));
    }

    private static Path name(SegmentChannel channel) {
        return Path.of(SegmentFacts.decode(0, channel.facts()).path());
    }
}
