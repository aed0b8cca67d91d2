package mpjdev;

/** What is below a communicator, for programs that look there. */
public abstract class Comm {
    /** The ranks that messages go to. */
    public Group group;
    /** Of an intercommunicator this rank's own group; else null. */
    public Group localgroup;

    public Comm() {}

    /** Ranks of this rank's own group. */
    public int size() {
        return (localgroup == null ? group : localgroup).size();
    }

    /** This rank, in its own group. */
    public int id() {
        return (localgroup == null ? group : localgroup).rank();
    }

    /** Returns when all ranks have called it. */
    public abstract void barrier();
}
