package org.sluice.jni;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;

/** Puts the dynamic loader's words for a library that would not load into words that say what to do. */
final class LoadFailure {

    /** What glibc and musl say when mmap refuses PROT_EXEC. */
    private static final String[] NOEXEC = {"failed to map segment", "Operation not permitted", "Permission denied"};

    private LoadFailure() {}

    /** True when the same file may load from another directory. */
    static boolean isOfDirectory(UnsatisfiedLinkError error) {
        String message = String.valueOf(error.getMessage());
        for (String words : NOEXEC) {
            if (message.contains(words)) {
                return true;
            }
        }
        return false;
    }

    static String explain(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof UnsatisfiedLinkError error) {
            return explainLinkError(error, message);
        }
        if (failure instanceof AccessDeniedException) {
            return "may not be written by this user";
        }
        if (failure instanceof FileSystemException fileFailure && fileFailure.getReason() != null) {
            return fileFailure.getReason();
        }
        return failure.toString();
    }

    private static String explainLinkError(UnsatisfiedLinkError error, String message) {
        if (isOfDirectory(error)) {
            return "mounted noexec, or a security policy forbids to run code from there (" + message + ")";
        }
        if (message.contains("GLIBC_")) {
            return "this system's C library is too old (" + message + "); build Sluice on this system";
        }
        if (message.contains("IBVERBS_") || message.contains("RDMACM_")) {
            return "this system's libibverbs or librdmacm is too old (" + message
                    + "); update it, or build Sluice on this system";
        }
        if (message.contains("wrong ELF class")
                || message.contains("Exec format error")
                || message.contains("can't load")) {
            return "it is for another machine (" + message + "); build Sluice on this machine";
        }
        if (message.contains("cannot open shared object file") || message.contains("Error loading shared library")) {
            return "a library that it needs is missing (" + message + "); install " + packageOf(message);
        }
        if (message.contains("already loaded in another classloader")) {
            return message + "; load Sluice's classes once, above the class loaders that share them";
        }
        return message;
    }

    private static String packageOf(String message) {
        if (message.contains("libibverbs")) {
            return "libibverbs1 and ibverbs-providers (Debian, Ubuntu) or libibverbs (Fedora, RHEL, SUSE)";
        }
        if (message.contains("librdmacm")) {
            return "librdmacm1 (Debian, Ubuntu) or librdmacm (Fedora, RHEL, SUSE)";
        }
        if (message.contains("libpmix")) {
            return "libpmix2 (Debian, Ubuntu) or pmix (Fedora, RHEL, SUSE), or let LD_LIBRARY_PATH name the folder of"
                    + " the launcher's own";
        }
        return "it";
    }
}
