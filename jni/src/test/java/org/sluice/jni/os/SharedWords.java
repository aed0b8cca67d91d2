package org.sluice.jni.os;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Memory that a test has both as a buffer and as an address: one file, mapped by Java and by the call under test. */
public final class SharedWords implements AutoCloseable {

    private final OsCalls os;
    private final long bytes;
    private final long address;
    private final MappedByteBuffer buffer;

    public SharedWords(OsCalls os, int bytes) throws IOException {
        this.os = os;
        this.bytes = bytes;
        Path file = Files.createTempFile("sluice-words-", "");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            buffer = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            buffer.order(ByteOrder.nativeOrder());
        }
        int fd = os.openExisting(NativePath.of(file));
        address = os.mmapShared(fd, 0, bytes);
        os.close(fd);
        Files.delete(file); // at once: some of these processes are killed
        if (address <= 0) {
            throw new IOException("mmapShared: " + address);
        }
    }

    public long address() {
        return address;
    }

    public MappedByteBuffer buffer() {
        return buffer;
    }

    @Override
    public void close() {
        os.munmap(address, bytes);
    }
}
