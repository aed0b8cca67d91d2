package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** One-sided communication isn't there: each constructor and method of Win says so. */
final class OneSidedTest {
    private static Object[] arguments(Executable of) {
        return Arrays.stream(of.getParameterTypes())
                .map(type -> type == int.class ? (Object) 0 : null)
                .toArray();
    }

    private static void saysSo(InvocationTargetException thrown, String what) {
        MPIException said = assertInstanceOf(MPIException.class, thrown.getCause(), what);
        assertEquals(MPI.ERR_UNSUPPORTED_OPERATION, said.getErrorClass(), what);
        assertTrue(said.getMessage().contains("send and receive messages"), said.getMessage());
    }

    /** No program has one, as each constructor throws. */
    private static Object withoutConstructor() throws Exception {
        Field unsafe = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        unsafe.setAccessible(true);
        return unsafe.getType().getMethod("allocateInstance", Class.class).invoke(unsafe.get(null), Win.class);
    }

    @Test
    void nothingIsThere() throws Exception {
        for (Constructor<?> each : Win.class.getConstructors()) {
            saysSo(
                    assertThrows(InvocationTargetException.class, () -> each.newInstance(arguments(each))),
                    each.toString());
        }
        Object window = withoutConstructor();
        int count = 0;
        for (Method each : Win.class.getDeclaredMethods()) {
            if (Modifier.isPublic(each.getModifiers())) {
                saysSo(
                        assertThrows(InvocationTargetException.class, () -> each.invoke(window, arguments(each))),
                        each.toString());
                count++;
            }
        }
        assertEquals(41, count, "methods");
    }
}
