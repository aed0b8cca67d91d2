package org.sluice.jni;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The machine that a native library is for: its directory in the jar, and how to recognise a file for another. */
final class Platform {

    private static final int ELF_MAGIC = 0x464c457f;
    private static final int ELF_MACHINE_OFFSET = 18;
    private static final int ELF_HEADER_BYTES = 64;

    private final String system;
    private final String machine;
    private final int elfMachine;

    private Platform(String system, String machine, int elfMachine) {
        this.system = system;
        this.machine = machine;
        this.elfMachine = elfMachine;
    }

    static Platform current() {
        return of(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    static Platform of(String osName, String osArch) {
        return switch (osArch) {
            case "amd64", "x86_64" -> new Platform(osName, "x86_64", 62);
            case "aarch64", "arm64" -> new Platform(osName, "aarch64", 183);
            default -> new Platform(osName, osArch, 0);
        };
    }

    String machine() {
        return machine;
    }

    /** Named by the compiler's word for the machine, as {@code jni/build.sh} does it. */
    String directory() {
        return "linux-" + machine;
    }

    /** Null where Sluice can have native libraries. */
    String unsupportedReason() {
        if (!system.equals("Linux")) {
            return "Sluice's native libraries are for Linux, and this is " + system;
        }
        if (elfMachine == 0) {
            return "Sluice's native libraries are for x86_64 and aarch64, and this is " + machine;
        }
        return null;
    }

    /** What is wrong with the file, or null: the loader's own words for it differ from one C library to the next. */
    String mismatch(byte[] library) {
        ByteBuffer header = ByteBuffer.wrap(library).order(ByteOrder.LITTLE_ENDIAN);
        if (library.length < ELF_HEADER_BYTES || header.getInt(0) != ELF_MAGIC) {
            return "not a library, or cut short (" + library.length + " bytes)";
        }
        int found = header.getShort(ELF_MACHINE_OFFSET) & 0xffff;
        if (found != elfMachine) {
            return "for another machine (ELF machine " + found + ", needed " + elfMachine + " for " + machine + ")";
        }
        return null;
    }
}
