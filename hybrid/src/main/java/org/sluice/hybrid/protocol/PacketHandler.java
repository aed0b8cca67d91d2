package org.sluice.hybrid.protocol;

import org.sluice.device.ErrorCode;
import org.sluice.device.channel.ChannelListener;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.RendezvousStart;
import org.sluice.device.layer.LayerNotice;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.operation.ReceiveOperation;
import org.sluice.hybrid.persistent.InboundSlots;
import org.sluice.hybrid.persistent.PersistentRoutes;
import org.sluice.hybrid.receive.Delivery;
import org.sluice.hybrid.receive.Receiver;
import org.sluice.hybrid.receive.StoredMessage;
import org.sluice.hybrid.receive.StoredMessages;
import org.sluice.hybrid.rendezvous.RendezvousReceiver;
import org.sluice.hybrid.rendezvous.RendezvousSender;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.Locality;
import org.sluice.hybrid.route.OutboundSlots;
import org.sluice.hybrid.route.Route;
import org.sluice.hybrid.route.SendOperation;

/**
 * Reads packets, checks what they say before anybody believes it, and hands them on.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Fails</i>: a peer whose packet makes no sense is cut off. <i>Proof</i>:
 * {@code HostilePacketsTest}.
 */
final class PacketHandler implements ChannelListener {
    static final int NOTICE_BYTES = 5 * Long.BYTES;
    private static final int WRITTEN_BYTES = 2 * Long.BYTES;
    private static final int ROUTE_DATA_BYTES = 3 * Long.BYTES;

    private final Exchange exchange;
    private final Receiver receiver;
    private final Delivery delivery;
    private final RendezvousReceiver rendezvous;
    private final RendezvousSender sender;
    private final PersistentRoutes persistent;
    private final Route[] routes;

    PacketHandler(
            Exchange exchange,
            Receiver receiver,
            RendezvousReceiver rendezvous,
            RendezvousSender sender,
            PersistentRoutes persistent,
            Route[] routes) {
        this.exchange = exchange;
        this.receiver = receiver;
        this.delivery = receiver.delivery;
        this.rendezvous = rendezvous;
        this.sender = sender;
        this.persistent = persistent;
        this.routes = routes;
    }

    @Override
    public void onPacket(int peer, int kind, int contextId, int tag, long address, int bytes, Object reference) {
        // By itself and first: small enough to be compiled into the poll.
        if (kind == PacketKind.EAGER && bytes <= StoredMessages.LONGEST_BYTES && tag >= 0) {
            receiver.onEager(contextId, peer, tag, address, bytes);
        } else {
            onOther(peer, kind, contextId, tag, address, bytes, reference);
        }
    }

    private void onOther(int peer, int kind, int contextId, int tag, long address, int bytes, Object reference) {
        switch (kind) {
            case PacketKind.EAGER:
                exchange.corrupt(peer, "EAGER of " + bytes + " bytes with tag " + tag);
                break;
            case PacketKind.RNDV_DATA:
                rendezvous.onData(peer, (long) contextId << 32 | tag & 0xFFFFFFFFL, address, bytes);
                break;
            case PacketKind.RNDV_START:
                if (isLong(peer, kind, bytes, RendezvousStart.BYTES)) {
                    start(contextId, peer, tag, address, reference);
                }
                break;
            case PacketKind.RNDV_REPLY:
                onReply(peer, address, bytes);
                break;
            case PacketKind.RNDV_END:
                if (bytes == WRITTEN_BYTES) {
                    rendezvous.onWritten(peer, Memory.getLong(address), Memory.getLong(address + 8));
                } else if (isLong(peer, kind, bytes, Long.BYTES)) {
                    sender.onEnd(peer, Memory.getLong(address));
                }
                break;
            case PacketKind.ROUTE_DATA:
            case PacketKind.ROUTE_START:
                if (isLong(peer, kind, bytes, ROUTE_DATA_BYTES)) {
                    onSlot(peer, kind, contextId, tag, address);
                }
                break;
            case PacketKind.ROUTE_END:
                if (isLong(peer, kind, bytes, ROUTE_DATA_BYTES)) {
                    onSlotEnd(peer, address);
                }
                break;
            case PacketKind.ROUTE_OPEN:
            case PacketKind.ROUTE_READY:
            case PacketKind.ROUTE_RELEASE:
            case PacketKind.ROUTE_CLOSE:
            case PacketKind.ROUTE_CLOSED:
                if (isLong(peer, kind, bytes, routeBytes(kind))) {
                    persistent.onPacket(peer, kind, address);
                }
                break;
            default:
                onNews(peer, kind, address, bytes);
        }
    }

    private void onReply(int peer, long address, int bytes) {
        if (bytes == RendezvousReceiver.OFFER_BYTES) {
            sender.onReply(
                    peer,
                    Memory.getLong(address),
                    Memory.getLong(address + 8),
                    Memory.getLong(address + 16),
                    Memory.getLong(address + 24),
                    Memory.getLong(address + 32));
        } else if (bytes == RendezvousReceiver.REST_BYTES) {
            sender.onRest(
                    peer,
                    Memory.getLong(address),
                    Memory.getLong(address + 8),
                    Memory.getLong(address + 16),
                    Memory.getLong(address + 24));
        } else if (isLong(peer, PacketKind.RNDV_REPLY, bytes, RendezvousReceiver.REPLY_BYTES)) {
            sender.onReply(
                    peer,
                    Memory.getLong(address),
                    Memory.getLong(address + 8),
                    Memory.getLong(address + 16),
                    RemoteReference.NO_REFERENCE,
                    0);
        }
    }

    /** What is told of without an envelope and bytes. */
    private void onNews(int peer, int kind, long address, int bytes) {
        switch (kind) {
            case PacketKind.RNDV_CANCEL:
                if (isLong(peer, kind, bytes, Long.BYTES)) {
                    receiver.withdraw(peer, Memory.getLong(address));
                }
                break;
            case PacketKind.RNDV_WITHDRAWN:
                if (isLong(peer, kind, bytes, Long.BYTES)) {
                    sender.onWithdrawn(peer, Memory.getLong(address));
                }
                break;
            case PacketKind.RELEASE:
                if (isLong(peer, kind, bytes, Long.BYTES)) {
                    String wrong = routes[peer].onRelease(Memory.getLong(address));
                    if (wrong != null) {
                        exchange.corrupt(peer, wrong);
                    }
                }
                break;
            case PacketKind.LAYER_NOTICE:
                if (isLong(peer, kind, bytes, NOTICE_BYTES)) {
                    exchange.noticed(
                            peer,
                            new LayerNotice(
                                    Memory.getLong(address),
                                    Memory.getLong(address + 8),
                                    Memory.getLong(address + 16),
                                    Memory.getLong(address + 24),
                                    Memory.getLong(address + 32)));
                }
                break;
            case PacketKind.CLOSE:
                onClose(peer, address, bytes);
                break;
            default:
                exchange.corrupt(peer, "a packet of " + PacketKind.name(kind));
        }
    }

    private void onClose(int peer, long address, int bytes) {
        if (bytes == 0) {
            onPeerClosed(peer);
        } else if (isLong(peer, PacketKind.CLOSE, bytes, Farewell.BYTES)) {
            exchange.peerFailed(Failure.ofPeersDevice(
                    peer,
                    "rank " + peer
                            + (Memory.getLong(address) == Farewell.ENDED_OPEN
                                    ? " has ended without closing its device"
                                    : " takes no part any more: its device failed, and its own output or"
                                            + " exception says of what")));
        }
    }

    private void start(int contextId, int peer, int tag, long address, Object reference) {
        long length = Memory.getLong(address + RendezvousStart.LENGTH);
        if (length < 0 || tag < 0) {
            exchange.corrupt(peer, "RNDV_START of " + length + " bytes with tag " + tag);
            return;
        }
        StoredMessage message = delivery.store.rendezvous(contextId, peer, tag, length);
        message.sendId = Memory.getLong(address + RendezvousStart.SEND_ID);
        message.reference.set(
                Memory.getLong(address + RendezvousStart.REFERENCE_KEY),
                Memory.getLong(address + RendezvousStart.REFERENCE_ADDRESS),
                reference);
        if (delivery.isLost(peer)) {
            // Else it would be a message of no bytes.
            delivery.giveBack(message);
            return;
        }
        receiver.onStart(contextId, peer, tag, message);
    }

    private void onSlot(int peer, int kind, int contextId, int tag, long address) {
        if (tag < 0) {
            exchange.corrupt(peer, PacketKind.name(kind) + " with tag " + tag);
            return;
        }
        long slot = Memory.getLong(address + 8);
        long length = Memory.getLong(address + 16);
        InboundSlots slots = persistent.onData(peer, kind, Memory.getLong(address), slot, length);
        if (slots != null) {
            receiver.onStart(
                    contextId, peer, tag, delivery.store.inSlot(contextId, peer, tag, length, slots, (int) slot));
        }
    }

    private void onSlotEnd(int peer, long address) {
        long slot = Memory.getLong(address + 8);
        InboundSlots slots = persistent.onEnd(peer, Memory.getLong(address), slot, Memory.getLong(address + 16));
        if (slots != null) {
            receiver.onSlotEnd(peer, slots, (int) slot);
        }
    }

    private static int routeBytes(int kind) {
        return kind == PacketKind.ROUTE_OPEN
                ? 3 * Long.BYTES
                : kind == PacketKind.ROUTE_READY
                        ? 4 * Long.BYTES
                        : kind == PacketKind.ROUTE_RELEASE ? 2 * Long.BYTES : Long.BYTES;
    }

    private boolean isLong(int peer, int kind, int bytes, int expected) {
        if (bytes != expected) {
            exchange.corrupt(peer, PacketKind.name(kind) + " of " + bytes + " bytes instead of " + expected);
            return false;
        }
        return true;
    }

    @Override
    public void onGetDone(Object ticket, boolean ok) {
        rendezvous.onGetDone((ReceiveOperation) ticket, ok);
    }

    @Override
    public void onPutDone(Object ticket, boolean ok) {
        if (ticket instanceof OutboundSlots.Slot) {
            persistent.onWritten((OutboundSlots.Slot) ticket, ok);
        } else {
            sender.onPutDone((SendOperation) ticket, ok);
        }
    }

    @Override
    public void onLentBack(Object ticket, boolean ok) {
        // What may not have arrived ends with the peer's failure, which follows.
        if (ok) {
            SendOperation operation = (SendOperation) ticket;
            Route route = routes[operation.peer];
            route.loans().back(operation);
            exchange.endSend(route, operation, route.failure());
        }
    }

    @Override
    public void onPeerClosed(int peer) {
        exchange.peerFailed(new Failure(ErrorCode.PEER_CLOSED, peer, "rank " + peer + " has closed its device"));
    }

    @Override
    public void onPeerFailed(int peer, boolean corrupt, String reason) {
        if (corrupt) {
            exchange.corrupt(peer, reason);
        } else if (routes[peer].locality() == Locality.SAME_JVM) {
            exchange.peerFailed(Failure.ofPeersDevice(peer, "rank " + peer + " died: " + reason));
        } else {
            exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, peer, "rank " + peer + " died: " + reason));
        }
    }
}
