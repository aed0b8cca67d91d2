package org.sluice.cli.dialect;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
    /** By dialect: which class of the program uses what that only this one has. */
    private final Map<String, String> telling = new HashMap<>();

    private final Set<String> judged = new HashSet<>();
    /** What of both dialects it uses. */
    private boolean isShared;
    /** What of none of them it uses, although a dialect has the class. */
    private boolean isForeign;

    private Spoken(ClassPath program, Map<String, DialectJar> dialects) {
        this.program = program;
        this.dialects = dialects;
    }

    /**
     * The dialect of a program, or {@link #SHARED}; empty if it speaks none.
     *
     * @param dialects by name
     * @throws IllegalArgumentException where it uses what only one has, and what only another has
     */
    static Optional<String> by(ClassPath program, String mainClass, Map<String, DialectJar> dialects) {
        Spoken spoken = new Spoken(program, dialects);
        spoken.walk(mainClass.replace('.', '/'));
        if (spoken.telling.size() > 1) {
            throw new IllegalArgumentException("the program speaks several dialects of MPI: "
                    + String.join(
                            "; ", spoken.telling.values().stream().sorted().toList())
                    + ". A program has one of them: --mpi " + String.join(" or --mpi ", dialects.keySet())
                    + " says which");
        }
        if (!spoken.telling.isEmpty()) {
            return Optional.of(spoken.telling.keySet().iterator().next());
        }
        // An unrelated package may be called mpi.
        return spoken.isShared && !spoken.isForeign ? Optional.of(SHARED) : Optional.empty();
    }

    private void walk(String mainClass) {
        Set<String> seen = new HashSet<>(Set.of(mainClass));
        Deque<String> next = new ArrayDeque<>(seen);
        while (!next.isEmpty() && seen.size() <= MOST_CLASSES) {
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
            this.telling.putIfAbsent(
                    telling.get(0),
                    user.replace('/', '.') + " uses " + owner.replace('/', '.') + (member.isEmpty() ? "" : "." + member)
                            + ", which only " + telling.get(0) + " has");
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
