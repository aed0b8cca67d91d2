package org.sluice.tcp;

import org.sluice.device.SluiceException;
import org.sluice.device.option.Options;
import org.sluice.tcp.connect.Interfaces;

/** Where this machine could be reached over TCP, found out without opening anything. */
public final class TcpPresence {
    private TcpPresence() {}

    /**
     * The addresses that peers would be told, for people.
     *
     * @throws SluiceException OPEN_FAILED where nothing here is as the option says, and with what there is
     */
    public static String describe(Options options) {
        return Interfaces.of(options).toString();
    }
}
