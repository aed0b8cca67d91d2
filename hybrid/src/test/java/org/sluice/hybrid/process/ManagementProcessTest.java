package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.tools.attach.VirtualMachine;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sluice.device.option.Option;
import org.sluice.hybrid.observe.Devices;

/** Management clients of other processes read what a rank counts, for each peer and channel. */
@Timeout(60)
final class ManagementProcessTest {
    private static final long PATIENCE_MS = 20_000;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    private JMXConnector connect(int rank) throws Exception {
        VirtualMachine machine =
                VirtualMachine.attach(Long.toString(ranks.rank(rank).pid()));
        try {
            return JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
        } finally {
            machine.detach();
        }
    }

    private static Set<ObjectName> devices(MBeanServerConnection server) throws Exception {
        return server.queryNames(new ObjectName("org.sluice:type=Device,*"), null);
    }

    private static Map<String, Long> map(Object attribute) {
        Map<String, Long> map = new TreeMap<>();
        ((TabularData) attribute)
                .values()
                .forEach(row ->
                        map.put((String) ((CompositeData) row).get("key"), (Long) ((CompositeData) row).get("value")));
        return map;
    }

    @Test
    void countersOfEachPeerAreReadFromOutsideWhileTheRankWaits() throws Exception {
        ranks.option(0, Option.JMX, "on");
        ranks.startAll(2, StuckRanks.class);
        ranks.rank(0).await("sent", PATIENCE_MS);
        ranks.rank(1).await("waiting", PATIENCE_MS);
        try (JMXConnector sender = connect(0);
                JMXConnector receiver = connect(1)) {
            MBeanServerConnection server = sender.getMBeanServerConnection();
            assertEquals(1, devices(server).size(), "with sluice.jmx=on a device is there from its opening on");
            ObjectName device = devices(server).iterator().next();
            assertEquals(
                    "0 2 " + ranks.rank(0).pid(),
                    server.getAttribute(device, "Rank") + " " + server.getAttribute(device, "Size") + " "
                            + server.getAttribute(device, "Pid"));
            Map<String, Long> counters = map(server.getAttribute(device, "Counters"));
            assertEquals("1 1", counters.get("sent.eager") + " " + counters.get("sent.rendezvous"));
            CompositeData peer = ((CompositeData[]) server.getAttribute(device, "Peers"))[1];
            assertEquals(
                    "1 shm SAME_NODE 2 1048592 1",
                    peer.get("rank") + " " + peer.get("channel") + " " + peer.get("locality") + " "
                            + peer.get("sentMessages") + " " + peer.get("sentBytes") + " " + peer.get("waitingSends"));
            assertEquals(
                    Map.of("sent.bytes", 1_048_592L, "sent.eager", 1L, "sent.rendezvous", 1L),
                    map(peer.get("counters")));
            receivingRank(receiver.getMBeanServerConnection());
        }
        // The ranks end by themselves then: a connection to one that has ended can't be closed.
        ranks.rank(0).tell("send");
        ranks.rank(1).await("done", PATIENCE_MS);
        ranks.allEndWell(PATIENCE_MS);
    }

    private static void receivingRank(MBeanServerConnection server) throws Exception {
        assertEquals(Set.of(), devices(server), "nothing of management is there until somebody asks");
        server.createMBean(Devices.class.getName(), new ObjectName(Devices.NAME));
        ObjectName device = devices(server).iterator().next();
        assertEquals(
                "1 2 1",
                server.getAttribute(device, "PostedReceives") + " " + server.getAttribute(device, "UnexpectedMessages")
                        + " " + server.getAttribute(device, "WaitingRequests"));
        CompositeData peer = ((CompositeData[]) server.getAttribute(device, "Peers"))[0];
        assertEquals(
                "2 1048592 2",
                peer.get("receivedMessages") + " " + peer.get("receivedBytes") + " " + peer.get("unexpectedMessages"));
        String dump = (String) server.invoke(device, "dump", new Object[0], new String[0]);
        assertTrue(dump.contains("receive from rank 0, tag 7, 8 bytes: no message has matched it"), dump);
    }
}
