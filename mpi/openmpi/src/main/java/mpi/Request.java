package mpi;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;

/**
 * MPI_Request: a message or collective on its way. Once a wait or test has found that it is over, it is null.
 *
 * <p><i>Thread</i>: one at a time. <i>Fails</i>: what it stands for fails in the wait or test that finds it over.
 */
public class Request implements Freeable {
    /** Null where nobody has to wait. */
    private org.sluice.device.Request active;
    /** Whose error handler hears of its failure; null for the world's. */
    private Comm comm;
    /** Of one that was over when it began, and that no wait has found yet; else null. */
    private Status known;

    Request(org.sluice.device.Request request) {
        begin(request);
    }

    /** One that is over. */
    static Request over(Status status) {
        Request request = new Request(null);
        request.known = status;
        return request;
    }

    final Request of(Comm newComm) {
        comm = newComm;
        return this;
    }

    final MPIException failed(Exception error) {
        return (comm == null ? MPI.COMM_WORLD : comm).failed(error);
    }

    final void begin(org.sluice.device.Request request) {
        active = request;
        if (request != null) {
            MPI.begun(this);
        }
    }

    final boolean isActive() {
        return active != null;
    }

    /** Whether it is on its way and wasn't freed, as far as that is known. */
    final boolean isOpen() {
        org.sluice.device.Request known = active;
        return known != null && !known.isDone();
    }

    private static Request checked(Request request) throws MPIException {
        if (request == null) {
            throw Errors.of(MPI.ERR_REQUEST, "a request is null: MPI.REQUEST_NULL is one that isn't waited for");
        }
        return request;
    }

    /** One that is over, or that this waits for. */
    private Status take(int index) throws MPIException {
        if (known != null) {
            Status status = known.at(index);
            known = null;
            return status;
        }
        if (active == null) {
            return Status.empty(index);
        }
        org.sluice.device.Status status = new org.sluice.device.Status();
        try {
            active.waitFor(status);
        } catch (SluiceException e) {
            if (e.code() == ErrorCode.CANCELLED) {
                return Status.cancelled(index);
            }
            throw failed(e);
        } finally {
            active = null;
        }
        return new Status(status, index);
    }

    /** MPI_Request_free: what is on its way goes on. */
    @Override
    public void free() throws MPIException {
        MPI.check();
        active = null;
        known = null;
        forget();
    }

    /** For what can be started again. */
    void forget() {}

    /** MPI_Cancel. */
    public final void cancel() throws MPIException {
        MPI.check();
        if (active != null) {
            active.cancel();
        }
    }

    /** Whether it is MPI_REQUEST_NULL. */
    public final boolean isNull() {
        return active == null && known == null && !isKept();
    }

    /** Whether it stays a request when it is over. */
    boolean isKept() {
        return false;
    }

    /** MPI_Wait. */
    public final Status waitStatus() throws MPIException {
        MPI.check();
        return take(0);
    }

    /** MPI_Wait, without a status. */
    public final void waitFor() throws MPIException {
        MPI.check();
        take(0);
    }

    /** MPI_Test: null while it isn't over. */
    public final Status testStatus() throws MPIException {
        MPI.check();
        return isDone() ? take(0) : null;
    }

    private boolean isDone() {
        return active == null || active.isDone();
    }

    /** MPI_Request_get_status: null while it isn't over; it stays as it is. */
    public final Status getStatus() throws MPIException {
        MPI.check();
        if (active == null) {
            return known == null ? Status.empty(0) : known;
        }
        if (!active.isDone()) {
            return null;
        }
        try {
            return new Status(active.test());
        } catch (SluiceException e) {
            if (e.code() == ErrorCode.CANCELLED) {
                return Status.cancelled(0);
            }
            throw failed(e);
        }
    }

    /** MPI_Test, without a status. */
    public final boolean test() throws MPIException {
        return testStatus() != null;
    }

    // --- several -----------------------------------------------------------------------------------------------------

    /** As Sluice waits for them. */
    private static org.sluice.device.Request[] plain(Request[] requests) throws MPIException {
        MPI.check();
        org.sluice.device.Request[] plain = new org.sluice.device.Request[requests.length];
        for (int i = 0; i < plain.length; i++) {
            plain[i] = checked(requests[i]).active;
        }
        return plain;
    }

    /** The first that was over when it began, or -1. */
    private static int firstKnown(Request[] requests) throws MPIException {
        for (int i = 0; i < requests.length; i++) {
            if (checked(requests[i]).known != null) {
                return i;
            }
        }
        return -1;
    }

    private static int[] allKnown(Request[] requests) {
        return IntStream.range(0, requests.length)
                .filter(i -> requests[i].known != null)
                .toArray();
    }

    private static boolean areInactive(org.sluice.device.Request[] plain) {
        for (org.sluice.device.Request each : plain) {
            if (each != null) {
                return false;
            }
        }
        return true;
    }

    /** MPI_Waitany: its index is {@link MPI#UNDEFINED} if there is none to wait for. */
    public static Status waitAnyStatus(Request[] requests) throws MPIException {
        int index = firstKnown(requests);
        index = index < 0 ? MPI.world().waitAny(plain(requests)) : index;
        return index < 0 ? Status.empty(MPI.UNDEFINED) : requests[index].take(index);
    }

    /** As {@link #waitAnyStatus}: which one. */
    public static int waitAny(Request[] requests) throws MPIException {
        return waitAnyStatus(requests).getIndex();
    }

    /** MPI_Testany: null if none is over; its index is {@link MPI#UNDEFINED} if there is none to wait for. */
    public static Status testAnyStatus(Request[] requests) throws MPIException {
        org.sluice.device.Request[] plain = plain(requests);
        int index = firstKnown(requests);
        index = index < 0 ? MPI.world().testAny(plain) : index;
        if (index < 0) {
            return areInactive(plain) ? Status.empty(MPI.UNDEFINED) : null;
        }
        return requests[index].take(index);
    }

    /** As {@link #testAnyStatus}: which one, or {@link MPI#UNDEFINED}. */
    public static int testAny(Request[] requests) throws MPIException {
        Status status = testAnyStatus(requests);
        return status == null ? MPI.UNDEFINED : status.getIndex();
    }

    /** MPI_Waitall. All are waited for; if any has failed, it is an exception of ERR_IN_STATUS. */
    public static Status[] waitAllStatus(Request[] requests) throws MPIException {
        MPI.check();
        if (requests == null) {
            throw Errors.of(MPI.ERR_REQUEST, "the array of requests is null: give those that are to be waited for");
        }
        for (Request request : requests) {
            checked(request);
        }
        Status[] statuses = new Status[requests.length];
        int[] all = new int[requests.length];
        Arrays.setAll(all, i -> i);
        take(requests, all, statuses);
        return statuses;
    }

    /** Of those at some indices, also where one of them fails. */
    private static void take(Request[] requests, int[] indices, Status[] statuses) throws MPIException {
        MPIException first = null;
        for (int i = 0; i < indices.length; i++) {
            try {
                statuses[i] = requests[indices[i]].take(indices[i]);
            } catch (MPIException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw new MPIException(MPI.ERR_IN_STATUS, first.getMessage(), first);
        }
    }

    /** As {@link #waitAllStatus}, without statuses. */
    public static void waitAll(Request[] requests) throws MPIException {
        waitAllStatus(requests);
    }

    /** MPI_Testall: null while one isn't over. */
    public static Status[] testAllStatus(Request[] requests) throws MPIException {
        MPI.check();
        for (Request request : requests) {
            if (!checked(request).isDone()) {
                return null;
            }
        }
        return waitAllStatus(requests);
    }

    /** As {@link #testAllStatus}, without statuses. */
    public static boolean testAll(Request[] requests) throws MPIException {
        return testAllStatus(requests) != null;
    }

    /** MPI_Waitsome: null if there is none to wait for. */
    public static Status[] waitSomeStatus(Request[] requests) throws MPIException {
        org.sluice.device.Request[] plain = plain(requests);
        if (firstKnown(requests) >= 0) {
            return taken(requests, allKnown(requests));
        }
        return areInactive(plain) ? null : taken(requests, MPI.world().waitSome(plain));
    }

    private static Status[] taken(Request[] requests, int[] indices) throws MPIException {
        Status[] statuses = new Status[indices.length];
        take(requests, indices, statuses);
        return statuses;
    }

    private static int[] indices(Status[] statuses) {
        return statuses == null
                ? null
                : Arrays.stream(statuses).mapToInt(Status::getIndex).toArray();
    }

    /** As {@link #waitSomeStatus}: which ones. */
    public static int[] waitSome(Request[] requests) throws MPIException {
        return indices(waitSomeStatus(requests));
    }

    /** MPI_Testsome: empty if none is over, and null if there is none to wait for. */
    public static Status[] testSomeStatus(Request[] requests) throws MPIException {
        org.sluice.device.Request[] plain = plain(requests);
        if (firstKnown(requests) >= 0) {
            return taken(requests, allKnown(requests));
        }
        return areInactive(plain) ? null : taken(requests, MPI.world().testSome(plain));
    }

    /** As {@link #testSomeStatus}: which ones. */
    public static int[] testSome(Request[] requests) throws MPIException {
        return indices(testSomeStatus(requests));
    }
}
