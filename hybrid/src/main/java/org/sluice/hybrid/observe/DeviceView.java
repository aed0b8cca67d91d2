package org.sluice.hybrid.observe;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;

/** An open device for JMX. Holds it weakly: one that its program drops may go. <i>Thread</i>: any. <i>Proof</i>: {@code ManagementProcessTest}. */
final class DeviceView implements DeviceMXBean {
    private static final int LISTED = 50;

    private final WeakReference<Observed> device;

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

    private DeviceState state() {
        return device().state(0);
    }

    @Override
    public int getRank() {
        return state().rank();
    }

    @Override
    public int getSize() {
        return state().size();
    }

    @Override
    public long getPid() {
        return ProcessHandle.current().pid();
    }

    @Override
    public String getJob() {
        return state().job();
    }

    @Override
    public Map<String, Long> getCounters() {
        return device().counters();
    }

    @Override
    public Map<String, Map<String, Long>> getChannels() {
        return state().channels();
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
