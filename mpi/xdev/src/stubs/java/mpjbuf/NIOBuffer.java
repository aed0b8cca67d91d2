package mpjbuf;

import java.nio.ByteBuffer;

public class NIOBuffer implements RawBuffer {
    NIOBuffer() {}

    public ByteBuffer getBuffer() {
        return null;
    }
}
