package org.sluice.shm;

import java.nio.ByteBuffer;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.memory.Memory;

/** Wait words for tests that don't sleep. */
public final class Words {
    private Words() {
    }

    public static WaitWord inDirectMemory() {
        ByteBuffer memory = ByteBuffer.allocateDirect(WaitWord.BYTES);
        return new WaitWord(Memory.address(memory), memory, null);
    }
}
