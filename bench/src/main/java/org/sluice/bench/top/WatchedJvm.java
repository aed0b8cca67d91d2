package org.sluice.bench.top;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.sluice.hybrid.observe.Devices;

/**
 * A JVM whose devices are looked at: its own management agent is started, and Sluice's beans are made in it, when it is first asked.
 *
 * <p><i>Thread</i>: one at a time. <i>Owns</i>: the connection. <i>Fails</i>: with a reason, where the JVM doesn't answer or has ended. <i>Proof</i>: {@code TopProcessTest}.
 */
final class WatchedJvm implements AutoCloseable {
    private static final String[] ATTRIBUTES = {"Rank", "Size", "Job", "Peers", "UnexpectedMessages", "WaitingRequests"};

    private final long pid;
    private JMXConnector connector;
    private MBeanServerConnection server;

    WatchedJvm(long pid) {
        this.pid = pid;
    }

    private void connect() throws IOException, AttachNotSupportedException, JMException {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
        String address;
        try {
            address = machine.startLocalManagementAgent();
        } finally {
            machine.detach();
        }
        connector = JMXConnectorFactory.connect(new JMXServiceURL(address));
        server = connector.getMBeanServerConnection();
        refresh();
    }

    private void refresh() throws JMException, IOException {
        ObjectName name = new ObjectName(Devices.NAME);
        try {
            server.createMBean(Devices.class.getName(), name);
        } catch (InstanceAlreadyExistsException e) {
            server.invoke(name, "refresh", new Object[0], new String[0]);
        }
    }

    /** @return one for each open device */
    List<Sample> sample() throws IOException, AttachNotSupportedException, JMException {
        List<Sample> samples = new ArrayList<>();
        for (ObjectName device : devices()) {
            try {
                Map<String, Object> values = new TreeMap<>();
                server.getAttributes(device, ATTRIBUTES).asList().forEach(attribute -> values.put(attribute.getName(), attribute.getValue()));
                if (values.size() == ATTRIBUTES.length) {
                    samples.add(sample(values));
                }
            } catch (InstanceNotFoundException e) {
                // It was closed meanwhile.
                continue;
            }
        }
        return samples;
    }

    /** The state of one open device as text. */
    record Dump(String job, int rank, String text) {
    }

    /** @return one for each open device */
    List<Dump> dumps() throws IOException, AttachNotSupportedException, JMException {
        List<Dump> dumps = new ArrayList<>();
        for (ObjectName device : devices()) {
            String text = (String) server.invoke(device, "dump", new Object[0], new String[0]);
            dumps.add(new Dump((String) server.getAttribute(device, "Job"), (Integer) server.getAttribute(device, "Rank"), text));
        }
        return dumps;
    }

    private Iterable<ObjectName> devices() throws IOException, AttachNotSupportedException, JMException {
        if (server == null) {
            try {
                connect();
            } catch (ReflectionException e) {
                throw new IOException("its class path has no Sluice of this version: look with ./sluice top of its own checkout or, where its program loads Sluice by itself, start it with "
                        + "sluice.jmx=on and use a management client", e);
            }
        } else {
            refresh();
        }
        return server.queryNames(new ObjectName(Devices.DOMAIN + ":type=Device,*"), null);
    }

    private Sample sample(Map<String, Object> values) {
        List<Sample.Peer> peers = new ArrayList<>();
        for (CompositeData peer : (CompositeData[]) values.get("Peers")) {
            peers.add(new Sample.Peer((Integer) peer.get("rank"), (String) peer.get("channel"), (Long) peer.get("sentMessages"), (Long) peer.get("receivedMessages"),
                    (Long) peer.get("sentBytes"), (Long) peer.get("receivedBytes"), (Integer) peer.get("unexpectedMessages"), (Integer) peer.get("waitingSends") + (Integer) peer.get("waitingReceives")));
        }
        return new Sample(System.nanoTime(), pid, (Integer) values.get("Rank"), (Integer) values.get("Size"), (String) values.get("Job"),
                (Integer) values.get("UnexpectedMessages"), (Integer) values.get("WaitingRequests"), peers);
    }

    @Override
    public void close() {
        if (connector != null) {
            try {
                connector.close();
            } catch (IOException e) {
                // The JVM has ended, or doesn't answer: its end of the connection goes with it.
                return;
            }
        }
    }
}
