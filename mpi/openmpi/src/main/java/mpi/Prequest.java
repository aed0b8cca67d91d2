package mpi;

import org.sluice.mpi.PersistentRequest;

/** A message that is started again and again. */
public final class Prequest extends Request {
    /** Null once it was freed. */
    private PersistentRequest request;

    Prequest(PersistentRequest request) {
        super(null);
        this.request = request;
    }

    /** MPI_Start. */
    public void start() throws MPIException {
        MPI.check();
        if (request == null) {
            throw Errors.of(MPI.ERR_REQUEST, "this request was freed");
        }
        if (isActive()) {
            throw Errors.of(MPI.ERR_REQUEST, "this request is on its way: wait for it before it is started again");
        }
        try {
            request.start();
        } catch (RuntimeException e) {
            throw failed(e);
        }
        begin(request);
    }

    /** MPI_Startall: in their order. */
    public static void startAll(Prequest[] requests) throws MPIException {
        for (Prequest request : requests) {
            request.start();
        }
    }

    @Override
    void forget() {
        request = null;
    }

    @Override
    boolean isKept() {
        return request != null;
    }
}
