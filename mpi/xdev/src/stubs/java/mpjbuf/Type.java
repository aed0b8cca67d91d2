package mpjbuf;

public class Type {
    private Type() {}

    public static Type getType(int code) {
        return null;
    }
}
