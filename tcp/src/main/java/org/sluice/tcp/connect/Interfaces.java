package org.sluice.tcp.connect;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.jvm.UpInterfaces;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * Addresses of this machine that peers may connect to. Names of hosts are not asked: what they resolve to on the
 * machine itself is often of no use to others. Immutable.
 *
 * <p><i>Proof</i>: {@code InterfacesTest}.
 */
public final class Interfaces {
    private static final int MOST = 8;

    private final List<Own> chosen;

    /** One address of this machine. */
    record Own(InetAddress address, int prefix, String name) {}

    private Interfaces(List<Own> chosen) {
        this.chosen = chosen;
    }

    /** @throws SluiceException OPEN_FAILED where nothing here is as the option says, and with what there is */
    public static Interfaces of(Options options) {
        return of(options.text(Option.TCP_INTERFACE), options.origin(Option.TCP_INTERFACE), machine());
    }

    static Interfaces of(String wish, String origin, List<Own> there) {
        List<Own> found = new ArrayList<>();
        if (wish.equals(Option.AUTO)) {
            for (Own each : there) {
                if (!each.address().isLoopbackAddress()) {
                    found.add(each);
                }
            }
            // A machine without a network: ranks of it alone.
            found = found.isEmpty() ? there : found;
        } else {
            for (String word : wish.split(",")) {
                for (Own each : there) {
                    if (is(word.trim(), each) && !found.contains(each)) {
                        found.add(each);
                    }
                }
            }
        }
        if (found.isEmpty()) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    -1,
                    Option.TCP_INTERFACE.property() + " = '" + wish + "' (" + origin
                            + "): "
                            + (there.isEmpty()
                                    ? "no network interface of this machine is up"
                                    : "this machine has no such interface; it has " + text(there)),
                    null);
        }
        return new Interfaces(List.copyOf(found.subList(0, Math.min(MOST, found.size()))));
    }

    private static boolean is(String word, Own own) {
        if (word.equals(own.name())) {
            return true;
        }
        int slash = word.indexOf('/');
        String address = slash < 0 ? word : word.substring(0, slash);
        if (!address.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
            return false;
        }
        try {
            // Digits only: no name is looked up.
            InetAddress net = InetAddress.getByName(address);
            int bits = slash < 0 ? 8 * net.getAddress().length : Integer.parseInt(word.substring(slash + 1));
            return isInside(net.getAddress(), bits, own.address().getAddress());
        } catch (UnknownHostException | NumberFormatException e) {
            return false;
        }
    }

    private static boolean isInside(byte[] net, int bits, byte[] address) {
        if (net.length != address.length || bits < 0 || bits > 8 * net.length) {
            return false;
        }
        for (int i = 0; i < bits; i++) {
            int mask = 0x80 >> i % 8;
            if ((net[i / 8] & mask) != (address[i / 8] & mask)) {
                return false;
            }
        }
        return true;
    }

    /** All that are up, IPv4 first; addresses that are good on one link alone are of no use without its name. */
    private static List<Own> machine() {
        try {
            List<Own> four = new ArrayList<>();
            List<Own> six = new ArrayList<>();
            for (NetworkInterface each : UpInterfaces.list()) {
                for (InterfaceAddress at : each.getInterfaceAddresses()) {
                    InetAddress address = at.getAddress();
                    if (!address.isLinkLocalAddress()) {
                        (address.getAddress().length == 4 ? four : six)
                                .add(new Own(address, at.getNetworkPrefixLength(), each.getName()));
                    }
                }
            }
            four.addAll(six);
            return four;
        } catch (IOException e) {
            // What Java says of a machine that has none, or on which all are down.
            return List.of();
        }
    }

    /** Where to listen, at a port that the kernel chooses. */
    InetSocketAddress listenAt() {
        return chosen.size() == 1 ? new InetSocketAddress(chosen.get(0).address(), 0) : new InetSocketAddress(0);
    }

    public List<InetAddress> addresses() {
        List<InetAddress> addresses = new ArrayList<>();
        for (Own each : chosen) {
            addresses.add(each.address());
        }
        return addresses;
    }

    /** A peer's addresses in the order in which to try them: first those of a network that this machine is in. */
    public List<InetAddress> order(List<InetAddress> theirs) {
        List<InetAddress> near = new ArrayList<>();
        List<InetAddress> far = new ArrayList<>();
        List<InetAddress> same = new ArrayList<>();
        for (InetAddress each : theirs) {
            boolean isNear = false;
            boolean isOwn = false;
            for (Own own : chosen) {
                isNear |= isInside(own.address().getAddress(), own.prefix(), each.getAddress());
                isOwn |= own.address().equals(each);
            }
            // The same address on both: ranks of one machine, or a bridge that each machine has for itself.
            (isOwn ? same : isNear ? near : far).add(each);
        }
        near.addAll(far);
        near.addAll(same);
        return near;
    }

    private static String text(List<Own> all) {
        StringBuilder text = new StringBuilder();
        for (Own each : all) {
            text.append(text.length() == 0 ? "" : ", ")
                    .append(each.name())
                    .append(' ')
                    .append(each.address().getHostAddress())
                    .append('/')
                    .append(each.prefix());
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return text(chosen);
    }
}
