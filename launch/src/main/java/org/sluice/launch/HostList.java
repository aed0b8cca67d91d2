package org.sluice.launch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The machines of a job, in the order in which ranks go to them, and how many ranks each takes. Immutable.
 *
 * <p><i>Fails</i>: {@link IllegalArgumentException} with what was given, where, and what is allowed. <i>Proof</i>:
 * {@code HostListTest}.
 */
public final class HostList {
    /**
     * A name or an address as ssh takes it, perhaps with a user in front. What begins with a dash would be an option.
     */
    private static final Pattern NAME =
            Pattern.compile("([A-Za-z0-9_][A-Za-z0-9_.-]*@)?([A-Za-z0-9_][A-Za-z0-9_.-]*|[0-9A-Fa-f:.%a-z]+)");

    private static final Pattern WITH_SLOTS = Pattern.compile("([^:]+|\\[[^\\]]*\\]):([0-9]+)");
    private static final Path OWN_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final int MOST_SLOTS = 1 << 20;
    /** That of a machine of which nothing is said: an even share of what the others leave. */
    private static final int SHARE = 0;

    /** Slots by name, in order. */
    private final Map<String, Integer> hosts;

    private final String source;

    /** Ranks {@code firstRank} to {@code firstRank + ranks - 1} go to that machine. */
    record Share(String host, int firstRank, int ranks) {
        boolean isHere() {
            return HostList.isHere(host);
        }
    }

    private HostList(Map<String, Integer> hosts, String source) {
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException(source + " names no machine; a line is a name, or name slots=N");
        }
        this.hosts = hosts;
        this.source = source;
    }

    /**
     * Lines as {@code node1}, {@code node1 slots=4} or {@code node1:4}; what is behind a {@code #} is a comment. Of a
     * machine that is named again the slots add up; where one is named again without slots, each line is one.
     */
    public static HostList ofFile(Path file) {
        Map<String, Integer> hosts = new LinkedHashMap<>();
        String option = "--hosts " + file;
        try {
            int number = 0;
            for (String line : Files.readAllLines(file)) {
                number++;
                String text = line.split("#", 2)[0].strip();
                if (!text.isEmpty()) {
                    add(hosts, text.split("\\s+"), option + ", line " + number);
                }
            }
        } catch (MalformedInputException e) {
            throw new IllegalArgumentException(option + " is no text file", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(option + " can't be read: " + e, e);
        }
        return new HostList(hosts, option);
    }

    /** As {@code a:4,b:4}; a machine without a number takes an even share of what the others leave. */
    public static HostList ofWords(String words) {
        Map<String, Integer> hosts = new LinkedHashMap<>();
        for (String word : words.split(",", -1)) {
            add(hosts, new String[] {word.strip()}, "--host " + words);
        }
        return new HostList(hosts, "--host " + words);
    }

    private static void add(Map<String, Integer> hosts, String[] words, String where) {
        String name = words[0];
        int slots = SHARE;
        Matcher withSlots = WITH_SLOTS.matcher(name);
        if (withSlots.matches()) {
            name = withSlots.group(1);
            slots = slots(withSlots.group(2), where);
        }
        if (name.startsWith("[") && name.endsWith("]")) {
            name = name.substring(1, name.length() - 1);
        }
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(where + ": '" + words[0]
                    + "' is no machine: a name or an address is allowed, perhaps user@ in front of it");
        }
        for (int i = 1; i < words.length; i++) {
            if (words[i].startsWith("slots=")) {
                slots = slots(words[i].substring("slots=".length()), where);
            } else if (!words[i].startsWith("max_slots=") && !words[i].startsWith("max-slots=")) {
                throw new IllegalArgumentException(where + ": '" + words[i] + "' behind " + name
                        + ": slots=N is allowed, the ranks that it takes");
            }
        }
        if (slots == SHARE && hosts.containsKey(name)) {
            // As batch systems write it, with a line for each rank.
            hosts.replaceAll((each, old) -> old == SHARE ? 1 : old);
            slots = 1;
        }
        hosts.merge(name, slots, (old, added) -> old == SHARE ? added : old + added);
    }

    private static int slots(String text, String where) {
        if (!text.matches("[0-9]{1,7}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MOST_SLOTS) {
            throw new IllegalArgumentException(
                    where + ": slots are '" + text + "'; 1 to " + MOST_SLOTS + " are allowed");
        }
        return Integer.parseInt(text);
    }

    /**
     * Neighbouring ranks go to one machine. Machines of which slots are said are filled; those without share the rest
     * evenly, the first of them one more where it does not divide. Who gets none is left out.
     */
    List<Share> shares(int ranks) {
        long said = hosts.values().stream().mapToLong(Integer::longValue).sum();
        int sharing =
                (int) hosts.values().stream().filter(slots -> slots == SHARE).count();
        if (sharing == 0 && said < ranks) {
            throw new IllegalArgumentException(source + " has room for " + said + " ranks, and -n is " + ranks
                    + ": give more slots, more machines, or leave the slots out, and ranks are spread evenly");
        }
        int rest = (int) Math.max(0, ranks - said);
        int left = ranks;
        int share = 0;
        List<Share> shares = new ArrayList<>();
        for (Map.Entry<String, Integer> host : hosts.entrySet()) {
            int count = host.getValue();
            if (count == SHARE) {
                count = rest / sharing + (share++ < rest % sharing ? 1 : 0);
            }
            count = Math.min(count, left);
            if (count > 0) {
                shares.add(new Share(host.getKey(), ranks - left, count));
                left -= count;
            }
        }
        return shares;
    }

    /** Whether that is this machine, by its own name or an address of it. */
    static boolean isHere(String host) {
        try {
            if (host.equalsIgnoreCase(Files.readString(OWN_NAME).strip())) {
                return true;
            }
            for (InetAddress address : InetAddress.getAllByName(host)) {
                if (address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null) {
                    return true;
                }
            }
            return false;
        } catch (UnknownHostException e) {
            // A name that only ssh knows, from its configuration.
            return false;
        } catch (IOException e) {
            return false;
        }
    }
}
