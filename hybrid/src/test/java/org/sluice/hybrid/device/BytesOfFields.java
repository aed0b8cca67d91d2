package org.sluice.hybrid.device;

import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.FieldGroup;

/**
 * Over fields of an object: a Bytes that can be asked for what is in it and has no address, so that a call refuses it
 * later than other mistakes.
 */
public final class BytesOfFields {
    @FieldGroup("all")
    long first;

    @FieldGroup("all")
    long second;

    private BytesOfFields() {}

    /** With 8 bytes to send, and room for 8. */
    public static Bytes<?> make() {
        return Bytes.forFieldGroup(new BytesOfFields(), "all").writePosition(8);
    }
}
