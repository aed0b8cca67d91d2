package org.sluice.bench.across;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.sluice.device.jvm.UpInterfaces;
import org.sluice.device.option.Option;

/**
 * In which networks nodes are to reach each other, as {@code SLUICE_TCP_INTERFACE} says it: names of interfaces of this
 * machine, or {@code 10.1.0.0/16}. IPv4 alone, as not all that is raced knows another.
 */
final class Networks {
    private static final String AUTO = "auto";

    private final List<Network> allowed;

    private record Network(int address, int bits) {
        boolean has(int other) {
            return bits == 0 || (address ^ other) >>> (Integer.SIZE - bits) == 0;
        }
    }

    private Networks(List<Network> allowed) {
        this.allowed = allowed;
    }

    /** @throws IllegalArgumentException where nothing here is called so */
    static Networks parse(String given) throws IOException {
        List<Network> networks = new ArrayList<>();
        if (given == null || given.isBlank() || given.equals(AUTO)) {
            return new Networks(List.of(new Network(0, 0)));
        }
        for (String part : given.split(",")) {
            networks.addAll(networks(part.strip()));
        }
        if (networks.isEmpty()) {
            throw new IllegalArgumentException(Option.TCP_INTERFACE.environmentVariable() + "=" + given
                    + ": this machine has no such interface with an IPv4 address; name one, or a network, as"
                    + " 10.1.0.0/16");
        }
        return new Networks(networks);
    }

    private static List<Network> networks(String part) throws IOException {
        List<Network> found = new ArrayList<>();
        String[] words = part.split("/");
        if (words.length == 2 && words[0].matches("[0-9.]+") && words[1].matches("[0-9]{1,2}")) {
            found.add(new Network(number(InetAddress.getByName(words[0])), Integer.parseInt(words[1])));
            return found;
        }
        for (NetworkInterface each : UpInterfaces.list()) {
            for (InterfaceAddress own : each.getInterfaceAddresses()) {
                if (each.getName().equals(part) && own.getAddress() instanceof Inet4Address) {
                    found.add(new Network(number(own.getAddress()), own.getNetworkPrefixLength()));
                }
            }
        }
        return found;
    }

    private static int number(InetAddress address) {
        return ByteBuffer.wrap(address.getAddress()).getInt();
    }

    boolean have(InetAddress address) {
        return address instanceof Inet4Address && allowed.stream().anyMatch(network -> network.has(number(address)));
    }

    /** Of this machine, at which others may reach it. */
    static List<String> own() throws IOException {
        List<String> addresses = new ArrayList<>();
        for (NetworkInterface each : UpInterfaces.list()) {
            each.getInetAddresses().asIterator().forEachRemaining(address -> {
                if (address instanceof Inet4Address && !address.isLoopbackAddress() && !address.isLinkLocalAddress()) {
                    addresses.add(address.getHostAddress());
                }
            });
        }
        return addresses;
    }
}
