package org.sluice.mpi.algorithm;

/** Which algorithm does a collective, by what it depends on: a table, of which the first row that fits counts. */
public final class Choice {
    private static final long ANY = Long.MAX_VALUE;

    private static final Row[] TABLE = {
        new Row(Collective.BARRIER, ANY, new DisseminationBarrier()),
        new Row(Collective.BROADCAST, ANY, new BinomialBroadcast()),
        new Row(Collective.GATHER, ANY, new LinearGather()),
        new Row(Collective.GATHER_BLOCKS, ANY, new LinearGather()),
        new Row(Collective.SCATTER, ANY, new LinearScatter()),
        new Row(Collective.SCATTER_BLOCKS, ANY, new LinearScatter()),
        new Row(Collective.ALL_GATHER, 8_192, new BruckAllGather()),
        new Row(Collective.ALL_GATHER, ANY, new RingAllGather()),
        new Row(Collective.ALL_GATHER_BLOCKS, ANY, new RingAllGather()),
        new Row(Collective.ALL_TO_ALL, ANY, new PairwiseAllToAll()),
        new Row(Collective.ALL_TO_ALL_BLOCKS, ANY, new PairwiseAllToAll()),
        new Row(Collective.REDUCE, ANY, new BinomialReduce()),
        new Row(Collective.ALL_REDUCE, 16_384, new RecursiveDoublingAllReduce()),
        new Row(Collective.ALL_REDUCE, ANY, true, new RingAllReduce()),
        new Row(Collective.ALL_REDUCE, ANY, new RecursiveDoublingAllReduce()),
        new Row(Collective.AGREEMENT, ANY, new RecursiveDoublingAllReduce()),
        new Row(Collective.REDUCE_SCATTER, ANY, new PairwiseReduceScatter()),
        new Row(Collective.REDUCE_SCATTER_BLOCK, ANY, new PairwiseReduceScatter()),
        new Row(Collective.SCAN, ANY, new RecursiveDoublingScan(false)),
        new Row(Collective.EXCLUSIVE_SCAN, ANY, new RecursiveDoublingScan(true)),
        new Row(Collective.NEIGHBOUR_ALL_GATHER, ANY, new NeighbourExchange()),
        new Row(Collective.NEIGHBOUR_ALL_GATHER_BLOCKS, ANY, new NeighbourExchange()),
        new Row(Collective.NEIGHBOUR_ALL_TO_ALL, ANY, new NeighbourExchange()),
        new Row(Collective.NEIGHBOUR_ALL_TO_ALL_BLOCKS, ANY, new NeighbourExchange()),
    };

    /**
     * A row of the table.
     *
     * @param mostBytes of one rank's block, at which it still fits
     * @param commutative whether it lets operands change places
     */
    private record Row(Collective collective, long mostBytes, boolean commutative, Algorithm algorithm) {
        Row(Collective collective, long mostBytes, Algorithm algorithm) {
            this(collective, mostBytes, false, algorithm);
        }

        boolean fits(Collective wanted, long bytes, boolean isCommutative) {
            return collective == wanted && bytes <= mostBytes && (isCommutative || !commutative);
        }
    }

    private Choice() {}

    /**
     * The first that fits.
     *
     * @param bytes of one rank's block, where they are all alike, else 0
     * @param isCommutative whether operands may change places
     */
    public static Algorithm of(Collective collective, long bytes, boolean isCommutative) {
        for (Row row : TABLE) {
            if (row.fits(collective, bytes, isCommutative)) {
                return row.algorithm;
            }
        }
        throw new IllegalStateException("no algorithm for " + collective);
    }
}
