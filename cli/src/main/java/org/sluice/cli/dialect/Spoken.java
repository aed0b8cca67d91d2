package org.sluice.cli.dialect;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Looks through the class files of a program, from its main class on and through those that it names, for what only one
 * of the dialects has: a class of that name, or a member. Names are enough, as the dialects write even the same calls
 * in different ways ({@code Send}, {@code send}), and they hold for other versions of either, too.
 *
 * <p>Proof: {@code DialectsTest}.
 */
final class Spoken {
    /** Instead of a dialect's name: all that the program uses is in both. */
    static final String SHARED = "";
    /** What isn't found in as many classes next to the main class is looked for no longer: this delays the start. */
    static final int MOST_CLASSES = 2000;

    private static final List<String> OF_MPI = List.of("mpi/", "mpjbuf/", "mpjdev/", "xdev/");
    /** No program's own, and many. */
    private static final List<String> LIBRARIES =
            List.of("java/", "javax/", "jdk/", "sun/", "kotlin/", "kotlinx/", "scala/", "groovy/", "org/sluice/");

    private final ClassPath program;
    private final Map<String, DialectJar> dialects;
    /** Which class of the program uses what only one dialect has, and how far from the main class it is. */
    private record Told(String words, int distance) {}

    /** By dialect; the nearest. */
    private final Map<String, Told> telling = new TreeMap<>();

    private final Set<String> judged = new HashSet<>();
    /** Of the class that is looked through from the main class. */
    private int distance;
    /** What of both dialects it uses. */
    private boolean isShared;
    /** What of none of them it uses, although a dialect has the class. */
    private boolean isForeign;

    private Spoken(ClassPath program, Map<String, DialectJar> dialects) {
        this.program = program;
        this.dialects = dialects;
    }

    /**
     * What a program speaks.
     *
     * @param dialect its name, or {@link #SHARED}
     * @param line what of another dialect's is further from the main class; null if nothing is
     */
    record Found(String dialect, String line) {}

    /**
     * The dialect of a program; empty if it speaks none. If it uses what only one has, and what only another has, that
     * is its dialect which is nearer to the main class.
     *
     * @param mainClasses where to begin
     * @param dialects by name
     * @throws IllegalArgumentException where several are as near
     */
    static Optional<Found> by(ClassPath program, List<String> mainClasses, Map<String, DialectJar> dialects) {
        Spoken spoken = new Spoken(program, dialects);
        spoken.walk(mainClasses);
        if (!spoken.telling.isEmpty()) {
            return Optional.of(spoken.nearest());
        }
        // An unrelated package may be called mpi.
        return spoken.isShared && !spoken.isForeign ? Optional.of(new Found(SHARED, null)) : Optional.empty();
    }

    private Found nearest() {
        int least = telling.values().stream().mapToInt(Told::distance).min().orElseThrow();
        List<String> near = telling.keySet().stream()
                .filter(name -> telling.get(name).distance() == least)
                .toList();
        String words = String.join(
                "; ", telling.values().stream().map(Told::words).sorted().toList());
        if (near.size() > 1) {
            throw new IllegalArgumentException("the program speaks several dialects of MPI: " + words
                    + ". A program has one of them: --mpi " + String.join(" or --mpi ", near) + " says which");
        }
        String name = near.get(0);
        return new Found(
                name,
                telling.size() == 1
                        ? null
                        : "the program speaks several dialects of MPI, and gets " + name
                                + ", which is nearer to its main class: " + words + "; --mpi says otherwise");
    }

    private void walk(List<String> mainClasses) {
        Set<String> seen = new HashSet<>();
        Deque<String> next = new ArrayDeque<>();
        for (String mainClass : mainClasses) {
            next.add(mainClass.replace('.', '/'));
        }
        seen.addAll(next);
        int leftOfDistance = next.size();
        for (; !next.isEmpty() && seen.size() <= MOST_CLASSES; leftOfDistance--) {
            if (leftOfDistance == 0) {
                distance++;
                leftOfDistance = next.size();
            }
            String type = next.poll();
            byte[] bytes = program.read(type + ".class");
            Optional<ClassFile> file = bytes == null ? Optional.empty() : ClassFile.of(bytes);
            if (file.isEmpty()) {
                continue;
            }
            for (ClassFile.Member member : file.get().members()) {
                if (isOf(OF_MPI, member.owner())) {
                    judge(type, member.owner(), member.name());
                }
            }
            for (String named : file.get().classes()) {
                if (isOf(OF_MPI, named) && judge(type, named, "") || isOf(LIBRARIES, named)) {
                    continue;
                }
                if (seen.add(named)) {
                    next.add(named);
                }
            }
        }
    }

    /**
     * @param member empty for the class itself
     * @return whether a dialect has the class
     */
    private boolean judge(String user, String owner, String member) {
        List<String> having = dialects.keySet().stream()
                .filter(name -> dialects.get(name).has(owner))
                .toList();
        if (having.isEmpty() || member.startsWith("<") || !judged.add(owner + "." + member)) {
            return !having.isEmpty();
        }
        List<String> telling = member.isEmpty()
                ? having
                : having.stream()
                        .filter(name -> dialects.get(name).has(owner, member))
                        .toList();
        if (telling.size() == 1) {
            String words = user.replace('/', '.') + " uses " + owner.replace('/', '.')
                    + (member.isEmpty() ? "" : "." + member) + ", which only " + telling.get(0) + " has";
            this.telling.putIfAbsent(telling.get(0), new Told(words, distance));
        }
        isForeign |= telling.isEmpty();
        isShared |= telling.size() > 1;
        return true;
    }

    private static boolean isOf(List<String> packages, String type) {
        for (String prefix : packages) {
            if (type.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
