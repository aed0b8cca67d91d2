package xdev;

import java.util.UUID;

public class ProcessID {
    public ProcessID(UUID uuid) {}

    public UUID uuid() {
        return null;
    }
}
