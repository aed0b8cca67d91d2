package mpjdev;

import java.util.UUID;
import mpjbuf.Type;

public class Status {
    public int source;
    public int tag;
    public int index;
    public int countInBytes;
    public int numEls;
    public Type type;
    public UUID srcID;

    public Status(UUID source, int tag, int index) {}
}
