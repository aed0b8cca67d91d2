package org.sluice.ib;

import java.nio.ByteBuffer;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.device.random.Unguessable;

/** Opens the channel with the options of this process, and says what came of it. */
final class UnprivilegedProcess {
    private UnprivilegedProcess() {}

    public static void main(String[] args) {
        Options options = Options.of(java.util.Map.of());
        ByteBuffer memory = ByteBuffer.allocateDirect(WaitWord.BYTES);
        WaitWord word = new WaitWord(Memory.address(memory), memory, null);
        String reason = IbPresence.unavailableReason(options);
        System.out.println("presence: " + reason);
        try {
            IbChannel.create(0, 2, 1, Unguessable.uuid(), word, options).close();
            System.out.println("opened");
        } catch (SluiceException e) {
            System.out.println(e.code() + ": " + e.getMessage());
        }
    }
}
