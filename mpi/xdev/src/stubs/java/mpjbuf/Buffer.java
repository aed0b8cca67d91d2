package mpjbuf;

public class Buffer {
    protected Buffer() {}

    public int offset() {
        return 0;
    }

    public RawBuffer getStaticBuffer() {
        return null;
    }

    public int getSize() {
        return 0;
    }

    public void setSize(int bytes) {}

    public int getCapacity() {
        return 0;
    }

    public byte[] getDynamicBuffer() {
        return null;
    }

    public void setDynamicBuffer(byte[] bytes) {}
}
