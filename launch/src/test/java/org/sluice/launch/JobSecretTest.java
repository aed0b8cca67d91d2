package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.user.OtherUser;

/** A secret that stands where others may read it is none. */
final class JobSecretTest {
    private static final int PORT = 7000;
    private static final String TEXT = "0123456789abcdef";

    @TempDir
    private Path folder;

    /** With these contents, which its user alone may read. */
    static Path file(Path folder, String contents) throws IOException {
        Path file = Files.createTempFile(
                folder,
                "secret",
                "",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, contents);
    }

    private static String refusal(String file) {
        String said = assertThrows(IllegalArgumentException.class, () -> JobSecret.ofFile(file))
                .getMessage();
        assertTrue(said.contains("SLUICE_JOB_SECRET_FILE") && said.contains("umask 077"), said);
        return said;
    }

    @Test
    void theEndOfItsLineIsNoPartOfIt() throws IOException {
        byte[] nonce = JobSecret.nonce();
        byte[] proof = JobSecret.ofFile(file(folder, TEXT).toString()).proof(JobSecret.OF_RANK, PORT, nonce, nonce);
        assertArrayEquals(
                proof,
                JobSecret.ofFile(file(folder, TEXT + "\n").toString()).proof(JobSecret.OF_RANK, PORT, nonce, nonce));
    }

    @Test
    void aProofIsOfOneSideAndOneConversation() throws IOException {
        JobSecret secret = JobSecret.ofFile(file(folder, TEXT).toString());
        byte[] ranks = JobSecret.nonce();
        byte[] launchers = JobSecret.nonce();
        byte[] proof = secret.proof(JobSecret.OF_RANK, PORT, ranks, launchers);
        assertFalse(Arrays.equals(proof, secret.proof(JobSecret.OF_LAUNCHER, PORT, ranks, launchers)));
        assertFalse(Arrays.equals(proof, secret.proof(JobSecret.OF_RANK, PORT + 1, ranks, launchers)));
        assertFalse(Arrays.equals(proof, secret.proof(JobSecret.OF_RANK, PORT, JobSecret.nonce(), launchers)));
        assertFalse(Arrays.equals(proof, secret.proof(JobSecret.OF_RANK, PORT, ranks, JobSecret.nonce())));
        assertFalse(Arrays.equals(
                proof,
                JobSecret.ofFile(file(folder, TEXT + "0").toString())
                        .proof(JobSecret.OF_RANK, PORT, ranks, launchers)));
    }

    @Test
    void whatOthersMayReadIsRefused() throws IOException {
        for (String mode : new String[] {"rw-r-----", "rw----r--", "rw--w----"}) {
            Path file = file(folder, TEXT);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            String said = refusal(file.toString());
            assertTrue(said.contains("by others") && !said.contains(TEXT), said);
        }
    }

    @Test
    void whatIsMissingShortLongOrNoFileIsSaid() throws IOException {
        assertTrue(refusal(null).contains("is missing"));
        assertTrue(refusal("").contains("is missing"));
        assertTrue(refusal(folder.resolve("none").toString()).contains("can't be read"));
        assertTrue(refusal(folder.toString()).contains("is no file"));
        String weak = refusal(file(folder, "letmein").toString());
        assertTrue(weak.contains("7 characters") && !weak.contains("letmein"), weak);
        assertTrue(refusal(file(folder, "").toString()).contains("no secret"));
        assertTrue(refusal(file(folder, "x".repeat(257)).toString()).contains("257 characters"));
    }

    @Test
    void thatOfAnotherUserIsRefused() throws Exception {
        Path file = file(folder, TEXT);
        OtherUser.stranger().give(file);
        assertTrue(refusal(file.toString()).contains("belongs to another user"));
    }
}
