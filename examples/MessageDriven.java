import org.sluice.device.Device;
import org.sluice.device.Handlers;

/** How many ways there are to place eight queens: nobody posts a receive, messages call functions. */
public final class MessageDriven {
    private static final int QUEENS = 8;
    private static final int SOLVE = 1; // ids of the handlers
    private static final int FOUND = 2;
    private static final int STOP = 3;

    public static void main(String[] args) {
        try (Device device = Device.open()) {
            Handlers handlers = device.handlers();
            int[] found = {0, 0}; // solutions, and answers that have come

            handlers.register(SOLVE, (source, message) -> {
                int column = message.getInt(0); // of the first row's queen
                int bit = 1 << column;
                int solutions = place(1, bit, bit << 1, bit >> 1);
                handlers.syncSend(0, FOUND, new int[] {solutions});
            });
            handlers.register(FOUND, (source, message) -> {
                found[0] += message.getInt(0);
                if (++found[1] == QUEENS) {
                    for (int rank = 0; rank < device.size(); rank++) {
                        handlers.syncSend(rank, STOP, new int[0]);
                    }
                }
            });
            handlers.register(STOP, (source, message) -> handlers.stop()); // ends serve

            if (device.rank() == 0) {
                for (int column = 0; column < QUEENS; column++) {
                    handlers.syncSend(column % device.size(), SOLVE, new int[] {column});
                }
            }
            handlers.serve();
            if (device.rank() == 0) {
                System.out.println(QUEENS + " queens: " + found[0] + " ways, in " + found[1] + " answers");
            }
        }
    }

    /** Places the rest of the queens; a bit of a mask is a column that is attacked in this row. */
    private static int place(int row, int columns, int falling, int rising) {
        if (row == QUEENS) {
            return 1;
        }
        int solutions = 0;
        for (int column = 0; column < QUEENS; column++) {
            int bit = 1 << column;
            if (((columns | falling | rising) & bit) == 0) {
                solutions += place(row + 1, columns | bit, (falling | bit) << 1, (rising | bit) >> 1);
            }
        }
        return solutions;
    }
}
