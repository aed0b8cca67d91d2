package org.sluice.tcp;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.tcp.connect.PeerAddress;
import org.sluice.tcp.tls.Identity;

/**
 * What a peer needs to know to connect; travels through the job's bootstrap. Big-endian.
 *
 * <pre>
 *   version 4 | byte order 1 | rank 4 | count of addresses 1 | each: length 1, address | port 4 | secret 32
 *   1 with TLS, 0 without | fingerprint of its certificate 32, with TLS
 * </pre>
 */
final class TcpFacts {
    static final int SECRET_BYTES = 32;

    private static final int VERSION = 2;
    private static final int LITTLE_ENDIAN = 1;
    private static final int BIG_ENDIAN = 2;

    private TcpFacts() {}

    private static int byteOrder() {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? LITTLE_ENDIAN : BIG_ENDIAN;
    }

    static byte[] encode(PeerAddress own) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(VERSION);
            out.writeByte(byteOrder());
            out.writeInt(own.rank());
            out.writeByte(own.addresses().size());
            for (InetAddress each : own.addresses()) {
                out.writeByte(each.getAddress().length);
                out.write(each.getAddress());
            }
            out.writeInt(own.port());
            out.write(own.secret());
            out.writeBoolean(own.hasTls());
            if (own.hasTls()) {
                out.write(own.certificate());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    static PeerAddress decode(int peer, byte[] facts) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(facts))) {
            int version = in.readInt();
            if (version != VERSION) {
                throw refused(
                        peer,
                        "rank " + peer + " speaks version " + version + " of the tcp protocol and this rank version "
                                + VERSION + ": run all ranks with one Sluice",
                        null);
            }
            if (in.readByte() != byteOrder()) {
                throw refused(
                        peer,
                        "rank " + peer + " runs on a machine of the other byte order; the tcp channel joins machines"
                                + " of one",
                        null);
            }
            int rank = in.readInt();
            List<InetAddress> addresses = new ArrayList<>();
            for (int left = in.readByte(); left > 0; left--) {
                byte[] address = new byte[in.readByte()];
                in.readFully(address);
                addresses.add(InetAddress.getByAddress(address));
            }
            int port = in.readInt();
            byte[] secret = new byte[SECRET_BYTES];
            in.readFully(secret);
            byte[] certificate = in.readBoolean() ? new byte[Identity.FINGERPRINT_BYTES] : null;
            if (certificate != null) {
                in.readFully(certificate);
            }
            PeerAddress read = new PeerAddress(rank, addresses, port, secret, certificate);
            if (rank != peer || addresses.isEmpty() || port <= 0 || port > 65535 || in.read() >= 0) {
                throw refused(
                        peer, "what rank " + peer + " published for the tcp channel makes no sense: " + read, null);
            }
            return read;
        } catch (IOException | RuntimeException e) {
            if (e instanceof SluiceException) {
                throw (SluiceException) e;
            }
            throw refused(peer, "what rank " + peer + " published for the tcp channel can't be read: " + e, e);
        }
    }

    private static SluiceException refused(int peer, String text, Throwable cause) {
        return new SluiceException(ErrorCode.OPEN_FAILED, peer, text, cause);
    }
}
