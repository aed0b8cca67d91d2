package org.sluice.cli.vm;

/** The command took longer than its caller allows. */
public final class VmTimeout extends VmFailure {
    private static final long serialVersionUID = 1L;

    VmTimeout(String message) {
        super(message);
    }
}
