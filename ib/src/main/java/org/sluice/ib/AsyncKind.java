package org.sluice.ib;

/** Kinds of what the device reports outside of any completion, in the order of the library's numbers. */
enum AsyncKind {
    CQ_ERR("completion queue error", false),
    QP_FATAL("fatal error of the queue pair", true),
    QP_REQ_ERR("invalid request on the queue pair", true),
    QP_ACCESS_ERR("access violation on the queue pair", true),
    COMM_EST("first packet before the connection stood", false),
    SQ_DRAINED("send queue drained", false),
    PATH_MIG("path migrated", false),
    PATH_MIG_ERR("path migration failed", true),
    DEVICE_FATAL("fatal error of the device", false),
    PORT_ACTIVE("port active", false),
    PORT_ERR("port down", false),
    LID_CHANGE("local identifier changed", false),
    PKEY_CHANGE("partition keys changed", false),
    SM_CHANGE("subnet manager changed", false),
    SRQ_ERR("shared receive queue error", false),
    SRQ_LIMIT_REACHED("few receive slots left", false),
    QP_LAST_WQE_REACHED("last work request of the queue pair", false),
    CLIENT_REREGISTER("subnet manager asks to register again", false),
    GID_CHANGE("address table changed", false),
    OTHER("an event that this version doesn't know", false);

    private final String text;
    private final boolean endsQueuePair;

    AsyncKind(String text, boolean endsQueuePair) {
        this.text = text;
        this.endsQueuePair = endsQueuePair;
    }

    static AsyncKind of(long number) {
        return number >= 0 && number < OTHER.ordinal() ? values()[(int) number] : OTHER;
    }

    String text() {
        return text;
    }

    boolean endsQueuePair() {
        return endsQueuePair;
    }
}
