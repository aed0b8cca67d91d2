package mpi;

import java.util.HashMap;
import java.util.Map;
import org.sluice.mpi.AttributeKey;

/** Keys of attributes as MPI has them, numbers. Duplicates have the values of their originals. <i>Thread</i>: any. */
final class Keyvals {
    /** A value that is null, which Sluice has not. */
    static final Object NULL = new Object();

    /** Above those of MPI's own. */
    private static final int FIRST = 100;

    private final String what;
    private final Map<Integer, AttributeKey<Object>> keys = new HashMap<>();
    private int next = FIRST;

    /** @param what has such attributes, in words */
    Keyvals(String what) {
        this.what = what;
    }

    synchronized int create() {
        keys.put(next, AttributeKey.inherited());
        return next++;
    }

    synchronized void free(int keyval) throws MPIException {
        get(keyval).free();
        keys.remove(keyval);
    }

    synchronized AttributeKey<Object> get(int keyval) throws MPIException {
        AttributeKey<Object> key = keys.get(keyval);
        if (key == null) {
            throw Errors.of(
                    MPI.ERR_KEYVAL,
                    "key " + keyval + " is none of " + what + "s, or was freed: " + what + ".createKeyval() makes one");
        }
        return key;
    }

    static Object given(Object value) {
        return value == null ? NULL : value;
    }

    static Object told(Object value) {
        return value == NULL ? null : value;
    }
}
