package mpjdev;

public abstract class Request {
    public Request() {}

    public abstract Status iwait();

    public abstract Status itest();

    public abstract void free();

    public abstract boolean isnull();

    public abstract boolean cancel();

    protected void complete(Status status) {}
}
