package org.sluice.bench.hop;

import java.util.Locale;

/** Where the two cores were during a round, as far as the hop tells. */
public enum HopState {
    /** Both on one physical core. */
    SAME,
    NEAR,
    FAR,
    /** The cores moved during the round, or the hop belongs to no cluster: comparable with nothing. */
    MIXED;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
