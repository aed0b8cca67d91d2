package org.sluice.hybrid.launch;

import java.io.File;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds a program's main method, or says why there is none.
 *
 * <p>Proof: {@code MainMethodTest}.
 */
public final class MainMethod {
    private static final String EXPECTED = " is not what a program needs: public static void main(String[] args)";

    private MainMethod() {
    }

    /**
     * Finds it as the JVM would: the class need not be public. It comes as a handle, so that neither wrapped exceptions
     * nor reflection's frames get between a user and his stack trace; it is called with invokeExact(args).
     *
     * @param classPath what the loader reads, for the error
     * @throws IllegalArgumentException when there is none
     */
    public static MethodHandle find(ClassLoader loader, String mainClass, String classPath) {
        try {
            Method main = Class.forName(mainClass, false, loader).getDeclaredMethod("main", String[].class);
            if (!Modifier.isStatic(main.getModifiers()) || main.getReturnType() != void.class) {
                throw new IllegalArgumentException("the main method of " + mainClass + EXPECTED);
            }
            main.setAccessible(true);
            return MethodHandles.lookup().unreflect(main);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("there is no class " + mainClass + " on the class path"
                    + advice(mainClass, classPath), e);
        } catch (LinkageError e) {
            // A class in the wrong folder ("wrong name"), or one for a newer JVM: the JVM says it well enough.
            throw new IllegalArgumentException("class " + mainClass + " can't be loaded: " + e.getMessage()
                    + advice(mainClass, classPath), e);
        } catch (NoSuchMethodException | IllegalAccessException e) {
            throw new IllegalArgumentException("class " + mainClass + EXPECTED, e);
        }
    }

    private static String advice(String mainClass, String classPath) {
        if (mainClass.contains("/") || mainClass.endsWith(".class") || mainClass.endsWith(".java")) {
            return "; give its name with its package, dots between and no ending, for instance my.Program";
        }
        List<String> missing = new ArrayList<>();
        // A File takes any text: a name that this JVM can't write as a path must not hide what is wrong.
        for (String entry : classPath.split(File.pathSeparator)) {
            if (!entry.isEmpty() && !entry.endsWith("*") && !new File(entry).exists()) {
                missing.add(entry);
            }
        }
        return missing.isEmpty() ? "" : ", of which these parts don't exist: " + String.join(", ", missing);
    }
}
