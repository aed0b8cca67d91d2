package mpjbuf;

public class Type {
    public static Type getType(int code) {
        return null;
    }
}
