package org.sluice.hybrid.observe;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/** Where and when states are written. <i>Thread</i>: any. <i>Proof</i>: {@code DumpProcessTest}. */
public final class Dumps {
    private static final String STDERR = "stderr";

    private Dumps() {
    }

    /** One write, so that those of several ranks do not mix. */
    public static void write(String text, Options options, int rank) {
        String target = options.text(Option.DUMP_FILE);
        if (!target.equals(STDERR)) {
            Path file = Path.of(target + "." + rank);
            try {
                Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                return;
            } catch (IOException e) {
                System.err.println("sluice: the state of rank " + rank + " can't be written to " + file + " (" + e + "), and follows here: set "
                        + Option.DUMP_FILE.property() + " to a file that this user may write");
            }
        }
        System.err.print(text);
        System.err.flush();
    }

    /** From now on the signal has every device of this JVM write its state. Again is harmless. By reflection: javac warns of sun.misc.Signal, and has no way to be told that it is meant. */
    public static void onSignal(String name) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler handle = (proxy, method, arguments) -> {
                if (method.getDeclaringClass() == Object.class) {
                    return method.invoke(name, arguments);
                }
                dumpAll("signal " + name + " came");
                return null;
            };
            signal.getMethod("handle", signal, handler).invoke(null, signal.getConstructor(String.class).newInstance(name),
                    Proxy.newProxyInstance(Dumps.class.getClassLoader(), new Class<?>[] {handler}, handle));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(Option.DUMP_SIGNAL.property() + " = '" + name + "': this JVM doesn't let its programs handle it ("
                    + (e.getCause() == null ? e : e.getCause()) + "); take another, or off", e);
        }
    }

    private static void dumpAll(String reason) {
        List<Observed> all = OpenDevices.all();
        if (all.isEmpty()) {
            System.err.println("sluice: " + reason + ", and no device is open in process " + ProcessHandle.current().pid());
        }
        for (Observed device : all) {
            device.dump(reason);
        }
    }
}
