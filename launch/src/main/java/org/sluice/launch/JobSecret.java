package org.sluice.launch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.sluice.device.option.Option;
import org.sluice.device.random.Unguessable;

/**
 * What the launcher and the ranks of a job on several nodes know, and nobody else. It stands in a file that only its
 * user reads, and never in an environment or on a command line, which others see. It isn't sent either: each side
 * proves that it knows it.
 *
 * <p>Thread: any.
 *
 * <p>Fails: with what is wrong with the file, and what to do.
 *
 * <p>Proof: {@code JobSecretTest}, {@code StrangersTest}.
 */
final class JobSecret {
    /** Whose proof it is: else the one side's could be given back to it as the other's. */
    static final byte OF_LAUNCHER = 1;

    static final byte OF_RANK = 2;
    static final int NONCE_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    static final int PROOF_BYTES = 32;
    /** 64 bits in hexadecimal: nobody guesses them over a network. */
    private static final int SHORTEST = 16;

    private static final int LONGEST = 256;
    private static final int FOR_OTHERS = 077;
    private static final long ROOT = 0;

    private final byte[] key;

    private JobSecret(byte[] key) {
        this.key = key;
    }

    /** @throws IllegalArgumentException where there is none in it, or others may read it or put another in its place */
    static JobSecret ofFile(String file) {
        if (file == null || file.isEmpty()) {
            throw new IllegalArgumentException(name()
                    + " is missing: it names the file with the secret of a job on several nodes. " + howToMake());
        }
        Path path = Path.of(file);
        try {
            Map<String, Object> facts = Files.readAttributes(path, "unix:uid,mode,isRegularFile,size");
            long owner = ((Number) facts.get("uid")).longValue();
            int mode = (int) facts.get("mode") & 0777;
            if (!(boolean) facts.get("isRegularFile")) {
                throw new IllegalArgumentException(of(file) + " is no file. " + howToMake());
            }
            if (owner != ROOT && owner != JobFolder.ownUser()) {
                throw new IllegalArgumentException(
                        of(file) + " belongs to another user (" + owner + "), who knows the secret. " + howToMake());
            }
            if ((mode & FOR_OTHERS) != 0) {
                throw new IllegalArgumentException(of(file) + " may be read or written by others ("
                        + Integer.toOctalString(mode) + "), who then know the secret: make a new one. " + howToMake());
            }
            // What is longer by more than the end of its line is refused as too long.
            return of(
                    (long) facts.get("size") > 2 * LONGEST
                            ? ""
                            : Files.readString(path, StandardCharsets.UTF_8).strip(),
                    file);
        } catch (IOException e) {
            throw new IllegalArgumentException(of(file) + " can't be read (" + e + "). " + howToMake(), e);
        }
    }

    /** One that was made for a job, by {@link #make}. */
    static JobSecret ofText(String text) {
        return new JobSecret(text.getBytes(StandardCharsets.UTF_8));
    }

    /** As it stands in a file. */
    static String make() {
        return HexFormat.of().formatHex(Unguessable.bytes(NONCE_BYTES));
    }

    private static JobSecret of(String text, String file) {
        if (text.length() < SHORTEST || text.length() > LONGEST) {
            throw new IllegalArgumentException(of(file) + " holds "
                    + (text.isEmpty() ? "no secret" : "a secret of " + text.length() + " characters") + "; " + SHORTEST
                    + " to " + LONGEST + " are allowed. " + howToMake());
        }
        return new JobSecret(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String name() {
        return Option.JOB_SECRET_FILE.environmentVariable();
    }

    private static String of(String file) {
        return name() + " = '" + file + "'";
    }

    private static String howToMake() {
        return "Make one as by (umask 077; openssl rand -hex 32 > ~/.sluice-secret), copy it to nodes that don't share"
                + " the folder, and set "
                + name() + " to its path on each";
    }

    static byte[] nonce() {
        return Unguessable.bytes(NONCE_BYTES);
    }

    /**
     * That whoever makes it knows the secret, in a conversation that nobody has had before: both sides' random bytes
     * are in it. The launcher's port is as well, so that whoever holds another one can't have the launcher answer for
     * him.
     */
    byte[] proof(byte whose, int port, byte[] nonceOfRank, byte[] nonceOfLauncher) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update(whose);
            mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(port).flip());
            mac.update(nonceOfRank);
            mac.update(nonceOfLauncher);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    /** Takes as long for a wrong one as for the right one. */
    static boolean same(byte[] expected, byte[] given) {
        return MessageDigest.isEqual(expected, given);
    }
}
