package org.sluice.ib.adapter;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * What the options ask of an address: whose device and port it is, which place of the address table and which partition
 * the connection manager takes for it, and that the port carries packets as long as was asked for. The connection
 * manager lets none of these be chosen for an address, so an address is chosen by them.
 *
 * <p><i>Thread</i>: any. <i>Fails</i>: OPEN_FAILED for an option that can't be read. <i>Proof</i>:
 * {@code PathWishesTest}, {@code PathRxeTest}.
 */
final class PathWishes {
    private static final String ANY = "auto";
    private static final int NAME_BYTES = 256;
    private static final int GID_BYTES = 16;
    /** Above it stands whether the member is a full one. */
    private static final int PARTITION = 0x7FFF;

    private static final int PKEY_LIMIT = 0xFFFF;
    /** Of those that a table has, messages name so many. */
    private static final int MOST_NAMED = 16;

    private final VerbsCalls verbs;
    private final String device;
    private final int gid;
    private final String pkeyText;
    private final int pkey;
    private final String mtu;

    PathWishes(VerbsCalls verbs, Options options) {
        this.verbs = verbs;
        device = options.text(Option.IB_DEVICE);
        gid = options.count(Option.IB_GID);
        pkeyText = options.text(Option.IB_PKEY);
        pkey = pkeyText.equals(ANY) ? -1 : readPkey(pkeyText);
        mtu = options.text(Option.IB_MTU);
    }

    private static int readPkey(String text) {
        try {
            int value = Integer.decode(text);
            if (value >= 0 && value <= PKEY_LIMIT && (value & PARTITION) != 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            // As one that is out of range.
        }
        throw new SluiceException(
                ErrorCode.OPEN_FAILED,
                -1,
                Option.IB_PKEY.property() + " = '" + text
                        + "' is no partition key; allowed is auto, or 0x0001 to 0x7fff with or without 0x8000, such as"
                        + " 0x8001",
                null);
    }

    /** Why an id that is bound to a device's address won't do, or null. */
    String fault(long id) {
        long context = verbs.cmContext(id);
        int port = verbs.cmPort(id);
        long[] facts = new long[VerbsCalls.PORT_FIELDS];
        int result = verbs.queryPort(context, port, facts);
        if (result < 0) {
            return VerbsFailure.describe("ibv_query_port", result);
        }
        String reason = deviceFault(context, port);
        if (reason == null && facts[VerbsCalls.PORT_STATE] != VerbsCalls.PORT_STATE_ACTIVE) {
            reason = "its port is not active (state " + facts[VerbsCalls.PORT_STATE] + ")";
        }
        if (reason == null && !mtu.equals(ANY) && Long.parseLong(mtu) > facts[VerbsCalls.PORT_ACTIVE_MTU_BYTES]) {
            reason = "its port carries packets of " + facts[VerbsCalls.PORT_ACTIVE_MTU_BYTES] + " bytes at most, and "
                    + Option.IB_MTU.property() + " is " + mtu
                    + ": take less, or auto; on Ethernet a larger MTU of the network interface allows more";
        }
        long[] own = new long[VerbsCalls.CM_GID_FIELDS];
        result = verbs.cmGid(id, own);
        if (reason == null && result < 0) {
            reason = VerbsFailure.describe("rdma_bind_addr", result);
        }
        if (reason == null && gid >= 0) {
            reason = gidFault(context, port, (int) facts[VerbsCalls.PORT_GIDS], own);
        }
        if (reason == null && pkey >= 0) {
            reason = pkeyFault(context, port, facts[VerbsCalls.PORT_LINK_LAYER] == VerbsCalls.LINK_LAYER_ETHERNET, own);
        }
        return reason;
    }

    private String deviceFault(long context, int port) {
        if (device.equals(ANY)) {
            return null;
        }
        byte[] bytes = new byte[NAME_BYTES];
        int length = verbs.deviceName(context, bytes);
        if (length < 0) {
            return VerbsFailure.describe("ibv_get_device_name", length);
        }
        String name = new String(bytes, 0, Math.min(length, bytes.length), StandardCharsets.UTF_8);
        return device.equals(name) || device.equals(name + ":" + port)
                ? null
                : "it is of " + name + ":" + port + ", and " + Option.IB_DEVICE.property() + " is " + device;
    }

    private String gidFault(long context, int port, int entries, long[] own) {
        long[] entry = new long[VerbsCalls.GID_FIELDS];
        int result = gid < entries ? verbs.queryGid(context, port, gid, entry) : -Errno.ENODATA;
        if (result < 0 && result != -Errno.ENODATA) {
            return VerbsFailure.describe("ibv_query_gid", result);
        }
        boolean isSame = result == 0 && isOf(entry, own);
        if (isSame
                && (entry[VerbsCalls.GID_TYPE] != VerbsCalls.GID_TYPE_ROCE_V1
                        || !hasVersion2(context, port, entries, own))) {
            return null;
        }
        return (isSame
                        ? "place " + gid + " of its port (" + Option.IB_GID.property()
                                + ") is RoCE v1, and the connection manager takes version 2"
                        : "it doesn't stand at place " + gid + " of its port's address table ("
                                + Option.IB_GID.property() + ")")
                + "; there are " + gids(context, port, entries);
    }

    private static boolean isOf(long[] entry, long[] own) {
        return entry[VerbsCalls.GID_HIGH] == own[VerbsCalls.CM_GID_HIGH]
                && entry[VerbsCalls.GID_LOW] == own[VerbsCalls.CM_GID_LOW];
    }

    private boolean hasVersion2(long context, int port, int entries, long[] own) {
        long[] entry = new long[VerbsCalls.GID_FIELDS];
        for (int index = 0; index < entries; index++) {
            if (verbs.queryGid(context, port, index, entry) == 0
                    && isOf(entry, own)
                    && entry[VerbsCalls.GID_TYPE] == VerbsCalls.GID_TYPE_ROCE_V2) {
                return true;
            }
        }
        return false;
    }

    private String gids(long context, int port, int entries) {
        List<String> found = new ArrayList<>();
        long[] entry = new long[VerbsCalls.GID_FIELDS];
        for (int index = 0; index < entries && found.size() < MOST_NAMED; index++) {
            if (verbs.queryGid(context, port, index, entry) == 0) {
                found.add(index + ": " + address(entry[VerbsCalls.GID_HIGH], entry[VerbsCalls.GID_LOW]) + " ("
                        + typeName(entry[VerbsCalls.GID_TYPE]) + ")");
            }
        }
        return found.isEmpty() ? "none" : String.join(", ", found);
    }

    static String typeName(long type) {
        return type == VerbsCalls.GID_TYPE_ROCE_V2
                ? "RoCE v2"
                : type == VerbsCalls.GID_TYPE_ROCE_V1 ? "RoCE v1" : "InfiniBand";
    }

    private static String address(long high, long low) {
        try {
            // Of IPv4 the address alone: Java takes it out of its place.
            return InetAddress.getByAddress(ByteBuffer.allocate(GID_BYTES)
                            .putLong(high)
                            .putLong(low)
                            .array())
                    .getHostAddress();
        } catch (UnknownHostException e) {
            return Long.toHexString(high) + " " + Long.toHexString(low);
        }
    }

    /** RoCE has one partition, which the connection manager doesn't tell. */
    private String pkeyFault(long context, int port, boolean isEthernet, long[] own) {
        int found = isEthernet ? verbs.queryPkey(context, port, 0) : (int) own[VerbsCalls.CM_GID_PKEY];
        if (found < 0) {
            return VerbsFailure.describe("ibv_query_pkey", found);
        }
        if ((found & PARTITION) == (pkey & PARTITION)) {
            return null;
        }
        List<String> there = new ArrayList<>();
        for (int index = 0; there.size() < MOST_NAMED; index++) {
            int each = verbs.queryPkey(context, port, index);
            if (each < 0) {
                break;
            }
            if ((each & PARTITION) != 0) {
                there.add(hex(each));
            }
        }
        return "it is in the partition " + hex(found) + ", and " + Option.IB_PKEY.property() + " is " + pkeyText
                + "; its port is in "
                + String.join(", ", there)
                + (isEthernet
                        ? " (over Ethernet there is no other)"
                        : ": each needs an interface of its own (IP over IB, such as ib0.8001) with an address");
    }

    private static String hex(int key) {
        return String.format("0x%04x", key);
    }
}
