package org.sluice.ib.adapter;

import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.ib.wire.PacketHeader;

/**
 * How long packets may be that go to the device with their work request, instead of being fetched by it: what options
 * ask for, as far as the device makes queue pairs with that. A longer limit makes each place of a send queue longer, so
 * a connection that is to be small asks for none, and uses what its queue pair has anyway.
 *
 * <p><i>Thread</i>: under the connection lock. <i>Proof</i>: {@code InlineTest}.
 */
public final class InlineBytes {
    /** 64 bytes with their header: with what adapters put before it, two cache lines. */
    private static final int USUAL = 96;
    /** Beyond that the copy of the library costs more than the fetch. */
    private static final int MOST = 256;

    private final int most;
    private int asked;

    /** @param isSmall whether connections take as little memory as they can */
    InlineBytes(Options options, boolean isSmall) {
        int given = options.count(Option.IB_INLINE);
        most = given < 0 ? MOST : given;
        asked = given >= 0 ? given : isSmall ? 0 : USUAL;
    }

    /** What a queue pair is to be made with. */
    public int toAsk() {
        return asked;
    }

    /**
     * The device didn't take that.
     *
     * @return whether there is less to ask for
     */
    public boolean askLess() {
        boolean is = asked > 0;
        asked = asked / 2 < PacketHeader.BYTES ? 0 : asked / 2;
        return is;
    }

    /** What the next queue pair is to be made with. */
    public void ask(int bytes) {
        asked = bytes;
    }

    /** What is used of that which a queue pair has. */
    public int toUse(long has) {
        return (int) Math.min(most, has);
    }
}
