package org.sluice.jni.pmix;

/** Prints what a JVM started with certain options thinks of the library. */
final class PmixAvailabilityProcess {

    private PmixAvailabilityProcess() {}

    public static void main(String[] args) {
        System.out.println(Pmix.available() + " " + Pmix.unavailableReason());
        try {
            Pmix.calls();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
