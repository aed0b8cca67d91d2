package org.sluice.jni.os;

/** Asks to be killed when its parent ends, prints its pid, and would live for two minutes more. */
final class DiesWithParentProcess {

    private static final int SIGKILL = 9;

    private DiesWithParentProcess() {}

    public static void main(String[] args) throws Exception {
        OsCalls os = Os.calls();
        int result = os.setPdeathsig(SIGKILL);
        System.out.println(result == 0 ? os.getpid() : result);
        Thread.sleep(120_000);
    }
}
