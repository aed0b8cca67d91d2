package org.sluice.jni.os;

/** Says which collector the native library takes this JVM's for. */
final class CollectorProcess {
    private CollectorProcess() {}

    public static void main(String[] args) {
        System.out.println(Os.calls().collector());
    }
}
