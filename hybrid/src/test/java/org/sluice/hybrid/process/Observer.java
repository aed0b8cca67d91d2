package org.sluice.hybrid.process;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.sluice.hybrid.observe.Devices;

/**
 * Looks at the only device of a rank's JVM in the ways of docs/how-to/measure.md, and prints for the test what it sees.
 */
final class Observer {
    /** Null where nothing is recorded. */
    private final Recording recording;

    /** Before the device opens. */
    Observer(boolean isRecording) {
        recording = isRecording ? new Recording() : null;
        if (isRecording) {
            recording.enable("org.sluice.Connect");
            recording.enable("org.sluice.Failure");
            recording.start();
        }
    }

    /** The dump's line for a channel. */
    void sayChannel(String beginning) throws JMException {
        String dump = (String)
                ManagementFactory.getPlatformMBeanServer().invoke(device(), "dump", new Object[0], new String[0]);
        for (String line : dump.split("\n")) {
            if (line.strip().startsWith(beginning)) {
                Say.line("dump " + line.strip());
            }
        }
    }

    /** What was counted on each channel and on the way to each peer, with what went and came. */
    void sayCounters() throws JMException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ((TabularData) server.getAttribute(device(), "Channels"))
                .values()
                .forEach(row -> Say.line(
                        "channel " + ((CompositeData) row).get("key") + " " + map(((CompositeData) row).get("value"))));
        for (CompositeData peer : (CompositeData[]) server.getAttribute(device(), "Peers")) {
            Say.line("peer " + peer.get("rank") + " " + peer.get("channel") + " sent " + peer.get("sentMessages")
                    + " of " + peer.get("sentBytes") + ", came " + peer.get("receivedMessages") + ", "
                    + map(peer.get("counters")) + ", failed: " + ((String) peer.get("failure")).replace('\n', ' '));
        }
    }

    private static Map<Object, Object> map(Object attribute) {
        Map<Object, Object> map = new TreeMap<>();
        ((TabularData) attribute)
                .values()
                .forEach(row -> map.put(((CompositeData) row).get("key"), ((CompositeData) row).get("value")));
        return map;
    }

    private static ObjectName device() throws JMException {
        new Devices();
        return ManagementFactory.getPlatformMBeanServer()
                .queryNames(new ObjectName("org.sluice:type=Device,*"), null)
                .iterator()
                .next();
    }

    /** All that the recorder was told, in its order, if there is one. */
    void sayEvents() throws IOException {
        if (recording == null) {
            return;
        }
        Path file = Files.createTempFile("sluice-observer", ".jfr");
        try {
            recording.stop();
            recording.dump(file);
            StringBuilder connects = new StringBuilder();
            StringBuilder failures = new StringBuilder();
            List<RecordedEvent> events = new ArrayList<>(RecordingFile.readAllEvents(file));
            events.sort(Comparator.comparing(RecordedEvent::getStartTime));
            for (RecordedEvent event : events) {
                if (event.getEventType().getName().equals("org.sluice.Connect")) {
                    connects.append(' ')
                            .append(event.getInt("peer"))
                            .append(' ')
                            .append(event.getString("channel"))
                            .append(' ')
                            .append(event.getString("state"))
                            .append(';');
                } else if (event.getEventType().getName().equals("org.sluice.Failure")) {
                    failures.append(' ')
                            .append(event.getInt("peer"))
                            .append(' ')
                            .append(event.getString("code"))
                            .append(';');
                }
            }
            Say.line("connects" + connects);
            Say.line("failures" + failures);
        } finally {
            recording.close();
            Files.delete(file);
        }
    }
}
