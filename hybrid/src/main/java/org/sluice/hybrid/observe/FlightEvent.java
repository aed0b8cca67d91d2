package org.sluice.hybrid.observe;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/**
 * What the flight recorder keeps of a device; docs/how-to/measure.md says when.
 *
 * <p>An event's class that registers itself does so as it is initialized and waits for the recorder's lock then, whose
 * holder may wait for exactly that: the two would never end, with the progress locks of two ranks. So these are
 * registered by {@link #register}, and initialized without a lock.
 *
 * <p><i>Proof</i>: {@code FlightRecorderProcessTest}.
 */
@Category("Sluice")
@Registered(false)
@StackTrace(false)
abstract class FlightEvent extends Event {
    @Label("Rank")
    int rank;

    @Label("Peer")
    @Description("-2 for any, -1 for none")
    int peer;

    @Name("org.sluice.SlowRequest")
    @Label("Slow Request")
    @Description("A call, coroutine or future waited for a request longer than the threshold")
    @Threshold("20 ms")
    @StackTrace
    static final class SlowRequest extends FlightEvent {
        @Label("Request")
        String request;

        @Label("Tag")
        int tag;

        @Label("Context Id")
        int contextId;

        @Label("Bytes")
        @DataAmount
        long bytes;

        @Label("Outcome")
        String outcome;

        @Label("Waiter")
        @Description(
                "A thread, which is the event's; else a coroutine or future, whose end the event's thread has told")
        String waiter;
    }

    @Name("org.sluice.Connect")
    @Label("Connect")
    @Description("A peer's connection was seen to have changed")
    static final class Connect extends FlightEvent {
        @Label("Channel")
        String channel;

        @Label("State")
        String state;
    }

    @Name("org.sluice.Failure")
    @Label("Failure")
    @Description("A peer has failed or closed or, without a peer, the device has failed")
    static final class Failed extends FlightEvent {
        @Label("Code")
        String code;

        @Label("Message")
        String message;
    }

    @Name("org.sluice.ProtocolChoice")
    @Label("Protocol Choice")
    @Description("Which way messages go to a peer, and how many went each way")
    @Period("everyChunk")
    static final class ProtocolChoice extends FlightEvent {
        @Label("Channel")
        String channel;

        @Label("Locality")
        String locality;

        @Label("Eager Limit")
        @Description("Longer messages go by rendezvous")
        @DataAmount
        long eagerLimit;

        @Label("Sent Eagerly")
        long sentEager;

        @Label("Sent by Rendezvous")
        long sentRendezvous;

        @Label("Sent by Persistent Route")
        long sentByRoute;

        @Label("Eager Share Exceeded")
        @Description("Of those by rendezvous, the ones that were short enough to go eagerly")
        long eagerShareExceeded;
    }

    /** Before any is made; until then the recorder knows of none. Again is harmless. <i>Thread</i>: any. */
    static void register() {
        FlightRecorder.register(SlowRequest.class);
        FlightRecorder.register(Connect.class);
        FlightRecorder.register(Failed.class);
        FlightRecorder.register(ProtocolChoice.class);
    }
}
