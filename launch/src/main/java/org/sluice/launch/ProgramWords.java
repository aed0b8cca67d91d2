package org.sluice.launch;

import java.util.Map;
import org.sluice.device.option.Options;

/**
 * What a program's main method is called with: its own arguments, and where it was written for MPJ Express what that
 * one's launchers say in front of them.
 *
 * @param device that these name; empty for none of it
 */
record ProgramWords(String device, String[] own) {
    /** A property, by which {@code MPI.Init} knows that there are such words. */
    private static final String TOLD = "org.sluice.launch.device";

    private static final int IN_FRONT = 3;

    /** Of its own: the rank may change it. */
    String[] of(int rank) {
        if (device.isEmpty()) {
            return own.clone();
        }
        String[] all = new String[IN_FRONT + own.length];
        all[0] = Integer.toString(rank);
        all[1] = Integer.toString(Job.sizeOf(Options.of(Map.of())));
        all[2] = device;
        System.setProperty(TOLD, device);
        System.arraycopy(own, 0, all, IN_FRONT, own.length);
        return all;
    }
}
