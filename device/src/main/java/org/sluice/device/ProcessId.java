package org.sluice.device;

import java.util.Objects;
import java.util.UUID;

/**
 * Unique identity of one device in the world, with its rank in the job.
 *
 * @param uuid drawn at random when the device opens; no two devices share one, not even successive ones of the same
 *     rank
 * @param rank the process number in the job, from 0 to size - 1
 */
public record ProcessId(UUID uuid, int rank) {
    public ProcessId {
        Objects.requireNonNull(uuid, "uuid");
        if (rank < 0) {
            throw new IllegalArgumentException("rank " + rank + " is negative; ranks count from 0");
        }
    }
}
