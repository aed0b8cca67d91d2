package org.sluice.ib.wire;

import java.nio.ByteBuffer;

/** Why a connection was refused; travels in the private data of the rejection as magic 4, code 4, big-endian. */
public enum Refusal {
    /** Both ends asked at once, and the lower rank's connection is the one that lives. */
    CROSSED("both ends asked at once"),
    /** The greeting was not one of this job, or not of this version. */
    STRANGER("it does not know this rank: not of its job, or of another version of Sluice"),
    /** There is a connection already, or there was one. */
    NOT_AGAIN("it has, or had, a connection to this rank already"),
    /** The other end could not make its side. */
    NO_RESOURCES("it has no resources left for a connection"),
    /** One of the two closes its device, or was told that the other does, and there never was anything between them. */
    CLOSED("it has closed its device"),
    /** Came from no Sluice. */
    UNKNOWN("it gave no reason that this version knows");

    private static final int MAGIC = 0x536c6e6f;
    private static final int BYTES = 2 * Integer.BYTES;

    private final String text;

    Refusal(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    public byte[] encode() {
        return ByteBuffer.allocate(BYTES).putInt(MAGIC).putInt(ordinal()).array();
    }

    public static Refusal decode(byte[] data) {
        if (data.length < BYTES) {
            return UNKNOWN;
        }
        ByteBuffer in = ByteBuffer.wrap(data);
        int magic = in.getInt();
        int code = in.getInt();
        return magic == MAGIC && code >= 0 && code < values().length ? values()[code] : UNKNOWN;
    }
}
