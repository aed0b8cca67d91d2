package org.sluice.device.buffer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that a program maps, and that somebody cuts short. */
public final class CutFile implements AutoCloseable {
    private final Path path;
    private final FileChannel channel;
    private final MappedByteBuffer buffer;

    /** @param content what stands in it */
    public CutFile(byte[] content) {
        try {
            path = Files.createTempFile("sluice-cut", "");
            Files.write(path, content);
            channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
            buffer = channel.map(FileChannel.MapMode.READ_WRITE, 0, content.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of which nothing is left. */
    public static CutFile gone(int bytes) {
        CutFile file = new CutFile(new byte[bytes]);
        file.cut(0);
        return file;
    }

    public MappedByteBuffer buffer() {
        return buffer;
    }

    public void cut(long bytes) {
        try {
            channel.truncate(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
