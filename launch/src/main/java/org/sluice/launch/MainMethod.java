package org.sluice.launch;

import java.io.File;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds a program's main method, or says why there is none.
 *
 * <p>Proof: {@code MainMethodTest}.
 */
public final class MainMethod {
    private static final String EXPECTED = " is not what a program needs: public static void main(String[] args)";
    /** From here on main may be an instance's, and may have no parameter (JEP 512). */
    private static final int TAKES_INSTANCE_MAIN = 25;

    private static final String ALSO_EXPECTED =
            ", or without the parameter, or not static where the class has a constructor without parameters; not"
                    + " private";
    private static final Pattern CLASS_VERSION = Pattern.compile("class file version (\\d+)\\.");
    private static final int CLASS_VERSION_OF_JAVA_0 = 44;
    private static final MethodType CALLED = MethodType.methodType(void.class, String[].class);

    private MainMethod() {}

    /**
     * Finds it as the JVM would: the class need not be public. It comes as a handle, so that neither wrapped exceptions
     * nor reflection's frames get between a user and his stack trace; it is called with invokeExact(args).
     *
     * @param classPath what the loader reads, for the error
     * @throws IllegalArgumentException when there is none
     */
    public static MethodHandle find(ClassLoader loader, String mainClass, String classPath) {
        return find(loader, mainClass, classPath, Runtime.version().feature());
    }

    /** @param feature of the Java whose rules for main methods hold */
    static MethodHandle find(ClassLoader loader, String mainClass, String classPath, int feature) {
        boolean isNew = feature >= TAKES_INSTANCE_MAIN;
        try {
            Class<?> program = Class.forName(mainClass, false, loader);
            Method main = isNew ? anyMain(program) : declared(program, String[].class);
            if (main == null) {
                throw new IllegalArgumentException(
                        "class " + mainClass + returned(program) + EXPECTED + (isNew ? ALSO_EXPECTED : ""));
            }
            if (main.getReturnType() != void.class
                    || !isNew && !Modifier.isStatic(main.getModifiers())
                    || isNew && Modifier.isPrivate(main.getModifiers())) {
                throw new IllegalArgumentException("the main method of " + mainClass + returned(program) + EXPECTED
                        + (isNew ? ALSO_EXPECTED : ""));
            }
            return handle(program, main);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    "there is no class " + mainClass + " on the class path"
                            + advice(mainClass, classPath, near(mainClass, classPath)),
                    e);
        } catch (LinkageError e) {
            // A class in the wrong folder ("wrong name"), or one for a newer JVM: the JVM says it well enough.
            throw new IllegalArgumentException(
                    "class " + mainClass + " can't be loaded: " + e.getMessage()
                            + (e instanceof UnsupportedClassVersionError
                                    ? newerJava(String.valueOf(e.getMessage()))
                                    : "")
                            + advice(mainClass, classPath, "")
                            + ofMpi(e),
                    e);
        } catch (NoSuchMethodException | IllegalAccessException e) {
            throw new IllegalArgumentException("class " + mainClass + EXPECTED + (isNew ? ALSO_EXPECTED : ""), e);
        }
    }

    private static String ofMpi(LinkageError e) {
        String advice = MpiDialect.advice(e);
        return advice.isEmpty() ? "" : "; " + advice;
    }

    /** The one with arguments wins, also where it is inherited and the other is not. */
    private static Method anyMain(Class<?> program) {
        Method main = inherited(program, String[].class);
        return main == null ? inherited(program) : main;
    }

    private static Method inherited(Class<?> program, Class<?>... parameters) {
        for (Class<?> each = program; each != null; each = each.getSuperclass()) {
            Method main = declared(each, parameters);
            if (main != null && (each == program || !Modifier.isPrivate(main.getModifiers()))) {
                return main;
            }
        }
        try {
            return program.getMethod("main", parameters); // an interface's
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static Method declared(Class<?> program, Class<?>... parameters) {
        try {
            return program.getDeclaredMethod("main", parameters);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** Makes the instance, where one is needed, when it is called: a constructor is the program's code. */
    private static MethodHandle handle(Class<?> program, Method main)
            throws NoSuchMethodException, IllegalAccessException {
        main.setAccessible(true);
        MethodHandle handle = MethodHandles.lookup().unreflect(main);
        if (!Modifier.isStatic(main.getModifiers())) {
            Constructor<?> constructor = program.getDeclaredConstructor();
            if (Modifier.isPrivate(constructor.getModifiers()) || Modifier.isAbstract(program.getModifiers())) {
                throw new NoSuchMethodException("no constructor that may be called");
            }
            constructor.setAccessible(true);
            MethodHandle made = MethodHandles.lookup().unreflectConstructor(constructor);
            handle = MethodHandles.foldArguments(
                    handle, made.asType(MethodType.methodType(handle.type().parameterType(0))));
        }
        return handle.type().equals(CALLED) ? handle : MethodHandles.dropArguments(handle, 0, String[].class);
    }

    /** As a Kotlin function whose body is an expression, which returns what that does. */
    private static String returned(Class<?> program) {
        for (Method method : program.getDeclaredMethods()) {
            if (method.getName().equals("main") && method.getReturnType() != void.class) {
                return ", whose main returns " + method.getReturnType().getName()
                        + " (in Kotlin: runBlocking<Unit> { ... }),";
            }
        }
        return "";
    }

    /** Which Java it takes, and how it is named; nothing where the version is not what is wrong. */
    private static String newerJava(String message) {
        Matcher version = CLASS_VERSION.matcher(message);
        int needed = version.find() ? Integer.parseInt(version.group(1)) - CLASS_VERSION_OF_JAVA_0 : 0;
        int here = Runtime.version().feature();
        return needed <= here
                ? ""
                : "; that takes Java " + needed + " or newer, and this is Java " + here + " ("
                        + System.getProperty("java.home")
                        + "): name the newer one's folder with ./sluice run --java HOME, or in JAVA_HOME, or compile"
                        + " with --release "
                        + here;
    }

    /** @param whereAllExist what is said where every part of the class path exists */
    private static String advice(String mainClass, String classPath, String whereAllExist) {
        if (mainClass.contains("/") || mainClass.endsWith(".class") || mainClass.endsWith(".java")) {
            return "; give its name with its package, dots between and no ending, for instance my.Program";
        }
        List<String> missing = new ArrayList<>();
        // A File takes any text: a name that this JVM can't write as a path must not hide what is wrong.
        for (String entry : classPath.split(File.pathSeparator)) {
            boolean isWildcard = Program.isWildcard(entry);
            String place = isWildcard ? entry.substring(0, entry.length() - 1) : entry;
            if (!place.isEmpty() && !new File(place).exists()) {
                missing.add(entry);
            }
        }
        return missing.isEmpty() ? whereAllExist : ", of which these parts don't exist: " + String.join(", ", missing);
    }

    /** What somebody may have meant who gave a file for its folder, a source, or a name in other letters. */
    private static String near(String mainClass, String classPath) {
        String path = mainClass.replace('.', File.separatorChar);
        for (String each : classPath.split(File.pathSeparator)) {
            String entry = each.isEmpty() ? "." : each;
            if (entry.endsWith(".class") || entry.endsWith(".java")) {
                return "; it has folders and jars, and not " + entry + ": give the folder that it is in";
            }
            if (new File(entry, path + ".java").exists()) {
                return "; " + new File(entry, path + ".java") + " isn't compiled: javac makes the class of it";
            }
            File folder = new File(entry, path).getParentFile();
            String[] names = folder == null ? null : folder.list();
            for (String name : names == null ? new String[0] : names) {
                if (name.equalsIgnoreCase(new File(path).getName() + ".class")) {
                    return "; " + folder + " has " + name + ", and letters count";
                }
            }
        }
        return "";
    }
}
