package org.sluice.mpi.files;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.sluice.mpi.Data;
import org.sluice.mpi.Layout;

/** Bytes in a buffer of some kind, and what of it a call is given. */
final class FileData {
    private static final int KINDS = 5;
    private static final int HOLE = 3;

    private final int kind;
    private final int bytes;
    private final int item;
    private final Object buffer;
    /** What a call takes. */
    final Object given;

    /** @param item bytes that are one item if items lie apart */
    FileData(Random random, byte[] contents, int item) {
        int drawn = random.nextInt(KINDS);
        this.kind = drawn == 1 && contents.length % Long.BYTES != 0 ? 0 : drawn;
        this.bytes = contents.length;
        this.item = item;
        switch (kind) {
            case 0:
                buffer = contents.clone();
                given = buffer;
                break;
            case 1:
                buffer = new long[bytes / Long.BYTES + 1];
                ByteBuffer copy = ByteBuffer.allocate(bytes + Long.BYTES).order(ByteOrder.nativeOrder());
                copy.put(Long.BYTES, contents).asLongBuffer().get((long[]) buffer);
                given = Data.of(buffer, 1, bytes / Long.BYTES);
                break;
            case 2:
                buffer = ByteBuffer.allocateDirect(bytes + 5).put(5, contents);
                given = Data.of(buffer, 5, bytes);
                break;
            case 3:
                buffer = ByteBuffer.wrap(new byte[bytes + 4])
                        .position(2)
                        .put(2, contents)
                        .limit(bytes + 2);
                given = buffer;
                break;
            default:
                byte[] apart = new byte[bytes / item * (item + HOLE)];
                for (int i = 0; i < bytes; i++) {
                    apart[apart(i)] = contents[i];
                }
                buffer = apart;
                given = Data.of(
                        apart, 0, bytes / item, Layout.BYTE.contiguous(item).resized(0, item + HOLE));
                break;
        }
    }

    private int apart(int at) {
        return at / item * (item + HOLE) + at % item;
    }

    byte[] contents() {
        byte[] contents = new byte[bytes];
        switch (kind) {
            case 0:
                return ((byte[]) buffer).clone();
            case 1:
                ByteBuffer copy = ByteBuffer.allocate(bytes + Long.BYTES).order(ByteOrder.nativeOrder());
                copy.asLongBuffer().put((long[]) buffer);
                copy.get(Long.BYTES, contents);
                return contents;
            case 2:
                ((ByteBuffer) buffer).get(5, contents);
                return contents;
            case 3:
                ((ByteBuffer) buffer).get(2, contents);
                return contents;
            default:
                for (int i = 0; i < bytes; i++) {
                    contents[i] = ((byte[]) buffer)[apart(i)];
                }
                return contents;
        }
    }
}
