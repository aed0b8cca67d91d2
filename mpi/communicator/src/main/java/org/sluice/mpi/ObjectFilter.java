package org.sluice.mpi;

import java.io.ObjectInputFilter;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.sluice.device.option.Option;

/**
 * Which objects one message may have: those of the program's own classes, the JDK's values and collections of them, and
 * what the option names. The program's own classes are those of one named module, or of the same class loader and the
 * same jar or folder: libraries on the class path, in which such attacks find their tools, are not among them.
 *
 * <p>What a few bytes can make of memory is bounded by their number, as each element of an array, and each object,
 * takes one at least.
 *
 * <p><i>Thread</i>: the one that reads.
 */
final class ObjectFilter implements ObjectInputFilter {
    static final String PROPERTY = Option.MPI_OBJECTS.property();
    /** As deep as values are nested, and not as a stack can hold. */
    static final int MOST_DEPTH = 100;
    /** For programs that never heard of a limit: lists of their own, and as deep as a thread's stack surely holds. */
    static final int MOST_DEPTH_OF_CLASS_PATH = 500;

    /** Tables of hashes are larger than what is in them. */
    private static final int TABLE_FACTOR = 8;

    private static final int SMALL_TABLE = 1024;

    private static final ObjectInputFilter VALUES = Config.createFilter("java.lang.Boolean;java.lang.Byte;"
            + "java.lang.Character;java.lang.Short;java.lang.Integer;java.lang.Long;java.lang.Float;java.lang.Double;"
            + "java.lang.Number;java.lang.String;java.lang.String$CaseInsensitiveComparator;java.lang.Enum;"
            + "java.lang.Object;java.lang.Record;java.lang.Throwable;java.lang.Exception;java.lang.RuntimeException;"
            + "java.lang.StackTraceElement;java.math.*;java.time.**;java.net.URI;"
            + "java.lang.StringBuilder;java.lang.StringBuffer;java.lang.AbstractStringBuilder;"
            + "java.util.Calendar;java.util.GregorianCalendar;java.util.IdentityHashMap;java.util.Properties;"
            + "java.util.Random;java.util.SimpleTimeZone;java.util.Stack;java.util.TimeZone;"
            + "java.util.concurrent.ConcurrentLinkedDeque;java.util.concurrent.ConcurrentLinkedQueue;"
            + "java.util.concurrent.ConcurrentSkipListMap;java.util.concurrent.ConcurrentSkipListSet;"
            + "java.util.concurrent.LinkedBlockingDeque;java.util.concurrent.LinkedBlockingQueue;"
            + "java.util.AbstractCollection;java.util.AbstractList;java.util.AbstractSequentialList;"
            + "java.util.AbstractSet;java.util.AbstractMap;java.util.AbstractQueue;java.util.ArrayDeque;"
            + "java.util.ArrayList;java.util.Arrays$ArrayList;java.util.BitSet;java.util.CollSer;"
            + "java.util.Collections$*;java.util.Comparators$*;java.util.Currency;java.util.Date;java.util.EnumMap;"
            + "java.util.EnumSet$*;java.util.HashMap;java.util.HashSet;java.util.Hashtable;"
            + "java.util.ImmutableCollections$*;java.util.LinkedHashMap;java.util.LinkedHashSet;"
            + "java.util.LinkedList;java.util.Locale;java.util.Map$Entry;java.util.AbstractMap$*;"
            + "java.util.PriorityQueue;java.util.RegularEnumSet;java.util.JumboEnumSet;"
            + "java.util.TreeMap;java.util.TreeSet;java.util.UUID;java.util.Vector;"
            + "java.util.concurrent.ConcurrentHashMap*;java.util.concurrent.CopyOnWriteArrayList;"
            + "java.util.concurrent.atomic.Atomic*");

    /** Whether a class is among these: the patterns are looked through once for each. */
    private static final ClassValue<Boolean> IS_VALUE = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return VALUES.checkInput(new OfClass(type, -1)) == Status.ALLOWED;
        }
    };

    private final Class<?> program;
    /** Whether the program's classes are all that its loader has, in whatever jar. */
    private final boolean isOfClassPath;
    /** Null where the option names none. */
    private final ObjectInputFilter more;

    private final Set<String> ownLimits;
    private final long bytes;
    private String refused;

    /**
     * @param program one of the program's own classes
     * @param isOfClassPath whether all classes of its loader are the program's own
     * @param more made of the option's pattern
     * @param ownLimits that the pattern has
     * @param bytes of the message
     */
    ObjectFilter(Class<?> program, boolean isOfClassPath, ObjectInputFilter more, Set<String> ownLimits, long bytes) {
        this.program = program;
        this.isOfClassPath = isOfClassPath;
        this.more = more;
        this.ownLimits = ownLimits;
        this.bytes = bytes;
    }

    /** Those that the option sets itself. */
    static Set<String> limits(String pattern) {
        return Arrays.stream(pattern.split(";"))
                .filter(part -> part.contains("="))
                .map(part -> part.substring(0, part.indexOf('=')).strip())
                .collect(Collectors.toSet());
    }

    /** @throws IllegalArgumentException where the option has no such patterns */
    static ObjectInputFilter parse(String pattern) {
        try {
            return Config.createFilter(pattern);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    PROPERTY + "=" + pattern + ": " + e.getMessage()
                            + "; patterns of ObjectInputFilter are separated by ;, as in org.acme.**;maxdepth=1000",
                    e);
        }
    }

    /** Why an object was refused, or null. */
    String refused() {
        return refused;
    }

    @Override
    public Status checkInput(FilterInfo info) {
        String reason = reason(info);
        if (reason == null) {
            return info.serialClass() == null ? Status.UNDECIDED : Status.ALLOWED;
        }
        refused = refused == null ? reason : refused;
        return Status.REJECTED;
    }

    /** Null where it may be. */
    private String reason(FilterInfo info) {
        if (info.depth() > (isOfClassPath ? MOST_DEPTH_OF_CLASS_PATH : MOST_DEPTH) && !ownLimits.contains("maxdepth")) {
            return "objects in objects, " + info.depth() + " deep; " + PROPERTY + "=maxdepth=1000 allows more";
        }
        if (info.arrayLength() > Math.max(SMALL_TABLE, TABLE_FACTOR * bytes) && !ownLimits.contains("maxarray")) {
            return "an array of " + info.arrayLength() + " elements in a message of " + bytes + " bytes";
        }
        ObjectInputFilter ofJvm = Config.getSerialFilter();
        if (ofJvm != null && ofJvm.checkInput(info) == Status.REJECTED) {
            return name(info) + ", which this JVM's filter (jdk.serialFilter) refuses";
        }
        Status named = more == null ? Status.UNDECIDED : more.checkInput(info);
        if (named == Status.REJECTED) {
            return name(info) + ", which " + PROPERTY + " refuses";
        }
        boolean isAllowed = named == Status.ALLOWED || isTaken(info);
        return isAllowed
                ? null
                : name(info) + ", which is neither of this program (of where " + program.getName()
                        + " is) nor a value of the JDK's; " + PROPERTY + "=" + name(info) + " allows it";
    }

    private boolean isTaken(FilterInfo info) {
        Class<?> type = element(info.serialClass());
        return type == null || type.isPrimitive() || IS_VALUE.get(type) || isFailureOfJdk(type) || isOwn(type);
    }

    private static boolean isFailureOfJdk(Class<?> type) {
        return Throwable.class.isAssignableFrom(type) && type.getModule() == Throwable.class.getModule();
    }

    private static Class<?> element(Class<?> type) {
        Class<?> element = type;
        while (element != null && element.isArray()) {
            element = element.getComponentType();
        }
        return element;
    }

    private static String name(FilterInfo info) {
        Class<?> type = element(info.serialClass());
        return type == null ? "an object" : type.getName();
    }

    private boolean isOwn(Class<?> type) {
        if (Proxy.isProxyClass(type) || program.getClassLoader() == null) {
            return false;
        }
        if (program.getModule().isNamed()) {
            return type.getModule() == program.getModule();
        }
        return type.getClassLoader() == program.getClassLoader()
                && (isOfClassPath || Objects.equals(location(type), location(program)));
    }

    /** As text: URLs ask the network whether they are equal. */
    private static String location(Class<?> type) {
        ProtectionDomain domain = type.getProtectionDomain();
        CodeSource source = domain == null ? null : domain.getCodeSource();
        URL url = source == null ? null : source.getLocation();
        return url == null ? null : url.toExternalForm();
    }

    /** Whether a message may have so many items, which are an array to whoever limits arrays. */
    boolean allowsItems(int count) {
        return checkInput(new OfClass(Object[].class, count)) != Status.REJECTED;
    }

    /** A class as such, or a number of its elements, which no stream has named. */
    private static final class OfClass implements FilterInfo {
        private final Class<?> type;
        private final long length;

        /** @param length -1 of what is no array */
        OfClass(Class<?> type, long length) {
            this.type = type;
            this.length = length;
        }

        @Override
        public Class<?> serialClass() {
            return type;
        }

        @Override
        public long arrayLength() {
            return length;
        }

        @Override
        public long depth() {
            return 1;
        }

        @Override
        public long references() {
            return 1;
        }

        @Override
        public long streamBytes() {
            return 0;
        }
    }
}
