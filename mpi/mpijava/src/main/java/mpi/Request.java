package mpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;

/**
 * A send or receive on its way. A wait or test that finds it over makes it null. Its buffer belongs to the call until
 * then.
 *
 * <p><i>Thread</i>: one at a time. <i>Fails</i>: a wait throws what became of it, a receive that was too small for
 * instance.
 */
public class Request {
    /** Null, but of requests that programs make of one. */
    public mpjdev.Request req;

    /** Null once a wait or test has found that it is over. */
    org.sluice.device.Request pending;

    Datatype datatype;
    private int count;

    /** A null one. */
    Request() {}

    public Request(mpjdev.Request req) {
        this.req = req;
    }

    Request(org.sluice.device.Request pending, Datatype datatype, int count) {
        this.pending = pending;
        this.datatype = datatype;
        this.count = count;
        MPI.begun(this);
    }

    /** Whether it is on its way, as far as that is known. */
    final boolean isOpen() {
        org.sluice.device.Request known = pending;
        return known != null && !known.isDone();
    }

    /** Waits until it is over; a null one is. */
    public Status Wait() throws MPIException {
        if (pending == null) {
            // The object itself, as programs compare with it.
            return req == null ? MPI.EMPTY_STATUS : new Status(req.iwait());
        }
        try {
            return complete(MPI.scratch());
        } catch (SluiceException e) {
            if (e.code() == ErrorCode.CANCELLED) {
                return Status.cancelled();
            }
            throw MPIException.of(e);
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        } finally {
            pending = null;
        }
    }

    /** Waits for what is pending. */
    Status complete(org.sluice.device.Status found) {
        pending.waitFor(found);
        return Status.of(found, datatype, count);
    }

    /** @return null while it is on its way */
    public Status Test() throws MPIException {
        if (pending == null && req != null) {
            mpjdev.Status found = req.itest();
            return found == null ? null : new Status(found);
        }
        return pending == null || pending.isDone() ? Wait() : null;
    }

    public boolean Is_null() throws MPIException {
        return pending == null && (req == null || req.isnull());
    }

    /** Withdraws it if nothing has matched it. A wait is needed all the same: its status says whether it was. */
    public void Cancel() throws MPIException {
        if (pending != null) {
            pending.cancel();
        }
    }

    /** Does nothing. */
    @Override
    @SuppressWarnings({"deprecation", "removal"})
    public void finalize() throws MPIException {}

    // --- several -----------------------------------------------------------------------------------------------------

    /** What is pending; null for what isn't waited for. */
    private static org.sluice.device.Request[] pending(Request[] r) {
        if (r == null) {
            throw new MPIException("the array of requests is null");
        }
        org.sluice.device.Request[] all = new org.sluice.device.Request[r.length];
        for (int i = 0; i < r.length; i++) {
            all[i] = r[i] == null ? null : r[i].pending;
        }
        return all;
    }

    private Status wait(int index) {
        // One that is given twice is null by the second time.
        Status status = pending == null ? Status.empty() : Wait();
        status.index = index;
        return status;
    }

    /** Waits for all. @return a status for each, null for a null element */
    public static Status[] Waitall(Request[] r) throws MPIException {
        pending(r);
        Status[] statuses = new Status[r.length];
        MPIException failed = null;
        for (int i = 0; i < r.length; i++) {
            try {
                statuses[i] = r[i] == null ? null : r[i].Wait();
            } catch (MPIException e) {
                failed = failed == null ? e : failed;
            }
        }
        if (failed != null) {
            throw failed;
        }
        return statuses;
    }

    /** Waits for one. @return its status, with its index; that is {@code MPI.UNDEFINED} if all are null */
    public static Status Waitany(Request[] r) throws MPIException {
        int index = MPI.world().waitAny(pending(r));
        return index < 0 ? Status.ofNone() : r[index].wait(index);
    }

    /** Waits for one at least. @return those of all that are over, each with its index; none if all are null */
    public static Status[] Waitsome(Request[] r) throws MPIException {
        return found(r, MPI.world().waitSome(pending(r)));
    }

    private static Status[] found(Request[] r, int[] indices) {
        List<Status> statuses = new ArrayList<>();
        MPIException failed = null;
        for (int index : indices) {
            try {
                statuses.add(r[index].wait(index));
            } catch (MPIException e) {
                failed = failed == null ? e : failed;
            }
        }
        if (failed != null) {
            throw failed;
        }
        return statuses.toArray(new Status[0]);
    }

    /** @return the status of one that is over, with its index; null if none is, and if all are null */
    public static Status Testany(Request[] r) throws MPIException {
        int index = MPI.world().testAny(pending(r));
        return index < 0 ? null : r[index].wait(index);
    }

    /** @return as {@link #Waitall}; null while one is on its way, and then none is made null */
    public static Status[] Testall(Request[] r) throws MPIException {
        org.sluice.device.Request[] pending = pending(r);
        MPI.device().progress();
        return Arrays.stream(pending).allMatch(each -> each == null || each.isDone()) ? Waitall(r) : null;
    }

    /** @return those of all that are over, each with its index */
    public static Status[] Testsome(Request[] r) throws MPIException {
        return found(r, MPI.world().testSome(pending(r)));
    }
}
