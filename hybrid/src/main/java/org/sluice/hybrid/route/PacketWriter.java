package org.sluice.hybrid.route;

import org.sluice.device.buffer.MemoryOwner;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Lending;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.Reading;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.RendezvousStart;
import org.sluice.device.memory.Memory;

/** Puts packets for one peer together, in memory that is used again. <i>Thread</i>: under the route's send lock. */
final class PacketWriter {
    private final Channel channel;
    private final Lending lending;
    private final Reading reading;
    private final int peer;
    private final long[] body = new long[PacketKind.CONTROL_BODY_LIMIT / Long.BYTES];
    private final long bodyAddress = Memory.arrayOffset(body);
    /** A piece of a message out of a file, and which; null where there is none. */
    private byte[] piece;

    private SendOperation pieceOf;
    private long pieceAt;

    PacketWriter(Channel channel, Abilities abilities, int peer) {
        this.channel = channel;
        this.lending = abilities.lending;
        this.reading = abilities.reading;
        this.peer = peer;
    }

    /** All return what {@link Channel#trySend} does. */
    int eager(int contextId, int tag, Object base, long address, int bytes) {
        return channel.trySend(peer, PacketKind.EAGER, contextId, tag, base, address, bytes, null);
    }

    /** As {@link Lending#lend}, which the channel has. */
    int lend(SendOperation operation) {
        return lending.lend(
                peer,
                operation.contextId,
                operation.tag,
                MemoryOwner.of(operation.buffer, operation.held),
                operation.address,
                (int) operation.bytes,
                operation.described,
                operation);
    }

    int start(SendOperation operation) {
        RemoteReference reference = operation.described;
        // What was leased for an attempt that found no room serves the next.
        if (reading == null) {
            reference.clear();
        } else if (reference.lease == null) {
            Object owner = operation.base == null ? MemoryOwner.of(operation.buffer, operation.held) : null;
            reading.describe(peer, owner, operation.base, operation.address, operation.bytes, reference);
        }
        body[RendezvousStart.SEND_ID / Long.BYTES] = operation.id;
        body[RendezvousStart.LENGTH / Long.BYTES] = operation.bytes;
        body[RendezvousStart.REFERENCE_KEY / Long.BYTES] = reference.key;
        body[RendezvousStart.REFERENCE_ADDRESS / Long.BYTES] = reference.address;
        // Where the peer is of this JVM, it holds the buffer by this until it has read it, whatever becomes of this
        // device.
        return channel.trySend(
                peer,
                PacketKind.RNDV_START,
                operation.contextId,
                operation.tag,
                body,
                bodyAddress,
                RendezvousStart.BYTES,
                reference.object == null ? operation.buffer : reference.object);
    }

    /**
     * @throws org.sluice.device.buffer.BufferLostException where pages of the program's buffer are gone; nothing was
     *     sent then
     */
    int data(SendOperation operation, int length) {
        return operation.isMapped ? copiedData(operation, length) : plainData(operation, length);
    }

    /**
     * A packet must not be told of before its bytes are known to be there. What found no room is there for the next
     * try.
     */
    private int copiedData(SendOperation operation, int length) {
        if (pieceOf != operation || pieceAt != operation.streamed) {
            piece = piece == null || piece.length < length ? new byte[length] : piece;
            pieceOf = null;
            UserBuffer.copyOut(operation.buffer, operation.address + operation.streamed, piece, length);
            pieceOf = operation;
            pieceAt = operation.streamed;
        }
        int result = channel.trySend(
                peer,
                PacketKind.RNDV_DATA,
                (int) (operation.receiveId >> 32),
                (int) operation.receiveId,
                piece,
                Memory.arrayOffset(piece),
                length,
                null);
        pieceOf = result == Channel.SENT ? null : pieceOf;
        return result;
    }

    private int plainData(SendOperation operation, int length) {
        return channel.trySend(
                peer,
                PacketKind.RNDV_DATA,
                (int) (operation.receiveId >> 32),
                (int) operation.receiveId,
                operation.base,
                operation.address + operation.streamed,
                length,
                null);
    }

    /** Where a message was written to, or with ROUTE_START will be. */
    int slot(int kind, SendOperation operation, long routeId, int slot) {
        body[0] = routeId;
        body[1] = slot;
        body[2] = operation.bytes;
        return channel.trySend(peer, kind, operation.contextId, operation.tag, body, bodyAddress, 3 * Long.BYTES, null);
    }

    int control(int kind, long first, long second, long third, long fourth, long fifth, int bytes) {
        body[0] = first;
        body[1] = second;
        body[2] = third;
        body[3] = fourth;
        body[4] = fifth;
        return channel.trySend(peer, kind, 0, 0, body, bodyAddress, bytes, null);
    }
}
