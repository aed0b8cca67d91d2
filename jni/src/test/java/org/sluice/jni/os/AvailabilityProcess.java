package org.sluice.jni.os;

/** Prints what a JVM started with certain options thinks of the library. */
final class AvailabilityProcess {

    private AvailabilityProcess() {}

    public static void main(String[] args) {
        System.out.println(Os.available() + " " + Os.calls().getpid() + " " + Os.unavailableReason());
    }
}
