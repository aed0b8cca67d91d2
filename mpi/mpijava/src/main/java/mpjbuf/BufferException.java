package mpjbuf;

/** What goes wrong with a {@link Buffer}: no room, another type, reading what is being written. */
public class BufferException extends Exception {
    private static final long serialVersionUID = 1;

    public BufferException() {}

    public BufferException(String message) {
        super(message);
    }

    public BufferException(String message, Throwable cause) {
        super(message, cause);
    }
}
