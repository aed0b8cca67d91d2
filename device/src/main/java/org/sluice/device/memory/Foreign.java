package org.sluice.device.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The names in {@code java.lang.foreign} that Sluice uses, as handles. Without one of them, as before Java 22, it can't
 * be made: an IllegalStateException. <i>Thread</i>: any.
 */
final class Foreign {
    private static final int OLDEST = 22;

    private final MethodHandles.Lookup lookup;
    private final Class<?> segment;
    private final Class<?> layout;
    private final Object all;

    /**
     * @param lookup of a class of Sluice, in whose name restricted methods are called: its module needs native access
     */
    Foreign(MethodHandles.Lookup lookup) {
        this.lookup = lookup;
        if (Runtime.version().feature() < OLDEST) {
            throw new IllegalStateException("java.lang.foreign is not there before Java " + OLDEST + ", and this is "
                    + Runtime.version().feature());
        }
        try {
            segment = Class.forName("java.lang.foreign.MemorySegment");
            layout = Class.forName("java.lang.foreign.ValueLayout");
            Object nothing = segment.getField("NULL").get(null);
            all = find("reinterpret", segment, long.class).invoke(nothing, Long.MAX_VALUE);
        } catch (Throwable e) {
            throw refused(e);
        }
    }

    private static IllegalStateException refused(Throwable why) {
        return new IllegalStateException(
                "java.lang.foreign of this JVM can't be used (" + why
                        + "): give it --enable-native-access=ALL-UNNAMED, " + "or the name of Sluice's module",
                why);
    }

    /** All addresses, as a segment. */
    Object all() {
        return all;
    }

    private MethodHandle find(String method, Class<?> result, Class<?>... parameters)
            throws ReflectiveOperationException {
        return lookup.findVirtual(segment, method, MethodType.methodType(result, parameters));
    }

    private MethodHandle findStatic(String method, Class<?> result, Class<?>... parameters)
            throws ReflectiveOperationException {
        return lookup.findStatic(segment, method, MethodType.methodType(result, parameters));
    }

    private Object layout(String name) throws ReflectiveOperationException {
        return layout.getField(name).get(null);
    }

    private VarHandle handle(String layoutName) throws ReflectiveOperationException {
        return (VarHandle) layout.getMethod("varHandle").invoke(layout(layoutName));
    }

    /** (long): by absolute address. */
    VarHandle absolute(String layoutName) {
        try {
            return (VarHandle) MethodHandles.class
                    .getMethod("insertCoordinates", VarHandle.class, int.class, Object[].class)
                    .invoke(null, handle(layoutName), 0, new Object[] {all});
        } catch (ReflectiveOperationException e) {
            throw refused(e);
        }
    }

    /** (Object, long): by offset in what {@code segmentOf} makes a segment of. */
    VarHandle filtered(String layoutName, MethodHandle segmentOf) {
        try {
            return (VarHandle) MethodHandles.class
                    .getMethod("filterCoordinates", VarHandle.class, int.class, MethodHandle[].class)
                    .invoke(null, handle(layoutName), 0, new MethodHandle[] {toSegment(segmentOf)});
        } catch (ReflectiveOperationException e) {
            throw refused(e);
        }
    }

    private MethodHandle toSegment(MethodHandle segmentOf) {
        return segmentOf.asType(MethodType.methodType(segment, Object.class));
    }

    /** (array)Object. */
    MethodHandle ofArray(Class<?> array) {
        try {
            return findStatic("ofArray", segment, array).asType(MethodType.methodType(Object.class, array));
        } catch (ReflectiveOperationException e) {
            throw refused(e);
        }
    }

    private MethodHandle copySegments() throws ReflectiveOperationException {
        return findStatic("copy", void.class, segment, long.class, segment, long.class, long.class);
    }

    /** (long from, long to, long bytes)void. */
    MethodHandle copy() {
        try {
            return MethodHandles.insertArguments(MethodHandles.insertArguments(copySegments(), 2, all), 0, all);
        } catch (ReflectiveOperationException e) {
            throw refused(e);
        }
    }

    /** (Object from, long at, Object to, long at, long bytes)void. */
    MethodHandle copyFiltered(MethodHandle segmentOf) {
        try {
            MethodHandle filter = toSegment(segmentOf);
            return MethodHandles.filterArguments(copySegments(), 0, filter, null, filter);
        } catch (ReflectiveOperationException e) {
            throw refused(e);
        }
    }

    /** (long from, Object array, int at, int bytes)void. */
    MethodHandle copyToBytes() {
        try {
            return MethodHandles.insertArguments(
                    findStatic("copy", void.class, segment, layout, long.class, Object.class, int.class, int.class),
                    0,
                    all,
                    layout("JAVA_BYTE"));
        } catch (ReflectiveOperationException e) {
            throw refused(e);
        }
    }

    /** (Object array, int at, long to, int bytes)void. */
    MethodHandle copyFromBytes() {
        try {
            return MethodHandles.insertArguments(
                    findStatic("copy", void.class, Object.class, int.class, segment, layout, long.class, int.class),
                    2,
                    all,
                    layout("JAVA_BYTE"));
        } catch (ReflectiveOperationException e) {
            throw refused(e);
        }
    }

    /** (long address, long bytes)void: zeros. */
    MethodHandle fill() {
        try {
            MethodHandle slice =
                    MethodHandles.insertArguments(find("asSlice", segment, long.class, long.class), 0, all);
            MethodHandle zeros = MethodHandles.insertArguments(find("fill", segment, byte.class), 1, (byte) 0);
            return MethodHandles.filterReturnValue(slice, zeros)
                    .asType(MethodType.methodType(void.class, long.class, long.class));
        } catch (ReflectiveOperationException e) {
            throw refused(e);
        }
    }

    /** (long)result: a function of the C library. */
    MethodHandle function(String name, Class<?> result) {
        try {
            Class<?> linkers = Class.forName("java.lang.foreign.Linker");
            Class<?> descriptors = Class.forName("java.lang.foreign.FunctionDescriptor");
            Class<?> memoryLayout = Class.forName("java.lang.foreign.MemoryLayout");
            Class<?> options = Class.forName("[Ljava.lang.foreign.Linker$Option;");
            Object parameters = Array.newInstance(memoryLayout, 1);
            Array.set(parameters, 0, layout("JAVA_LONG"));
            Object descriptor = result == void.class
                    ? descriptors.getMethod("ofVoid", parameters.getClass()).invoke(null, parameters)
                    : descriptors
                            .getMethod("of", memoryLayout, parameters.getClass())
                            .invoke(null, layout("JAVA_LONG"), parameters);
            Object linker = linkers.getMethod("nativeLinker").invoke(null);
            Object names = linkers.getMethod("defaultLookup").invoke(linker);
            Optional<?> address = (Optional<?>) Class.forName("java.lang.foreign.SymbolLookup")
                    .getMethod("find", String.class)
                    .invoke(names, name);
            MethodHandle downcall = lookup.findVirtual(
                            linkers,
                            "downcallHandle",
                            MethodType.methodType(MethodHandle.class, segment, descriptors, options))
                    .asFixedArity();
            return (MethodHandle) downcall.invokeWithArguments(List.of(
                    linker, address.orElseThrow(), descriptor, Array.newInstance(options.getComponentType(), 0)));
        } catch (Throwable e) {
            throw refused(e);
        }
    }

    /** (Buffer)Object: the segment of what is between position and limit. */
    MethodHandle ofBuffer() {
        try {
            return findStatic("ofBuffer", segment, Buffer.class)
                    .asType(MethodType.methodType(Object.class, Buffer.class));
        } catch (ReflectiveOperationException e) {
            throw refused(e);
        }
    }

    /** (Object)result: what a segment says of itself. */
    MethodHandle property(String name, Class<?> result) {
        try {
            Class<?> declared =
                    result == Object.class ? Class.forName("java.lang.foreign.MemorySegment$Scope") : result;
            return find(name, declared).asType(MethodType.methodType(result, Object.class));
        } catch (ReflectiveOperationException e) {
            throw refused(e);
        }
    }

    /**
     * (long address, long bytes, Consumer atEnd)Object: a segment that lives as long as somebody refers to it, and then
     * calls that.
     */
    MethodHandle collected() {
        try {
            Class<?> arena = Class.forName("java.lang.foreign.Arena");
            MethodHandle at = findStatic("ofAddress", segment, long.class);
            MethodHandle sized = find("reinterpret", segment, long.class, arena, Consumer.class);
            MethodHandle begin = MethodHandles.filterArguments(sized, 0, at);
            MethodHandle automatic = lookup.findStatic(arena, "ofAuto", MethodType.methodType(arena));
            return MethodHandles.collectArguments(begin, 2, automatic)
                    .asType(MethodType.methodType(Object.class, long.class, long.class, Consumer.class));
        } catch (ReflectiveOperationException e) {
            throw refused(e);
        }
    }

    /** (Object)ByteBuffer. */
    MethodHandle asByteBuffer() {
        try {
            return find("asByteBuffer", ByteBuffer.class).asType(MethodType.methodType(ByteBuffer.class, Object.class));
        } catch (ReflectiveOperationException e) {
            throw refused(e);
        }
    }
}
