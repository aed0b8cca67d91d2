package org.sluice.bench.contestant;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;

/** How the processes of one contestant come into being. */
interface Starter extends AutoCloseable {
    /** @param environment what every rank must find in its environment */
    List<Running> start(Map<String, String> environment) throws IOException, ContestantFailure;

    /** Where the ranks reach the harness. */
    default InetAddress harness() {
        return InetAddress.getLoopbackAddress();
    }

    /** All ranks have opened what they share: its name can go, so that nothing is left even if everything is killed. */
    default void ranksAreReady() {}

    /** Removes what the processes may have left. They have ended. */
    @Override
    void close();
}
