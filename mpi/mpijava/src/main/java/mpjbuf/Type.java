package mpjbuf;

/** The type of a section's elements. */
public class Type {
    public static final Type BYTE = new Type(0, 1);
    public static final Type CHAR = new Type(1, Character.BYTES);
    public static final Type SHORT = new Type(2, Short.BYTES);
    public static final Type BOOLEAN = new Type(3, 1);
    public static final Type INT = new Type(4, Integer.BYTES);
    public static final Type LONG = new Type(5, Long.BYTES);
    public static final Type FLOAT = new Type(6, Float.BYTES);
    public static final Type DOUBLE = new Type(7, Double.BYTES);
    public static final Type OBJECT = new Type(8, 0);
    public static final Type BYTE_DYNAMIC = new Type(9, 0);
    public static final Type CHAR_DYNAMIC = new Type(10, 0);
    public static final Type SHORT_DYNAMIC = new Type(11, 0);
    public static final Type BOOLEAN_DYNAMIC = new Type(12, 0);
    public static final Type INT_DYNAMIC = new Type(13, 0);
    public static final Type LONG_DYNAMIC = new Type(14, 0);
    public static final Type FLOAT_DYNAMIC = new Type(15, 0);
    public static final Type DOUBLE_DYNAMIC = new Type(16, 0);
    public static final Type UNDEFINED = new Type(17, 0);

    private static final Type[] ALL = {
        BYTE,
        CHAR,
        SHORT,
        BOOLEAN,
        INT,
        LONG,
        FLOAT,
        DOUBLE,
        OBJECT,
        BYTE_DYNAMIC,
        CHAR_DYNAMIC,
        SHORT_DYNAMIC,
        BOOLEAN_DYNAMIC,
        INT_DYNAMIC,
        LONG_DYNAMIC,
        FLOAT_DYNAMIC,
        DOUBLE_DYNAMIC,
        UNDEFINED
    };

    private final int code;
    private final int bytes;

    private Type(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    public int getCode() {
        return code;
    }

    /** Of one element in the static part; 0 of what isn't there. */
    int bytes() {
        return bytes;
    }

    public static Type getType(int code) {
        return ALL[code];
    }
}
