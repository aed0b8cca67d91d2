package org.sluice.mpi.cases;

/**
 * What both dialects of MPI have, in words of neither: each has a class that calls it, which cases are run with. Ranks
 * and tags that are special are those of this interface. Whatever a dialect throws is thrown.
 */
public interface MpiUnderTest {
    /** Any source, any tag. */
    int ANY = -1001;
    /** The rank that nobody is, beyond an edge, too. */
    int NOBODY = -1002;

    int UNDEFINED = -1003;

    /** Of sends. */
    enum Mode {
        STANDARD,
        SYNCHRONOUS,
        READY,
        BUFFERED
    }

    /** A datatype; a dialect's adapter has its own. */
    interface Type {
        /** In elements, as is all else. */
        int extent() throws Exception;

        int size() throws Exception;

        int lower() throws Exception;
    }

    /** A reduction. */
    interface Operation {
        void free() throws Exception;
    }

    /** A program's own reduction: into the second of its operands, of higher ranks. */
    @FunctionalInterface
    interface User {
        void apply(Object lower, int lowerAt, Object higher, int higherAt, int items);
    }

    /** A part of an array. */
    final class Part {
        public final Object array;
        public final int offset;
        public final int count;
        public final Type type;

        public Part(Object array, int offset, int count, Type type) {
            this.array = array;
            this.offset = offset;
            this.count = count;
            this.type = type;
        }
    }

    /** What came. */
    interface Got {
        int source();

        int tag();

        /** In the array of a wait for several. */
        int index();

        int count(Type type) throws Exception;

        int elements(Type type) throws Exception;

        boolean isCancelled() throws Exception;
    }

    /** A request. */
    interface Pending {
        Got await() throws Exception;

        /** Null while it is on its way. */
        Got test() throws Exception;

        void cancel() throws Exception;

        boolean isNull() throws Exception;

        /** Of a persistent one. */
        void start() throws Exception;
    }

    /** Ranks in an order. */
    interface Ranks {
        int size() throws Exception;

        int rank() throws Exception;

        Ranks including(int... ranks) throws Exception;

        Ranks excluding(int... ranks) throws Exception;

        Ranks includingRanges(int[]... ranges) throws Exception;

        Ranks excludingRanges(int[]... ranges) throws Exception;

        Ranks union(Ranks other) throws Exception;

        Ranks intersection(Ranks other) throws Exception;

        Ranks difference(Ranks other) throws Exception;

        /** IDENT, SIMILAR or UNEQUAL. */
        String compare(Ranks other) throws Exception;

        int[] translate(int[] ranks, Ranks other) throws Exception;
    }

    /** A communicator of any kind. */
    interface Comm {
        int rank() throws Exception;

        int size() throws Exception;

        void send(Mode mode, Part part, int to, int tag) throws Exception;

        Pending start(Mode mode, Part part, int to, int tag) throws Exception;

        Pending persistent(Mode mode, Part part, int to, int tag) throws Exception;

        Got receive(Part part, int from, int tag) throws Exception;

        Pending startReceive(Part part, int from, int tag) throws Exception;

        Pending persistentReceive(Part part, int from, int tag) throws Exception;

        Got probe(int from, int tag) throws Exception;

        /** Null if there is nothing. */
        Got probeNow(int from, int tag) throws Exception;

        Got exchange(Part out, int to, int tag, Part in, int from, int inTag) throws Exception;

        Got replace(Part part, int to, int tag, int from, int inTag) throws Exception;

        /** Bytes that a message of these takes. */
        int packedSize(int count, Type type) throws Exception;

        int pack(Part from, Object packed, int position) throws Exception;

        int unpack(Object packed, int position, Part to) throws Exception;

        void barrier() throws Exception;

        void broadcast(Part part, int root) throws Exception;

        /** In place if both are the same array, and so for all below that have two. */
        void gather(Part from, Part to, int root) throws Exception;

        void gather(Part from, Part to, int[] counts, int[] places, int root) throws Exception;

        void scatter(Part from, Part to, int root) throws Exception;

        void scatter(Part from, int[] counts, int[] places, Part to, int root) throws Exception;

        void allGather(Part from, Part to) throws Exception;

        void allGather(Part from, Part to, int[] counts, int[] places) throws Exception;

        void allToAll(Part from, Part to) throws Exception;

        void allToAll(Part from, int[] counts, int[] places, Part to, int[] inCounts, int[] inPlaces) throws Exception;

        void reduce(Part from, Part to, Operation op, int root) throws Exception;

        void allReduce(Part from, Part to, Operation op) throws Exception;

        void reduceScatter(Part from, Part to, int[] counts, Operation op) throws Exception;

        void scan(Part from, Part to, Operation op) throws Exception;

        Comm duplicate() throws Exception;

        /** Null without a color. */
        Comm split(int color, int key) throws Exception;

        /** Null if this rank isn't in it. */
        Comm create(Ranks ranks) throws Exception;

        Ranks group() throws Exception;

        /** IDENT, CONGRUENT, SIMILAR or UNEQUAL. */
        String compare(Comm other) throws Exception;

        void free() throws Exception;

        Object highestTag() throws Exception;

        /** Null for ranks that are left over, as those below. */
        Comm cartesian(int[] dims, boolean[] periods) throws Exception;

        int rankAt(int... coords) throws Exception;

        int[] coords(int rank) throws Exception;

        /** Source and destination. */
        int[] shift(int dimension, int by) throws Exception;

        Comm sub(boolean... remaining) throws Exception;

        /** Dimensions, periods and own coordinates. */
        Object[] grid() throws Exception;

        Comm graph(int[] index, int[] edges) throws Exception;

        int[] neighbours(int rank) throws Exception;

        /** Index and edges. */
        int[][] edges() throws Exception;

        /** CART, GRAPH or none. */
        String topology() throws Exception;

        Comm connect(Comm own, int leader, int otherLeader, int tag) throws Exception;

        boolean isInter() throws Exception;

        int remoteSize() throws Exception;

        Ranks remoteGroup() throws Exception;

        Comm merge(boolean high) throws Exception;
    }

    /** Whether it is MPJ Express's dialect, which has objects, and structs of an array's elements. */
    boolean isMpijava();

    /** The name of an exception's class of errors, in a dialect that has them; else null. */
    String errorClass(Exception thrown);

    Comm world() throws Exception;

    Comm self() throws Exception;

    Ranks noRanks() throws Exception;

    /** By MPI's name: INT, DOUBLE, INT2, OBJECT, PACKED. */
    Type type(String name) throws Exception;

    Type contiguous(int count, Type of) throws Exception;

    Type vector(int count, int length, int stride, Type of) throws Exception;

    /** As {@link #vector}, with its stride in elements. */
    Type elementVector(int count, int length, int stride, Type of) throws Exception;

    Type indexed(int[] lengths, int[] places, Type of) throws Exception;

    /** As {@link #indexed}, with places in elements, as a struct has them. */
    Type elementIndexed(int[] lengths, int[] places, Type of) throws Exception;

    Type struct(int[] lengths, int[] places, Type... types) throws Exception;

    void free(Type type) throws Exception;

    /** By MPI's name. */
    Operation op(String name) throws Exception;

    Operation op(User function, boolean isCommutative) throws Exception;

    /** For packing: of so many bytes, and what a dialect adds. */
    Object packBuffer(int bytes) throws Exception;

    void attachBuffer(int bytes) throws Exception;

    void detachBuffer() throws Exception;

    Got awaitAny(Pending... requests) throws Exception;

    Got[] awaitAll(Pending... requests) throws Exception;

    /** Those that are over. */
    Got[] awaitSome(Pending... requests) throws Exception;

    /** Null if none is over. */
    Got testAny(Pending... requests) throws Exception;

    /** Null while one is on its way. */
    Got[] testAll(Pending... requests) throws Exception;

    Got[] testSome(Pending... requests) throws Exception;

    void startAll(Pending... requests) throws Exception;

    /** Zeros are filled in. */
    int[] dims(int nodes, int... dims) throws Exception;

    /** All of an array of ints. */
    default Part ints(int... values) throws Exception {
        return new Part(values, 0, values.length, type("INT"));
    }

    /** So many items from the beginning of an array. */
    default Part part(Object array, int count, Type type) {
        return new Part(array, 0, count, type);
    }
}
