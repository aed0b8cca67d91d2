package org.sluice.hybrid.match;

import org.sluice.device.Device;

/** A message that came before its receive. */
public non-sealed class UnexpectedMessage extends Matchable {
    /** Length of the payload, wherever that is. */
    public long bytes;

    public UnexpectedMessage() {}

    /** True from {@code add} until it is taken or removed. */
    public final boolean isWaiting() {
        return owner != null;
    }

    final boolean fits(int contextId, int sourceOrAny, int tagOrAny) {
        return this.contextId == contextId
                && (sourceOrAny == source || sourceOrAny == Device.ANY_SOURCE)
                && (tagOrAny == tag || tagOrAny == Device.ANY_TAG);
    }
}
