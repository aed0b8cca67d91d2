package org.sluice.device.counter;

import java.util.Locale;

/**
 * What is counted; docs/reference/counters.md is made from this. Tests assert on counts because a clock is noisy and a
 * count isn't.
 */
public enum Counter {
    SENT_EAGER("messages sent eagerly"),
    SENT_RENDEZVOUS("messages sent by rendezvous"),
    SENT_BY_ROUTE("messages written into slots of a persistent route"),
    ROUTE_SLOTS_EXCEEDED("messages of a persistent route that went in the ordinary way because no slot was free"),
    SENT_BYTES("payload bytes sent"),
    RECEIVED_EXPECTED("messages that went to their receive without being stored"),
    RECEIVED_UNEXPECTED("messages that were stored until their receive came"),
    COPIES("copies of payload that this rank made, one for each contiguous stretch"),
    COPIED_BYTES("payload bytes that this rank copied"),
    IN_PLACE("messages taken in place, with no copy"),
    HANDLED("messages that a handler was called for"),
    HANDLERS_FAILED("those of them whose handler threw, or could not be called"),
    HANDLER_FETCHES("messages to handlers that were fetched into memory of this rank"),
    HANDLER_MEMORY_REUSED("those of them that came into memory of an earlier one"),
    HANDLER_SENDS_KEPT("messages sent inside a handler that found no room and were copied"),
    LENT("eager messages sent out of message buffers, with no copy"),
    STREAMED_CHUNKS("RNDV_DATA packets sent"),
    GET_CHUNKS("pieces read out of a peer's memory"),
    PUT_CHUNKS("pieces written into a peer's memory"),
    KERNEL_COPIES("pieces read by kernel-assisted copy"),
    ARRAY_PIECES("of these, pieces of a peer's heap arrays"),
    ARRAYS_MOVED("pieces of a peer's heap arrays that were not taken, as a collection had come between"),
    GET_CHOSEN("times that trials found reading a peer's memory faster than a stream, by size of message"),
    STREAM_CHOSEN("times that trials found it no faster"),
    DEFERRED("sends that found no room and were parked in PendingSends"),
    SENDS_WITHDRAWN("sends that were cancelled before a receive had matched them"),
    UNDELIVERED_DROPPED("messages that came for a coroutine that was cancelled, and that nobody was told of"),
    EAGER_SHARE_EXCEEDED("sends that became rendezvous because the receiver's share was used up"),
    DOORBELLS("doorbells rung because a peer did not watch this ring"),
    WAKE_UPS("sleeping peers woken"),
    SLEEPS("times this rank slept"),
    PARKS("times a calling thread parked"),
    POLLS_EMPTY("polls that found nothing"),
    POLLS_USEFUL("polls that found something"),
    CONNECTIONS("connections made over RDMA devices or TCP, at this rank's wish or the peer's"),
    WORK_REQUESTS("work requests posted to an RDMA device"),
    REGISTRATIONS("pieces of the program's memory registered with an RDMA device"),
    ARENA_EXTENTS("times that the memory for message buffers grew"),
    ARENA_BYTES("bytes of that memory; what buffers gave back stays, for others"),
    ARENA_USED_BYTES("bytes of it that are handed out now"),
    POOL_REGIONS("extents of it registered with an RDMA device, each for all buffers in it; also registrations"),
    POOL_BYTES("bytes of these"),
    POOL_HITS("uses of memory over an RDMA device for which nothing was registered, as its extent is"),
    RECEIVE_SLOTS_LOW("times that an RDMA device told of few receive slots left"),
    RECEIVE_SLOTS_ADDED("receive slots added, as few were left or busy peers wanted more"),
    CREDIT_STALLS("sends that found no credit at the receiver"),
    CREDIT_PACKETS("packets that only carried credit"),
    CREDITS_RETURNED("credits that peers gave back because they had become quiet"),
    INLINE_SENDS("work requests whose bytes the device took with them, instead of fetching them"),
    LANDING_WRITES("packets written into a peer's landing ring"),
    LANDING_NEWS("packets that only told of landing rings"),
    SOCKET_WRITES("writes to sockets; messages sent together share one"),
    SOCKET_BYTES("bytes that sockets took, with headers"),
    SOCKET_STALLS("writes of which a socket did not take all"),
    SOCKET_RETRANSMITS(
            "segments that TCP sent again, as the kernel counts them: read when it is asked for, and left out where the"
                    + " native library is missing"),
    NATIVE_CROSSINGS(
            "calls into native code that post sends, reads or writes, register memory, copy by the kernel or wake a"
                    + " rank; those that look for completions, ask for their events or post receive slots again are not"
                    + " among them");

    private final String help;

    Counter(String help) {
        this.help = help;
    }

    /** Name in snapshots: lower case, words joined by dots. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '.');
    }

    public String help() {
        return help;
    }
}
