package mpi;

import java.util.LinkedHashMap;
import java.util.Map;

/** MPI_Info: hints, as pairs of texts. Sluice keeps them and follows none. */
public final class Info implements Freeable, Cloneable {
    private Map<String, String> values;

    public Info() throws MPIException {
        this(new LinkedHashMap<>());
        MPI.check();
    }

    private Info(Map<String, String> values) {
        this.values = values;
    }

    static Info none() {
        return new Info((Map<String, String>) null);
    }

    /** What a rank can know of how it was started. */
    static Info environment() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("command", System.getProperty("sun.java.command", "java"));
        values.put("arch", System.getProperty("os.arch"));
        values.put("wdir", System.getProperty("user.dir"));
        return new Info(values);
    }

    /** Of a communicator: a copy, as MPI has it. */
    static Info copyOf(Info info) throws MPIException {
        return new Info(info == null || info.values == null ? new LinkedHashMap<>() : new LinkedHashMap<>(info.values));
    }

    private Map<String, String> values() throws MPIException {
        MPI.check();
        if (values == null) {
            throw Errors.of(MPI.ERR_INFO, "this is MPI.INFO_NULL, or was freed: use new Info()");
        }
        return values;
    }

    private static String checkedKey(String key) throws MPIException {
        if (key == null || key.isEmpty() || key.length() > MPI.MAX_INFO_KEY) {
            throw Errors.of(
                    MPI.ERR_INFO_KEY, "the key is " + key + ": a text of 1 to " + MPI.MAX_INFO_KEY + " characters");
        }
        return key;
    }

    /** MPI_Info_set. */
    public void set(String key, String value) throws MPIException {
        Map<String, String> all = values();
        checkedKey(key);
        if (value == null || value.length() > MPI.MAX_INFO_VAL) {
            throw Errors.of(
                    MPI.ERR_INFO_VALUE,
                    "the value of " + key + " is " + (value == null ? "null" : "of " + value.length() + " characters")
                            + ": at most " + MPI.MAX_INFO_VAL);
        }
        all.put(key, value);
    }

    /** MPI_Info_get: null if there is none. */
    public String get(String key) throws MPIException {
        return values().get(checkedKey(key));
    }

    /** MPI_Info_delete. */
    public void delete(String key) throws MPIException {
        if (values().remove(checkedKey(key)) == null) {
            throw Errors.of(MPI.ERR_INFO_NOKEY, "there is no value of " + key + " to delete");
        }
    }

    /** MPI_Info_get_nkeys. */
    public int size() throws MPIException {
        return values().size();
    }

    /** MPI_Info_get_nthkey: from 0 on, in the order in which they were set. */
    public String getKey(int i) throws MPIException {
        Map<String, String> all = values();
        if (i < 0 || i >= all.size()) {
            throw Errors.of(MPI.ERR_ARG, "key " + i + " is none: there are " + all.size());
        }
        return all.keySet().toArray(new String[0])[i];
    }

    /** As {@link #dup}, with an unchecked exception. */
    @Override
    public Info clone() {
        try {
            return dup();
        } catch (MPIException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** MPI_Info_dup. */
    public Info dup() throws MPIException {
        return new Info(new LinkedHashMap<>(values()));
    }

    /** MPI_Info_free. */
    @Override
    public void free() throws MPIException {
        values();
        values = null;
    }

    /** Whether it is MPI_INFO_NULL, or was freed. */
    public boolean isNull() {
        return values == null;
    }
}
