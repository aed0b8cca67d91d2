package org.sluice.jni.verbs;

/** Prints what a JVM started with certain options thinks of the library. */
final class VerbsAvailabilityProcess {

    private VerbsAvailabilityProcess() {}

    public static void main(String[] args) {
        System.out.println(Verbs.available() + " " + Verbs.calls().createBell() + " " + Verbs.unavailableReason());
    }
}
