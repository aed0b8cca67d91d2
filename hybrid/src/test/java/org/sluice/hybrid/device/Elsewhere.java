package org.sluice.hybrid.device;

/** A case asked for the device of a rank that lives in the other guest: there is nothing (more) for it to do here. */
final class Elsewhere extends RuntimeException {
    private static final long serialVersionUID = 1;

    Elsewhere(String message) {
        super(message);
    }
}
