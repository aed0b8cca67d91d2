package xdev;

import java.util.UUID;

/** Who a rank is, whatever its number. */
public class ProcessID {
    private UUID uuid;

    protected ProcessID() {}

    public ProcessID(UUID uuid) {
        this.uuid = uuid;
    }

    public void uuid(UUID newUuid) {
        uuid = newUuid;
    }

    public UUID uuid() {
        return uuid;
    }
}
