package org.sluice.device.channel;

/**
 * What a packet is for. Bytes on the wire and in shared memory: values never change meaning within a protocol version
 * (docs/explanation/protocol.md draws the bodies).
 */
public final class PacketKind {
    /** Body: the payload. contextId and tag are the envelope's. */
    public static final int EAGER = 1;
    /** Body: {@link RendezvousStart}. contextId and tag are the envelope's. */
    public static final int RNDV_START = 2;
    /**
     * Body: send id (8), receive id (8), accepted bytes (8); where only the rest is to be streamed: how many of them
     * were read before (8); where the bytes are to be written, not streamed: key (8), address (8).
     */
    public static final int RNDV_REPLY = 3;
    /** Body: payload, in order. contextId and tag are the high and the low half of the receive id. */
    public static final int RNDV_DATA = 4;
    /**
     * From the receiver: send id (8); it needs the sender's memory no longer. From a sender that wrote the bytes:
     * receive id (8), how many (8); they are there.
     */
    public static final int RNDV_END = 5;
    /** Body: what the eager messages of the rank that it goes to, matched so far, count against its share (8). */
    public static final int RELEASE = 6;
    /**
     * The sender's last packet. No body: it closed its device; else why (8): 1, its device failed; 2, its program ended
     * and left it open.
     */
    public static final int CLOSE = 7;

    /** From the sender of a persistent route: its route id (8), longest message (8), slots (8). */
    public static final int ROUTE_OPEN = 8;
    /**
     * The answer: the sender's route id (8), then the receiver's (8) and the slots' key (8) and address (8); without a
     * key there are none, and the other two are why: bytes that routes have here (8), and may have (8).
     */
    public static final int ROUTE_READY = 9;
    /**
     * A message was written into a slot before: receiver's route id (8), slot (8), length (8). contextId and tag are
     * the envelope's.
     */
    public static final int ROUTE_DATA = 10;
    /** From the receiver: the sender's route id (8), and a bit for each slot that may be written again (8). */
    public static final int ROUTE_RELEASE = 11;
    /** From the sender: the receiver's route id (8); it writes no more. */
    public static final int ROUTE_CLOSE = 12;
    /** The answer, and the last of this route: the sender's route id (8). */
    public static final int ROUTE_CLOSED = 13;

    /**
     * From the sender: send id (8), which it takes back unless a receive has matched it. What was matched is answered
     * as ever, and this is not.
     */
    public static final int RNDV_CANCEL = 14;
    /** The answer: send id (8). No receive gets the message, and nothing of it was read. */
    public static final int RNDV_WITHDRAWN = 15;

    /** From a layer to the same layer of the peer: five words (8 each), whose meaning is theirs. */
    public static final int LAYER_NOTICE = 16;

    /**
     * A long message is being written into a slot: receiver's route id (8), slot (8), length (8). contextId and tag are
     * the envelope's.
     */
    public static final int ROUTE_START = 17;
    /** It is there: receiver's route id (8), slot (8), length (8). */
    public static final int ROUTE_END = 18;

    public static final int LAST = ROUTE_END;

    /** Longest body of a packet that isn't EAGER or RNDV_DATA. */
    public static final int CONTROL_BODY_LIMIT = 48;

    private PacketKind() {}

    /** Control packets may use the room that a channel keeps for them. */
    public static boolean isControl(int kind) {
        return kind != EAGER && kind != RNDV_DATA && kind != RNDV_START && kind != ROUTE_DATA && kind != ROUTE_START;
    }

    public static String name(int kind) {
        switch (kind) {
            case EAGER:
                return "EAGER";
            case RNDV_START:
                return "RNDV_START";
            case RNDV_REPLY:
                return "RNDV_REPLY";
            case RNDV_DATA:
                return "RNDV_DATA";
            case RNDV_END:
                return "RNDV_END";
            case RELEASE:
                return "RELEASE";
            case CLOSE:
                return "CLOSE";
            case ROUTE_OPEN:
                return "ROUTE_OPEN";
            case ROUTE_READY:
                return "ROUTE_READY";
            case ROUTE_DATA:
                return "ROUTE_DATA";
            case ROUTE_RELEASE:
                return "ROUTE_RELEASE";
            case ROUTE_CLOSE:
                return "ROUTE_CLOSE";
            case ROUTE_CLOSED:
                return "ROUTE_CLOSED";
            case RNDV_CANCEL:
                return "RNDV_CANCEL";
            case RNDV_WITHDRAWN:
                return "RNDV_WITHDRAWN";
            case LAYER_NOTICE:
                return "LAYER_NOTICE";
            case ROUTE_START:
                return "ROUTE_START";
            case ROUTE_END:
                return "ROUTE_END";
            default:
                return "kind " + kind;
        }
    }
}
