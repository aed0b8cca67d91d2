package org.sluice.ib.connect;

import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * How connections are made.
 *
 * @param eventChannel where the connection manager's events come
 * @param timeoutMs for one connection, all attempts together
 * @param ackTimeout 4.096 us x 2^this is how long the adapter waits for an acknowledgement
 * @param retryCount how often it then sends again, 0 to 7
 * @param notReadyRetryCount how often it sends again where the receiver has no slot; 7 is for ever
 * @param mtuBytes most in one packet of the network; 0: what the path takes
 * @param serviceLevel -1: what the path says
 * @param mostCredits receive slots that one busy peer may borrow
 */
public record ConnectSettings(
        long eventChannel,
        long timeoutMs,
        int ackTimeout,
        int typeOfService,
        int retryCount,
        int notReadyRetryCount,
        int mtuBytes,
        int serviceLevel,
        int mostCredits) {
    private static final String AUTO = "auto";
    private static final int FOR_EVER = 7;

    public static ConnectSettings of(Options options, long eventChannel) {
        return new ConnectSettings(
                eventChannel,
                options.number(Option.IB_CONNECT_TIMEOUT_MS),
                options.count(Option.IB_ACK_TIMEOUT),
                options.count(Option.IB_TOS),
                options.count(Option.IB_RETRY_COUNT),
                FOR_EVER,
                mtuBytes(options.text(Option.IB_MTU)),
                options.count(Option.IB_SL),
                options.count(Option.IB_CREDITS));
    }

    private static int mtuBytes(String text) {
        return text.equals(AUTO) ? 0 : Integer.parseInt(text);
    }

    /** Whether the route that the connection manager finds is to be taken with something less. */
    boolean isRouteChanged() {
        return mtuBytes != 0 || serviceLevel >= 0;
    }
}
