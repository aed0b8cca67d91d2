package org.sluice.ib;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.ib.wire.Greeting;

/**
 * What a peer needs to know to connect; travels through the job's bootstrap.
 *
 * @param address where the rank listens: 4 or 16 bytes
 * @param process names the device
 * @param secret what a greeting to this rank must say: whoever knows it is of the job
 * @param bodyBytes longest body that its receive slots take
 * @param reads RDMA reads of one connection that it serves at a time, and posts at most
 * @param isSoftRoce whether its device is the kernel's own in software
 */
public record IbFacts(
        int rank, byte[] address, int port, UUID process, UUID secret, int bodyBytes, int reads, boolean isSoftRoce) {
    private static final int LITTLE_ENDIAN = 1;
    private static final int BIG_ENDIAN = 2;

    private static int byteOrder() {
        return java.nio.ByteOrder.nativeOrder() == java.nio.ByteOrder.LITTLE_ENDIAN ? LITTLE_ENDIAN : BIG_ENDIAN;
    }

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(Greeting.VERSION);
            out.writeByte(byteOrder());
            out.writeInt(rank);
            out.writeByte(address.length);
            out.write(address);
            out.writeInt(port);
            out.writeLong(process.getMostSignificantBits());
            out.writeLong(process.getLeastSignificantBits());
            out.writeLong(secret.getMostSignificantBits());
            out.writeLong(secret.getLeastSignificantBits());
            out.writeInt(bodyBytes);
            out.writeInt(reads);
            out.writeBoolean(isSoftRoce);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    static IbFacts decode(int peer, byte[] facts) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(facts))) {
            int version = in.readInt();
            if (version != Greeting.VERSION) {
                throw refused(
                        peer,
                        "rank " + peer + " speaks version " + version + " of the ib protocol and this rank version "
                                + Greeting.VERSION + ": run all ranks with one Sluice",
                        null);
            }
            if (in.readByte() != byteOrder()) {
                throw refused(
                        peer,
                        "rank " + peer
                                + " runs on a machine of the other byte order; the ib channel joins machines of one",
                        null);
            }
            int rank = in.readInt();
            byte[] address = new byte[in.readByte()];
            in.readFully(address);
            IbFacts read = new IbFacts(
                    rank,
                    address,
                    in.readInt(),
                    new UUID(in.readLong(), in.readLong()),
                    new UUID(in.readLong(), in.readLong()),
                    in.readInt(),
                    in.readInt(),
                    in.readBoolean());
            if (rank != peer
                    || address.length != 4 && address.length != 16
                    || read.port <= 0
                    || read.port > 65535
                    || read.reads < 0) {
                throw refused(
                        peer, "what rank " + peer + " published for the ib channel makes no sense: " + read, null);
            }
            return read;
        } catch (IOException | RuntimeException e) {
            if (e instanceof SluiceException) {
                throw (SluiceException) e;
            }
            throw refused(
                    peer,
                    "what rank " + peer + " published for the ib channel (" + facts.length + " bytes) can't be read: "
                            + e,
                    e);
        }
    }

    private static SluiceException refused(int peer, String text, Throwable cause) {
        return new SluiceException(ErrorCode.OPEN_FAILED, peer, text, cause);
    }

    /** Where the rank listens, for messages. */
    public String where() {
        return host() + " port " + port;
    }

    String host() {
        try {
            return InetAddress.getByAddress(address).getHostAddress();
        } catch (UnknownHostException e) {
            return "an address of " + address.length + " bytes";
        }
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "IbFacts[rank " + rank + " at " + where() + ", " + process + ", bodies up to " + bodyBytes
                + (isSoftRoce ? ", SoftRoCE" : "") + "]";
    }
}
