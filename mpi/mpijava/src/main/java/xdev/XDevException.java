package xdev;

/** The root of MPJ Express's exceptions; unchecked. */
public class XDevException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public XDevException() {}

    public XDevException(String message) {
        super(message);
    }

    public XDevException(Throwable cause) {
        super(cause);
    }
}
