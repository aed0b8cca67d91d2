package org.sluice.shm.segment;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.shm.ring.RingSize;

/**
 * What a peer needs to know to open a segment and to be sure that it is the right one; travels through the job's
 * bootstrap.
 *
 * @param device of the file system, with {@code inode} the file's identity
 * @param peers ranks in the order of their rings
 * @param pid for kernel-assisted copy: whoever finds {@code probeValue} at {@code probeAddress} of this process can
 *     read it
 */
record SegmentFacts(
        int rank,
        String path,
        long device,
        long inode,
        long uid,
        UUID nonce,
        SegmentLayout layout,
        int[] peers,
        int pid,
        long probeAddress,
        long probeValue) {

    private static final int NO_DESCRIPTOR = -1;

    /** What leads to a segment without a name. */
    static String pathOf(int pid, int descriptor) {
        return "/proc/" + pid + "/fd/" + descriptor;
    }

    /** Under which number its owner has it open, where that is all that leads to it; below 0 for one with a name. */
    int descriptor() {
        int digits = path.lastIndexOf('/') + 1;
        if (!path.startsWith("/proc/")) {
            return NO_DESCRIPTOR;
        }
        try {
            int number = Integer.parseInt(path.substring(digits));
            // Nothing but what an owner writes: not of another process, nor a number with a sign.
            return pid > 0 && number >= 0 && path.equals(pathOf(pid, number)) ? number : NO_DESCRIPTOR;
        } catch (NumberFormatException e) {
            return NO_DESCRIPTOR;
        }
    }

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(SegmentLayout.PROTOCOL_VERSION);
            out.writeInt(rank);
            out.writeUTF(path);
            out.writeLong(device);
            out.writeLong(inode);
            out.writeLong(uid);
            out.writeLong(nonce.getMostSignificantBits());
            out.writeLong(nonce.getLeastSignificantBits());
            out.writeInt(layout.size().cells());
            out.writeInt(layout.size().payloadBytes());
            RankRuns.write(out, peers);
            out.writeInt(pid);
            out.writeLong(probeAddress);
            out.writeLong(probeValue);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    static SegmentFacts decode(int peer, byte[] facts) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(facts))) {
            int version = in.readInt();
            if (version != SegmentLayout.PROTOCOL_VERSION) {
                throw new SluiceException(
                        ErrorCode.OPEN_FAILED,
                        peer,
                        "rank " + peer + " speaks version " + version
                                + " of the segment protocol and this rank version " + SegmentLayout.PROTOCOL_VERSION
                                + ": run all ranks with one Sluice",
                        null);
            }
            int rank = in.readInt();
            String path = in.readUTF();
            long device = in.readLong();
            long inode = in.readLong();
            long uid = in.readLong();
            UUID nonce = new UUID(in.readLong(), in.readLong());
            RingSize size = new RingSize(in.readInt(), in.readInt());
            int[] peers = RankRuns.read(in);
            return new SegmentFacts(
                    rank,
                    path,
                    device,
                    inode,
                    uid,
                    nonce,
                    new SegmentLayout(size, peers.length),
                    peers,
                    in.readInt(),
                    in.readLong(),
                    in.readLong());
        } catch (IOException | IllegalArgumentException e) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    peer,
                    "the facts of rank " + peer + "'s segment (" + facts.length + " bytes) can't be read: " + e,
                    e);
        }
    }

    /** Which ring of this segment belongs to a rank, or -1. */
    int slot(int ofRank) {
        for (int slot = 0; slot < peers.length; slot++) {
            if (peers[slot] == ofRank) {
                return slot;
            }
        }
        return -1;
    }
}
