package org.sluice.cli.vm;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What to run in how many guests.
 *
 * @param home the checkout, whose tools/vm boots the guests
 * @param nodes guests, linked with each other
 * @param processors of each guest; 0 for as many as do well: see {@link HostShare}
 * @param faults what goes wrong in them, and when
 * @param timeoutS seconds for the command; 0 for no limit
 * @param directory where the command runs: a folder of the host, which is at the same place in the guest
 * @param environment the host's, from which a guest gets what {@link GuestScript} lets through
 * @param command with its arguments, as words
 */
public record VmRequest(
        Path home,
        int nodes,
        int processors,
        FaultPlan faults,
        int timeoutS,
        Path directory,
        Map<String, String> environment,
        List<String> command) {
    /** More would share the host's cores with nothing gained; the addresses would do for 254. */
    public static final int MOST_NODES = 4;

    public VmRequest {
        checkNodes(nodes);
        checkProcessors(processors);
        if (command.isEmpty()) {
            throw new IllegalArgumentException("no command is given; it stands behind --: ./sluice vm -- COMMAND");
        }
        if (environment.containsKey(GuestScript.NODE_VARIABLE)) {
            throw new IllegalArgumentException("this is a guest of ./sluice vm already (" + GuestScript.NODE_VARIABLE
                    + " is set), and a " + "guest starts no others; run the command itself");
        }
    }

    /** The same with one more variable in the environment. */
    public VmRequest with(String variable, String value) {
        Map<String, String> more = new HashMap<>(environment);
        more.put(variable, value);
        return new VmRequest(home, nodes, processors, faults, timeoutS, directory, more, command);
    }

    private static void checkProcessors(int processors) {
        if (processors < 0 || processors > HostShare.MOST_PROCESSORS) {
            throw new IllegalArgumentException(
                    "--processors " + processors + ": 1 to " + HostShare.MOST_PROCESSORS + " are allowed");
        }
    }

    /** @throws IllegalArgumentException with what is allowed */
    public static void checkNodes(int nodes) {
        if (nodes < 1 || nodes > MOST_NODES) {
            throw new IllegalArgumentException("--nodes " + nodes + ": 1 to " + MOST_NODES + " are allowed");
        }
    }
}
