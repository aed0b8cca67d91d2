package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Every library call of a {@link SweptLife} fails, one in each life: the first of its kind, the second, until a life
 * has no more.
 */
final class FaultSweep {
    /** What is told names the call so. */
    private static final Map<String, String> NAMES = new TreeMap<>(Map.ofEntries(
            Map.entry("queryDevice", "ibv_query_device"),
            Map.entry("queryPort", "ibv_query_port"),
            Map.entry("allocateProtectionDomain", "ibv_alloc_pd"),
            Map.entry("deallocateProtectionDomain", "ibv_dealloc_pd"),
            Map.entry("createCompletionChannel", "ibv_create_comp_channel"),
            Map.entry("destroyCompletionChannel", "ibv_destroy_comp_channel"),
            Map.entry("createCompletionQueue", "ibv_create_cq"),
            Map.entry("destroyCompletionQueue", "ibv_destroy_cq"),
            Map.entry("requestNotify", "ibv_req_notify_cq"),
            Map.entry("drainCompletionEvents", "ibv_get_cq_event"),
            Map.entry("poll", "ibv_poll_cq"),
            Map.entry("createSharedReceiveQueue", "ibv_create_srq"),
            Map.entry("destroySharedReceiveQueue", "ibv_destroy_srq"),
            Map.entry("postReceive", "ibv_post_srq_recv"),
            Map.entry("postSend", "ibv_post_send"),
            Map.entry("registerMemory", "ibv_reg_mr"),
            Map.entry("deregisterMemory", "ibv_dereg_mr"),
            Map.entry("createEventChannel", "rdma_create_event_channel"),
            Map.entry("destroyEventChannel", "rdma_destroy_event_channel"),
            Map.entry("createId", "rdma_create_id"),
            Map.entry("destroyId", "rdma_destroy_id"),
            Map.entry("bind", "rdma_bind_addr"),
            Map.entry("listen", "rdma_listen"),
            Map.entry("createQueuePair", "rdma_create_qp"),
            Map.entry("destroyQueuePair", "ibv_destroy_qp"),
            Map.entry("accept", "rdma_accept"),
            Map.entry("connectionEvent", "rdma_get_cm_event"),
            Map.entry("asyncFd", "ibv_get_async_event"),
            Map.entry("asyncEvent", "ibv_get_async_event"),
            Map.entry("resolveAddress", "rdma_resolve_addr"),
            Map.entry("deviceName", "ibv_get_device_name"),
            Map.entry("queryGid", "ibv_query_gid"),
            Map.entry("queryPkey", "ibv_query_pkey"),
            Map.entry("createBell", "eventfd"),
            Map.entry("closeBell", "eventfd")));
    /** What a device does without, each for a reason. */
    private static final Map<String, String> GOES_WITHOUT = new TreeMap<>(Map.ofEntries(
            Map.entry("deviceNames", "only for messages"),
            Map.entry("bind", "the next address is tried"),
            Map.entry("queryPort", "likewise"),
            Map.entry("deviceName", "likewise"),
            Map.entry("queryGid", "likewise"),
            Map.entry("queryPkey", "likewise"),
            Map.entry("destroyQueuePair", "tried again at close"),
            Map.entry("registerMemory", "then the bytes are copied"),
            Map.entry("setLimit", "then no slots are added"),
            Map.entry("setAckTimeout", "then it is the library's"),
            Map.entry("setTypeOfService", "tried again"),
            Map.entry("resolveRoute", "tried again"),
            Map.entry("copyRoute", "tried again"),
            Map.entry("connect", "tried again"),
            Map.entry("accept", "the other asks again"),
            Map.entry("reject", "the other's time ends"),
            Map.entry("tellEstablished", "the connection stands already"),
            Map.entry("disconnect", "the queue pair is failed instead, which the peer's adapter finds out"),
            Map.entry("failQueuePair", "it is destroyed soon"),
            Map.entry("ring", "looked at again within half a second"),
            Map.entry("hush", "the bell goes on ringing"),
            Map.entry("waitReady", "tried again")));
    /** What posts slots that are added goes without them: there are as many as before. */
    private static final String GROWTH = "grow";

    private static final Set<String> READING = Set.of(
            "completionChannelFd", "eventChannelFd", "cmContext", "cmPort", "cmGid", "localPort", "lockedMemoryLimit");

    private static final Set<String> OF_MESSAGES = Set.of("postSend", "postReceive", "poll");
    private static final Set<String> OF_MEMORY = Set.of("registerMemory", "deregisterMemory");

    private static final int MOST_WRONGS = 50;

    private final Supplier<VerbsCalls> libraries;
    private final int connectMs;
    private final String eager;
    private final Check check;
    private final String[] path;
    private final List<String> wrongs = new ArrayList<>();
    private int lives;
    private int told;

    /** What must hold of a library after a life. */
    interface Check {
        void after(VerbsCalls library, String where);
    }

    /**
     * @param libraries one for each life
     * @param connectMs how long a connection may take with them
     * @param eager how short packets go
     * @param path as {@link SweptLife} takes it
     */
    FaultSweep(Supplier<VerbsCalls> libraries, int connectMs, String eager, Check check, String... path) {
        this.path = path;
        this.connectMs = connectMs;
        this.eager = eager;
        this.libraries = libraries;
        this.check = check;
    }

    /** All calls that a life without faults makes, and of each kind what a life makes beyond that. */
    void all(boolean asks, boolean writes) throws InterruptedException {
        for (Place last : places(asks, writes)) {
            if (isOne(last.method, last.place, asks, writes) && last.isLast) {
                for (int n = last.place + 1; isOne(last.method, n, asks, writes); n++) {
                    continue;
                }
            }
        }
        end(asks, writes);
    }

    /** As many as that, chosen by a seed, which is printed. */
    void some(boolean asks, boolean writes, int count, long seed) throws InterruptedException {
        List<Place> places = places(asks, writes);
        Collections.shuffle(places, new Random(seed));
        for (Place each : places.subList(0, Math.min(count, places.size()))) {
            isOne(each.method, each.place, asks, writes);
            System.out.println("FaultSweep: seed " + seed + ", " + each.method + " " + each.place);
        }
        end(asks, writes);
    }

    /**
     * Memory that is registered and given back, and of the calls that messages take, which are many and alike, one in
     * so many.
     */
    void ofMessages(boolean asks, boolean writes, int stride) throws InterruptedException {
        for (Place each : places(asks, writes)) {
            if (OF_MEMORY.contains(each.method)
                    || OF_MESSAGES.contains(each.method) && (each.place - 1) % stride == 0) {
                isOne(each.method, each.place, asks, writes);
            }
        }
        end(asks, writes);
    }

    private record Place(String method, int place, boolean isLast) {}

    private List<Place> places(boolean asks, boolean writes) throws InterruptedException {
        VerbsCalls library = libraries.get();
        NthCallFails counting = NthCallFails.never(library);
        SweptLife clean = new SweptLife(counting.calls(), library, asks, writes, eager, connectMs, path);
        clean.live();
        assertEquals(null, clean.told());
        assertFalse(clean.hasLess(), "a life without faults");
        List<Place> places = new ArrayList<>();
        new TreeMap<>(counting.count()).forEach((method, count) -> {
            for (int n = 1; n <= count && !READING.contains(method); n++) {
                places.add(new Place(method, n, n == count));
            }
        });
        assertTrue(places.size() > 60, places.toString());
        return places;
    }

    private void end(boolean asks, boolean writes) {
        System.out.println("FaultSweep: " + lives + " lives in which a call failed, " + (asks ? "asks, " : "is asked, ")
                + (writes ? "writes" : "reads") + ", " + told + " were told");
        assertEquals(List.of(), wrongs);
        assertTrue(lives > 0);
    }

    /** What is wrong doesn't end the sweep: one run tells all. */
    private boolean isOne(String method, int n, boolean asks, boolean writes) throws InterruptedException {
        try {
            return one(method, n, asks, writes);
        } catch (AssertionError e) {
            e.printStackTrace();
            wrongs.add(e.getMessage());
            return wrongs.size() < MOST_WRONGS;
        }
    }

    /** @return whether there was such a call */
    private boolean one(String method, int n, boolean asks, boolean writes) throws InterruptedException {
        String where = method + " " + n + (asks ? ", asks" : ", is asked") + (writes ? ", writes" : ", reads");
        VerbsCalls library = libraries.get();
        CountingVerbs living = new CountingVerbs(library);
        NthCallFails failing = new NthCallFails(living.calls(), method, n, Errno.EIO);
        SweptLife life;
        try {
            life = new SweptLife(failing.calls(), library, asks, writes, eager, connectMs, path);
            life.live();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(where + ": " + e.getMessage(), e);
        }
        assertEquals(Map.of(), living.living(), where + ", told " + life.told());
        check.after(library, where);
        if (!failing.hasFailed()) {
            assertEquals(null, life.told(), where + " without a fault");
            return false;
        }
        lives++;
        if (life.told() != null) {
            told++;
            String name = NAMES.get(method);
            assertTrue(life.told().contains("EIO"), where + ": " + life.told());
            assertTrue(name == null || life.told().contains(name), where + ": " + life.told());
            assertTrue(name != null || life.told().matches("(?s).*(rdma_|ibv_|eventfd).*"), where + ": " + life.told());
        } else {
            assertTrue(
                    GOES_WITHOUT.containsKey(method) || method.equals("postReceive") && failing.hasFailedIn(GROWTH),
                    where + " is passed over");
        }
        return true;
    }
}
