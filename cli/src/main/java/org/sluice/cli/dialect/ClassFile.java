package org.sluice.cli.dialect;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a class file says of itself and of others (The Java Virtual Machine Specification, chapter 4). Names of classes
 * have slashes.
 *
 * @param parents its superclass, if it has one, and its interfaces
 * @param declared names of its fields and methods
 * @param classes all that its constant pool names, arrays left out
 * @param members all of others and its own that it reads, writes or calls
 */
record ClassFile(List<String> parents, List<String> declared, List<String> classes, List<Member> members) {
    private static final int MAGIC = 0xCAFEBABE;

    record Member(String owner, String name) {}

    /** Empty for what is no class file, or one that is cut short. */
    static Optional<ClassFile> of(byte[] bytes) {
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            return in.getInt() == MAGIC ? Optional.of(new Reader(in).read()) : Optional.empty();
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private static final class Reader {
        private static final int UTF8 = 1;
        private static final int CLASS = 7;
        private static final int NAME_AND_TYPE = 12;

        private final ByteBuffer in;
        private final int[] tags;
        /** Where each constant's value begins. */
        private final int[] places;

        Reader(ByteBuffer in) {
            this.in = in;
            in.getInt(); // the version
            int count = unsigned();
            tags = new int[count];
            places = new int[count];
        }

        ClassFile read() {
            for (int i = 1; i < tags.length; i++) {
                tags[i] = in.get();
                places[i] = in.position();
                skip(length(tags[i]));
                // A long or a double takes two numbers.
                i += tags[i] == 5 || tags[i] == 6 ? 1 : 0;
            }
            List<String> classes = new ArrayList<>();
            List<Member> members = new ArrayList<>();
            for (int i = 1; i < tags.length; i++) {
                if (tags[i] == CLASS && !name(i).startsWith("[")) {
                    classes.add(name(i));
                } else if (tags[i] >= 9 && tags[i] <= 11) {
                    members.add(new Member(name(at(i, 0)), name(at(i, 2))));
                }
            }
            skip(4); // access flags, and its own name
            List<String> parents = new ArrayList<>();
            int superclass = unsigned();
            if (superclass != 0) {
                parents.add(name(superclass));
            }
            for (int left = unsigned(); left > 0; left--) {
                parents.add(name(unsigned()));
            }
            List<String> declared = new ArrayList<>();
            readMembers(declared);
            readMembers(declared);
            return new ClassFile(parents, declared, classes, members);
        }

        /** Of a constant; that of text stands in front of it. */
        private int length(int tag) {
            return switch (tag) {
                case UTF8 -> unsigned();
                case CLASS, 8, 16, 19, 20 -> 2;
                case 15 -> 3;
                case 3, 4, 9, 10, 11, NAME_AND_TYPE, 17, 18 -> 4;
                case 5, 6 -> 8;
                default -> throw new IllegalArgumentException("no such constant: " + tag);
            };
        }

        private void readMembers(List<String> names) {
            for (int left = unsigned(); left > 0; left--) {
                skip(2);
                names.add(name(unsigned()));
                skip(2);
                for (int attributes = unsigned(); attributes > 0; attributes--) {
                    skip(2);
                    skip(in.getInt());
                }
            }
        }

        /** The text of a constant, or of what it names first. */
        private String name(int index) {
            if (tags[index] == UTF8) {
                int length = Short.toUnsignedInt(in.getShort(places[index]));
                return new String(in.array(), places[index] + 2, length, StandardCharsets.UTF_8);
            }
            return name(at(index, 0));
        }

        private int at(int index, int offset) {
            return Short.toUnsignedInt(in.getShort(places[index] + offset));
        }

        private int unsigned() {
            return Short.toUnsignedInt(in.getShort());
        }

        private void skip(int bytes) {
            in.position(in.position() + bytes);
        }
    }
}
