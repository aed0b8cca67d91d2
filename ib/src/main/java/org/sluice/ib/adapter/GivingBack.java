package org.sluice.ib.adapter;

/**
 * Gives back all of something, whatever goes wrong with one part, and then tells of what went wrong first. An object
 * that the library didn't take is lost to this process; so whoever gives back memory frees it only if {@link #took}
 * said so.
 *
 * <p><i>Thread</i>: any. <i>Fails</i>: {@link #end}, with the library's name of the call and errno. <i>Proof</i>:
 * {@code FaultSweepTest}, {@code NotGivenBackTest}.
 */
public final class GivingBack {
    private RuntimeException first;

    /** @return whether the library took it; else that is told at the end */
    public boolean took(String call, int result) {
        if (result < 0) {
            failed(new IllegalStateException(VerbsFailure.describe(call, result)));
        }
        return result >= 0;
    }

    /** What could not be given back although everything else can be. */
    public synchronized void failed(RuntimeException e) {
        first = first == null ? e : first;
    }

    /** @param part null where it was never made */
    public void close(AutoCloseable part) {
        try {
            if (part != null) {
                part.close();
            }
        } catch (RuntimeException e) {
            failed(e);
        } catch (Exception e) {
            failed(new IllegalStateException(e));
        }
    }

    /** Throws what went wrong first. */
    public synchronized void end() {
        if (first != null) {
            throw first;
        }
    }

    /** Closes what was made before something failed; that failure is the one to be told. */
    public static void after(Throwable failure, AutoCloseable made) {
        try {
            made.close();
        } catch (Exception e) {
            failure.addSuppressed(e);
        }
    }
}
