package org.sluice.launch;

/**
 * The version of this build; ranks and launcher of one job must have the same. A test compares it with the build's own
 * number.
 */
public final class SluiceVersion {
    public static final String CURRENT = "0.1.0";

    private SluiceVersion() {}
}
