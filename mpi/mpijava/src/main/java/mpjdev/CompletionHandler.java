package mpjdev;

/** Told of a request's end. */
public interface CompletionHandler {
    void handleCompletion(Status status);
}
