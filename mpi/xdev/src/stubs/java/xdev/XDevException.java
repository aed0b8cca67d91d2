package xdev;

public class XDevException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public XDevException(String message) {}
}
