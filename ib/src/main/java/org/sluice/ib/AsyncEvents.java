package org.sluice.ib;

import org.sluice.ib.connect.Connection;
import org.sluice.ib.connect.Connector;
import org.sluice.jni.verbs.VerbsCalls;

/** What the device reports outside of any completion, in the order of the library's numbers. */
enum AsyncEvents {
    CQ_ERR("completion queue error", false, true),
    QP_FATAL("fatal error of the queue pair", true, false),
    QP_REQ_ERR("invalid request on the queue pair", true, false),
    QP_ACCESS_ERR("access violation on the queue pair", true, false),
    COMM_EST("first packet before the connection stood", false, false),
    SQ_DRAINED("send queue drained", false, false),
    PATH_MIG("path migrated", false, false),
    PATH_MIG_ERR("path migration failed", true, false),
    DEVICE_FATAL("fatal error of the device", false, true),
    PORT_ACTIVE("port active", false, false),
    PORT_ERR("port down", false, false),
    LID_CHANGE("local identifier changed", false, false),
    PKEY_CHANGE("partition keys changed", false, false),
    SM_CHANGE("subnet manager changed", false, false),
    SRQ_ERR("shared receive queue error", false, true),
    SRQ_LIMIT_REACHED("few receive slots left", false, false),
    QP_LAST_WQE_REACHED("last work request of the queue pair", false, false),
    CLIENT_REREGISTER("subnet manager asks to register again", false, false),
    GID_CHANGE("address table changed", false, false),
    OTHER("an event that this version doesn't know", false, false);

    private final String text;
    private final boolean endsQueuePair;
    private final boolean endsAll;

    AsyncEvents(String text, boolean endsQueuePair, boolean endsAll) {
        this.text = text;
        this.endsQueuePair = endsQueuePair;
        this.endsAll = endsAll;
    }

    static AsyncEvents of(long number) {
        return number >= 0 && number < OTHER.ordinal() ? values()[(int) number] : OTHER;
    }

    /** Takes all that wait, and ends the connections that they concern. @return 0, or -errno of the call that failed */
    static int drain(VerbsCalls verbs, long context, Connector connector) {
        long[] event = new long[VerbsCalls.ASYNC_FIELDS];
        int result;
        while ((result = verbs.asyncEvent(context, event)) == 1) {
            AsyncEvents kind = of(event[VerbsCalls.ASYNC_KIND]);
            if (kind.endsQueuePair()) {
                Connection connection = connector.ofQueuePair(event[VerbsCalls.ASYNC_NUMBER]);
                if (connection != null) {
                    connector.fail(connection, false, "the RDMA device reports: " + kind.text());
                }
            } else if (kind.endsAll()) {
                for (Connection connection : connector.connections()) {
                    if (connection != null) {
                        connector.fail(connection, false, "the RDMA device of this rank reports: " + kind.text());
                    }
                }
            }
        }
        return result;
    }

    String text() {
        return text;
    }

    boolean endsQueuePair() {
        return endsQueuePair;
    }

    boolean endsAll() {
        return endsAll;
    }
}
