package mpjdev;

/** A request of MPJ Express's layer below {@code mpi}, for programs that name it: {@code mpi.Request} has none. */
public abstract class Request {
    public Request() {}

    /** Waits for it. */
    public abstract Status iwait();

    /** @return null while it is on its way */
    public abstract Status itest();

    public abstract void free();

    public abstract boolean isnull();

    public abstract boolean cancel();
}
