package org.sluice.cli.vm;

import java.io.IOException;

/** The virtual machine did not do its part; what the command itself does wrong is its exit status. */
public class VmFailure extends IOException {
    private static final long serialVersionUID = 1L;

    VmFailure(String message) {
        super(message);
    }
}
