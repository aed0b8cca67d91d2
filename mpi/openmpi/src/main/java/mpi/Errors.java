package mpi;

import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.mpi.MismatchedCallException;

/** What Sluice throws as MPI's classes of errors. */
final class Errors {
    private Errors() {}

    static MPIException of(int errorClass, String message) {
        return new MPIException(errorClass, message, null);
    }

    static MPIException unsupported(String what, String instead) {
        return of(MPI.ERR_UNSUPPORTED_OPERATION, what + " is not there in Sluice yet: " + instead);
    }

    static MPIException of(RuntimeException error) {
        if (error instanceof UserOperation.Failure) {
            return ((UserOperation.Failure) error).thrown();
        }
        if (MPI.isOver()) {
            return new MPIException(MPI.ERR_OTHER, "MPI is finalized: no call comes after MPI.Finalize", error);
        }
        return new MPIException(errorClass(error), message(error), error);
    }

    private static String message(RuntimeException error) {
        return error.getMessage() == null ? error.toString() : error.getMessage();
    }

    private static int errorClass(RuntimeException error) {
        if (error instanceof SluiceException) {
            return errorClass(((SluiceException) error).code());
        }
        if (error instanceof MismatchedCallException) {
            return MPI.ERR_OTHER;
        }
        if (error instanceof IndexOutOfBoundsException) {
            return MPI.ERR_BUFFER;
        }
        if (error instanceof IllegalArgumentException || error instanceof ArithmeticException) {
            return MPI.ERR_ARG;
        }
        return MPI.ERR_OTHER;
    }

    static int errorClass(ErrorCode code) {
        switch (code) {
            case NONE:
                return MPI.SUCCESS;
            case TRUNCATED:
                return MPI.ERR_TRUNCATE;
            case ELEMENT_MISMATCH:
                return MPI.ERR_TYPE;
            case PEER_CLOSED:
            case PEER_DEAD:
            case PEER_CORRUPT:
                return MPI.ERR_PROC_ABORTED;
            case REVOKED:
                return MPI.ERR_COMM;
            case BUFFER_LOST:
                return MPI.ERR_BUFFER;
            case NO_MEMORY:
                return MPI.ERR_NO_MEM;
            case DEVICE_CLOSED:
            case DEVICE_FAILED:
                return MPI.ERR_INTERN;
            default:
                return MPI.ERR_OTHER;
        }
    }
}
