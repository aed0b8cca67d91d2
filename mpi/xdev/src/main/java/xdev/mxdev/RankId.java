package xdev.mxdev;

import java.util.UUID;
import xdev.ProcessID;

/** A rank as MPJ Express knows it. */
final class RankId extends ProcessID {
    final int rank;

    RankId(UUID uuid, int rank) {
        super(uuid);
        this.rank = rank;
    }
}
