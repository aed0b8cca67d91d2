package org.sluice.hybrid.process;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.sluice.device.Device;
import org.sluice.device.layer.Layer;
import org.sluice.device.layer.Layered;
import org.sluice.device.option.Options;
import org.sluice.mpi.Reduction;

/**
 * A rank's device, with a layer that counts the steps that this rank takes in collectives and ends at one of them. A
 * step is the begin of a message, the blocking receive of one, or a reduction.
 *
 * <p><i>Thread</i>: the rank's.
 */
final class StepCounter {
    private static final Set<String> MESSAGES = Set.of("send", "ssend", "isend", "issend", "recv", "irecv");
    private static final int NEVER = -1;

    private final Layer real;
    private final Layer layer;
    private final Device device;
    private Options options;

    /** Moments before and after a step, counted together. */
    private int moments;

    private int last = NEVER;
    private boolean diesWaiting;
    private String words;

    StepCounter(Device opened) {
        this.real = Layer.of(opened);
        this.options = real.options();
        this.layer = proxy((method, arguments) -> ofLayer(method, arguments), Layer.class);
        this.device = proxy((method, arguments) -> ofDevice(opened, method, arguments), Device.class, Layered.class);
    }

    private interface Handler {
        Object invoke(Method method, Object[] arguments) throws Throwable;
    }

    @SuppressWarnings("unchecked")
    private static <T> T proxy(Handler handler, Class<?>... types) {
        return (T) Proxy.newProxyInstance(StepCounter.class.getClassLoader(), types, (proxy, method, arguments) -> {
            try {
                return handler.invoke(method, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    private Object ofLayer(Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "device":
                return device;
            case "options":
                return options;
            case "kept":
                Function<Layer, ?> make = asMaker(arguments[1]);
                return real.kept(asType(arguments[0]), given -> make.apply(layer));
            default:
                if (!MESSAGES.contains(method.getName())) {
                    return method.invoke(real, arguments);
                }
                step();
                Object result = method.invoke(real, arguments);
                step();
                return result;
        }
    }

    @SuppressWarnings("unchecked")
    private static Function<Layer, ?> asMaker(Object given) {
        return (Function<Layer, ?>) given;
    }

    @SuppressWarnings("unchecked")
    private static Class<Object> asType(Object given) {
        return (Class<Object>) given;
    }

    private Object ofDevice(Device opened, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("layer")) {
            return layer;
        }
        if (diesWaiting && method.getName().equals("progress")) {
            die("while it waits");
        }
        return method.invoke(opened, arguments);
    }

    private void step() {
        if (moments == last) {
            die((moments % 2 == 0 ? "before" : "after") + " step " + (moments / 2 + 1));
        }
        moments++;
    }

    /** What {@code Communicator.world} takes. */
    Device device() {
        return device;
    }

    /** What communicators that are made from now on find. */
    void option(String name, String value) {
        options = Options.of(Map.of(name, value));
    }

    /** A sum of longs, whose steps count. */
    Reduction sum() {
        return Reduction.of(
                (left, leftAt, right, rightAt, count, layout) -> {
                    step();
                    for (int i = 0; i < count; i++) {
                        ((long[]) right)[rightAt + i] += ((long[]) left)[leftAt + i];
                    }
                    step();
                },
                true);
    }

    /** @return how many moments a call has: twice its steps */
    int count(Runnable call) {
        moments = 0;
        call.run();
        return moments;
    }

    /** @param moment from 0 on, or less for now; a call that has fewer goes well */
    void dieAt(int moment, String newWords) {
        moments = 0;
        last = moment;
        words = newWords;
        if (moment < 0) {
            die("before the call");
        }
    }

    /** The first time that it waits for another rank's cells. */
    void dieWaiting(String newWords) {
        diesWaiting = true;
        words = newWords;
    }

    /** Says so, and waits for the test to kill the process: by itself a JVM takes its time to end. */
    void die(String where) {
        Say.line(words + " dies " + where);
        while (true) {
            LockSupport.park();
        }
    }
}
