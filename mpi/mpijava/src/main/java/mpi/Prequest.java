package mpi;

/** A send or receive that is started again and again, each time with what is in its buffer by then. */
public class Prequest extends Request {
    /** Begins one run. */
    @FunctionalInterface
    interface Beginning {
        Request begin();
    }

    private final Beginning beginning;
    private Request run;

    Prequest(Beginning beginning) {
        this.beginning = beginning;
    }

    /** Begins it; one that is on its way is waited for before. */
    public void Start() throws MPIException {
        if (pending != null) {
            throw new MPIException("a persistent request was started that is on its way: wait for it before");
        }
        run = beginning.begin();
        pending = run.pending;
    }

    @Override
    Status complete(org.sluice.device.Status found) {
        try {
            return run.complete(found);
        } finally {
            run.pending = null;
        }
    }

    /** Starts all, in their order; null elements aren't. */
    public static void Startall(Prequest[] array_of_request) throws MPIException {
        for (Prequest request : array_of_request) {
            if (request != null) {
                request.Start();
            }
        }
    }
}
