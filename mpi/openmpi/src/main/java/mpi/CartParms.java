package mpi;

/** A grid, and this rank's place in it. */
public final class CartParms {
    private final int[] dims;
    private final boolean[] periods;
    private final int[] coords;

    CartParms(int[] dims, boolean[] periods, int[] coords) {
        this.dims = dims;
        this.periods = periods;
        this.coords = coords;
    }

    public int getDimCount() {
        return dims.length;
    }

    /** The size of a dimension. */
    public int getDim(int i) {
        return dims[i];
    }

    public boolean getPeriod(int i) {
        return periods[i];
    }

    /** This rank's coordinate in a dimension. */
    public int getCoord(int i) {
        return coords[i];
    }
}
