package org.sluice.hybrid.observe;

/** Shows the devices of a JVM to management clients: {@code org.sluice:type=Devices}. */
public interface DevicesMBean {
    /**
     * Shows devices that have opened since.
     *
     * @return how many are open
     */
    int refresh();
}
