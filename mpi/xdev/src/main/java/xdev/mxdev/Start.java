package xdev.mxdev;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicReference;
import org.sluice.device.Device;

/**
 * Starts a program for MPJ Express as its launchers do: with this rank, the number of ranks (as multicore does) and the
 * device's name in front of the program's own arguments.
 *
 * <p>The rank is known once the device is open: it is opened here, and {@code MPI.Init} has it. Where the program ends
 * without {@code MPI.Init} it is closed here.
 */
public final class Start {
    /** Opened, and not yet a device of MPJ Express. */
    private static final AtomicReference<Device> OPENED = new AtomicReference<>();

    private Start() {}

    /**
     * Calls the main method of a class of this class path.
     *
     * @param args the class, and the program's arguments
     * @throws Throwable what that main method throws
     */
    public static void main(String[] args) throws Throwable {
        if (args.length == 0) {
            throw new IllegalArgumentException("no program: java ... xdev.mxdev.Start CLASS [ARGUMENT...]");
        }
        Method main =
                Class.forName(args[0], false, Start.class.getClassLoader()).getMethod("main", String[].class);
        main.setAccessible(true);
        Device device = Device.open();
        OPENED.set(device);
        String[] all = new String[args.length + 2];
        all[0] = Integer.toString(device.rank());
        all[1] = Integer.toString(device.size());
        all[2] = "mxdev";
        System.arraycopy(args, 1, all, 3, args.length - 1);
        try {
            main.invoke(null, (Object) all);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        Device left = take();
        if (left != null) {
            left.close();
        }
    }

    /** Null if there is none. */
    static Device take() {
        return OPENED.getAndSet(null);
    }
}
