package org.sluice.hybrid.device;

import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.buffer.MemoryOwner;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Registering;

/**
 * Registers what a program asks for with all channels that know of such. <i>Thread</i>: any. <i>Proof</i>:
 * {@code RegisteringRxeTest}.
 */
final class Registrations {
    private Registrations() {}

    static void register(Channel[] channels, Object buffer) {
        // Refuses what is no buffer at all, in the words of the other calls.
        UserBuffer.bytesToSend(buffer, 0, 0);
        Object held = UserBuffer.hold(buffer);
        try {
            Object owner = owner(buffer, held);
            for (Channel channel : channels) {
                Registering registering = channel.registering();
                if (registering != null && !registering.register(owner)) {
                    throw new SluiceException(
                            ErrorCode.NO_MEMORY,
                            -1,
                            "the " + channel.name() + " channel can't register the "
                                    + MemoryOwner.bytes(owner) + " bytes of this "
                                    + buffer.getClass().getSimpleName()
                                    + ": register less, or allow the process to lock more memory (ulimit -l)",
                            null);
                }
            }
        } finally {
            UserBuffer.release(held);
        }
    }

    static void deregister(Channel[] channels, Object buffer) {
        // Refuses what is no buffer at all, in the words of the other calls.
        UserBuffer.bytesToSend(buffer, 0, 0);
        Object held = UserBuffer.hold(buffer);
        try {
            Object owner = owner(buffer, held);
            for (Channel channel : channels) {
                Registering registering = channel.registering();
                if (registering != null) {
                    registering.deregister(owner);
                }
            }
        } finally {
            UserBuffer.release(held);
        }
    }

    private static Object owner(Object buffer, Object held) {
        Object owner = MemoryOwner.of(buffer, held);
        if (owner == null) {
            throw new IllegalArgumentException(UserBuffer.named(buffer) + " has no memory that can be"
                    + " registered; allowed are MessageBuffer, direct ByteBuffer, and Bytes in direct memory");
        }
        return owner;
    }
}
