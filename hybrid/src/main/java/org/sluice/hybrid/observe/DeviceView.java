package org.sluice.hybrid.observe;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;

/**
 * An open device for JMX. Holds it weakly: one that its program drops may go. <i>Thread</i>: any. <i>Proof</i>:
 * {@code ManagementProcessTest}.
 */
final class DeviceView implements DeviceMXBean {
    private static final int LISTED = 50;
    /** A client that asks for one attribute after the other gets those of one moment, and its rank is held up once. */
    private static final long MOMENT_NANOS = 20_000_000;

    private final WeakReference<Observed> device;
    private DeviceState last;
    private long lastNanos;

    DeviceView(Observed device) {
        this.device = new WeakReference<>(device);
    }

    private Observed device() {
        Observed open = device.get();
        if (open == null) {
            throw new IllegalStateException("this device's program has dropped it without closing it");
        }
        return open;
    }

    private synchronized DeviceState state() {
        Observed open = device();
        if (last == null || System.nanoTime() - lastNanos > MOMENT_NANOS) {
            last = open.state(0);
            lastNanos = System.nanoTime();
        }
        return last;
    }

    @Override
    public int getRank() {
        return device().rank();
    }

    @Override
    public int getSize() {
        return device().size();
    }

    @Override
    public long getPid() {
        return ProcessHandle.current().pid();
    }

    @Override
    public String getJob() {
        return device().job();
    }

    @Override
    public Map<String, Long> getCounters() {
        return device().counters();
    }

    @Override
    public Map<String, Map<String, Long>> getChannels() {
        return device().channels();
    }

    @Override
    public List<PeerState> getPeers() {
        return state().peers();
    }

    @Override
    public int getPostedReceives() {
        return state().posted();
    }

    @Override
    public int getUnexpectedMessages() {
        return state().unexpected();
    }

    @Override
    public int getWaitingRequests() {
        return state().waiting();
    }

    @Override
    public String dump() {
        return DumpText.of(device().state(LISTED), "a management client asks");
    }
}
