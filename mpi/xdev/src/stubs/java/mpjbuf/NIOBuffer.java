package mpjbuf;

import java.nio.ByteBuffer;

public class NIOBuffer implements RawBuffer {
    public ByteBuffer getBuffer() {
        return null;
    }
}
