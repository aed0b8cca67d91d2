package org.sluice.cli.doctor;

import org.sluice.device.SluiceException;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.tcp.TcpPresence;

/** Where ranks would listen for others over TCP, as the options say. */
final class TcpInterfaces {
    static final String TOPIC = "network";

    private TcpInterfaces() {}

    static Finding examine(Options options) {
        try {
            return Finding.information(
                    TOPIC,
                    "tcp listens at " + TcpPresence.describe(options) + " (" + Option.TCP_INTERFACE.property()
                            + "), connects within " + options.number(Option.TCP_CONNECT_TIMEOUT_MS) + " ms ("
                            + Option.TCP_CONNECT_TIMEOUT_MS.property() + "), and takes a machine for dead after "
                            + options.number(Option.TCP_KEEPALIVE_MS) + " ms of silence ("
                            + Option.TCP_KEEPALIVE_MS.property() + ")");
        } catch (SluiceException e) {
            // A machine without a network is no mistake: its own ranks need none.
            return options.text(Option.TCP_INTERFACE).equals(Option.AUTO)
                    ? Finding.information(TOPIC, e.getMessage())
                    : Finding.unusable(TOPIC, e.getMessage(), "correct " + Option.TCP_INTERFACE.property());
        }
    }
}
