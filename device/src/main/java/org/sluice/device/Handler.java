package org.sluice.device;

/**
 * What a program does with each message that is sent to it by {@link Handlers#syncSend}.
 *
 * <p><i>Thread</i>: the one that makes progress, or its executor's, see {@link Handlers#register}; for the messages of
 * one rank one at a time. <i>Fails</i>: what it throws is told, and the message counts as handled.
 */
@FunctionalInterface
public interface Handler {
    /**
     * @param source the rank that sent it
     * @param message its bytes where they lie, until this method returns: the same object serves the next message.
     *     {@link Lease#keep} has it for longer, {@link Handlers#forward} sends it on
     */
    void handle(int source, Lease message);
}
