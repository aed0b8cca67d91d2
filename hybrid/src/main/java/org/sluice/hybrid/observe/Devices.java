package org.sluice.hybrid.observe;

import java.lang.management.ManagementFactory;
import java.util.Hashtable;
import java.util.List;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Shows each open device of this JVM as a {@link DeviceMXBean}. A management client makes one by this class's name
 * (createMBean), and nothing of management is loaded before (docs/project/adr/0045).
 *
 * <p><i>Thread</i>: any. <i>Proof</i>: {@code ManagementProcessTest}.
 */
public final class Devices implements DevicesMBean {
    /** Under which a client makes one. */
    public static final String NAME = "org.sluice:type=Devices";

    public static final String DOMAIN = "org.sluice";

    public Devices() {
        refresh();
    }

    @Override
    public int refresh() {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        List<Observed> devices = OpenDevices.all();
        for (Observed device : devices) {
            show(server, device);
        }
        return devices.size();
    }

    private static void show(MBeanServer server, Observed device) {
        DeviceState state = device.state(0);
        try {
            ObjectName name = name(state);
            if (!server.isRegistered(name)) {
                server.registerMBean(new DeviceView(device), name);
                device.onClose(() -> hide(server, name));
            }
        } catch (InstanceAlreadyExistsException e) {
            // Another client was first.
            return;
        } catch (JMException e) {
            throw new IllegalStateException(
                    "rank " + state.rank() + "'s device can't be shown to management clients: " + e, e);
        }
    }

    private static void hide(MBeanServer server, ObjectName name) {
        try {
            server.unregisterMBean(name);
        } catch (InstanceNotFoundException e) {
            // Its program, or a client, did so before.
            return;
        } catch (JMException e) {
            throw new IllegalStateException("a closed device is still shown to management clients: " + e, e);
        }
    }

    private static ObjectName name(DeviceState state) throws JMException {
        Hashtable<String, String> properties = new Hashtable<>();
        properties.put("type", "Device");
        properties.put("rank", Integer.toString(state.rank()));
        properties.put("id", state.id());
        return new ObjectName(DOMAIN, properties);
    }
}
