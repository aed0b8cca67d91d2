package mpi;

import java.nio.Buffer;

/**
 * One-sided communication, which Sluice has not yet: each call throws an MPIException of class
 * ERR_UNSUPPORTED_OPERATION.
 */
public final class Win implements Freeable {
    public static final int WIN_NULL = 0;
    public static final int FLAVOR_PRIVATE = 0;
    public static final int FLAVOR_SHARED = 1;

    private static MPIException unsupported() {
        return Errors.unsupported("One-sided communication (Win)", "send and receive messages");
    }

    public Win(Buffer buffer, int number1, int number2, Info info, Comm comm) throws MPIException {
        throw unsupported();
    }

    public Win(int number1, int number2, Info info, Comm comm, Buffer buffer, int number3) throws MPIException {
        throw unsupported();
    }

    public Win(Info info, Comm comm) throws MPIException {
        throw unsupported();
    }

    public void attach(Buffer buffer, int number) throws MPIException {
        throw unsupported();
    }

    public void detach(Buffer buffer) throws MPIException {
        throw unsupported();
    }

    public Group getGroup() throws MPIException {
        throw unsupported();
    }

    public void put(Buffer buffer, int number1, Datatype type1, int number2, int number3, int number4, Datatype type2)
            throws MPIException {
        throw unsupported();
    }

    public void get(Buffer buffer, int number1, Datatype type1, int number2, int number3, int number4, Datatype type2)
            throws MPIException {
        throw unsupported();
    }

    public void accumulate(
            Buffer buffer, int number1, Datatype type1, int number2, int number3, int number4, Datatype type2, Op op)
            throws MPIException {
        throw unsupported();
    }

    public void fence(int number) throws MPIException {
        throw unsupported();
    }

    public void start(Group group, int number) throws MPIException {
        throw unsupported();
    }

    public void complete() throws MPIException {
        throw unsupported();
    }

    public void post(Group group, int number) throws MPIException {
        throw unsupported();
    }

    public void waitFor() throws MPIException {
        throw unsupported();
    }

    public boolean test() throws MPIException {
        throw unsupported();
    }

    public void lock(int number1, int number2, int number3) throws MPIException {
        throw unsupported();
    }

    public void unlock(int number) throws MPIException {
        throw unsupported();
    }

    public void setErrhandler(Errhandler handler) throws MPIException {
        throw unsupported();
    }

    public Errhandler getErrhandler() throws MPIException {
        throw unsupported();
    }

    public void callErrhandler(int number) throws MPIException {
        throw unsupported();
    }

    public static int createKeyval() throws MPIException {
        throw unsupported();
    }

    public static void freeKeyval(int number) throws MPIException {
        throw unsupported();
    }

    public void setAttr(int number, Object value) throws MPIException {
        throw unsupported();
    }

    public Object getAttr(int number) throws MPIException {
        throw unsupported();
    }

    public void deleteAttr(int number) throws MPIException {
        throw unsupported();
    }

    @Override
    public void free() throws MPIException {
        throw unsupported();
    }

    public Info getInfo() throws MPIException {
        throw unsupported();
    }

    public void setInfo(Info info) throws MPIException {
        throw unsupported();
    }

    public final Request rPut(
            Buffer buffer, int number1, Datatype type1, int number2, int number3, int number4, Datatype type2)
            throws MPIException {
        throw unsupported();
    }

    public final Request rGet(
            Buffer buffer, int number1, Datatype type1, int number2, int number3, int number4, Datatype type2)
            throws MPIException {
        throw unsupported();
    }

    public Request rAccumulate(
            Buffer buffer, int number1, Datatype type1, int number2, int number3, int number4, Datatype type2, Op op)
            throws MPIException {
        throw unsupported();
    }

    public void getAccumulate(
            Buffer buffer1,
            int number1,
            Datatype type1,
            Buffer buffer2,
            int number2,
            Datatype type2,
            int number3,
            int number4,
            int number5,
            Datatype type3,
            Op op)
            throws MPIException {
        throw unsupported();
    }

    public Request rGetAccumulate(
            Buffer buffer1,
            int number1,
            Datatype type1,
            Buffer buffer2,
            int number2,
            Datatype type2,
            int number3,
            int number4,
            int number5,
            Datatype type3,
            Op op)
            throws MPIException {
        throw unsupported();
    }

    public void lockAll(int number) throws MPIException {
        throw unsupported();
    }

    public void unlockAll() throws MPIException {
        throw unsupported();
    }

    public void sync() throws MPIException {
        throw unsupported();
    }

    public void flush(int number) throws MPIException {
        throw unsupported();
    }

    public void flushAll() throws MPIException {
        throw unsupported();
    }

    public void compareAndSwap(Buffer buffer1, Buffer buffer2, Buffer buffer3, Datatype type, int number1, int number2)
            throws MPIException {
        throw unsupported();
    }

    public void fetchAndOp(Buffer buffer1, Buffer buffer2, Datatype type, int number1, int number2, Op op)
            throws MPIException {
        throw unsupported();
    }

    public void flushLocal(int number) throws MPIException {
        throw unsupported();
    }

    public void flushLocalAll() throws MPIException {
        throw unsupported();
    }

    public String getName() throws MPIException {
        throw unsupported();
    }

    public void setName(String name) throws MPIException {
        throw unsupported();
    }
}
