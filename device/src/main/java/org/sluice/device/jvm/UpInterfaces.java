package org.sluice.device.jvm;

import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;

/**
 * The network interfaces of this machine that are up.
 *
 * <p><i>Thread</i>: any. <i>Proof</i>: {@code UpInterfacesTest}, which takes interfaces away meanwhile.
 */
public final class UpInterfaces {
    private static final int ATTEMPTS = 10;

    private UpInterfaces() {}

    /**
     * One that is taken away while they are listed (containers and virtual machines come and go) is none of them: the
     * JDK then fails, for all of them together or when that one is looked at.
     *
     * @throws SocketException where there are none, or they can't be listed
     */
    public static List<NetworkInterface> list() throws SocketException {
        for (int attempt = 1; ; attempt++) {
            try {
                return areUp(NetworkInterface.getNetworkInterfaces());
            } catch (SocketException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static List<NetworkInterface> areUp(Enumeration<NetworkInterface> all) {
        List<NetworkInterface> found = new ArrayList<>();
        while (all.hasMoreElements()) {
            NetworkInterface each = all.nextElement();
            try {
                if (each.isUp()) {
                    found.add(each);
                }
            } catch (SocketException e) {
                // It is gone.
                continue;
            }
        }
        return found;
    }
}
