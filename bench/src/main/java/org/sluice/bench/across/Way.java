package org.sluice.bench.across;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import jdk.net.ExtendedSocketOptions;

/**
 * A connection between two nodes of a race, both of which know its secret: parts of it can be read and made by nobody
 * else (AES-GCM, with keys out of the secret and random numbers of both sides). A machine that is lost is noticed.
 *
 * <p><i>Thread</i>: one reads, any write. <i>Owns</i>: the socket. <i>Fails</i>: {@link IOException}, also where what
 * comes is of somebody who doesn't know the secret.
 */
final class Way implements Closeable {
    /** What a command reads or prints; of no bytes: there is no more. */
    static final int STREAM = 0;

    static final int ERROR = 1;
    /** With the exit status, as four bytes. */
    static final int END = 2;
    /** What is to be run. */
    static final int REQUEST = 3;

    static final int CHUNK_BYTES = 1 << 16;

    private static final int MOST_BYTES = 1 << 20;
    private static final int NONCE_BYTES = 32;
    private static final int IV_BYTES = 12;
    private static final int TAG_BITS = 128;
    /** A guest beside other work takes tens of seconds for what is done at once elsewhere. */
    private static final int CONNECT_MS = 15_000;

    private static final int HELLO_MS = 60_000;
    private static final int IDLE_S = 5;
    private static final int INTERVAL_S = 2;
    private static final int TRIES = 5;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final SecretKeySpec reading;
    private final SecretKeySpec writing;
    private long read;
    private long written;

    /** A kind and its bytes. */
    record Part(int kind, byte[] bytes) {}

    private Way(Socket socket, String secret, boolean isServer) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        for (var option : socket.supportedOptions()) {
            if (option.equals(ExtendedSocketOptions.TCP_KEEPIDLE)) {
                socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_S);
                socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_S);
                socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, TRIES);
            }
        }
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        byte[] own = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(own);
        out.write(own);
        out.flush();
        socket.setSoTimeout(HELLO_MS);
        byte[] others = in.readNBytes(NONCE_BYTES);
        if (others.length < NONCE_BYTES) {
            throw new IOException("it ended before it had said anything");
        }
        byte[] ofServer = isServer ? own : others;
        byte[] ofClient = isServer ? others : own;
        SecretKeySpec toServer = key(secret, "to the server", ofServer, ofClient);
        SecretKeySpec toClient = key(secret, "to the client", ofServer, ofClient);
        reading = isServer ? toServer : toClient;
        writing = isServer ? toClient : toServer;
    }

    private static SecretKeySpec key(String secret, String use, byte[] ofServer, byte[] ofClient) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), mac.getAlgorithm()));
            mac.update(use.getBytes(StandardCharsets.UTF_8));
            mac.update(ofServer);
            return new SecretKeySpec(mac.doFinal(ofClient), "AES");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each JDK has HmacSHA256", e);
        }
    }

    static Way accepted(Socket socket, String secret) throws IOException {
        return new Way(socket, secret, true);
    }

    static Way to(InetSocketAddress address, String secret) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(address, CONNECT_MS);
            return new Way(socket, secret, false);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    Socket socket() {
        return socket;
    }

    /** After the first part has come: the next may come much later. */
    void awaitLong() throws IOException {
        socket.setSoTimeout(0);
    }

    synchronized void write(int kind, byte[] bytes, int count) throws IOException {
        byte[] plain = new byte[1 + count];
        plain[0] = (byte) kind;
        System.arraycopy(bytes, 0, plain, 1, count);
        byte[] sealed = seal(Cipher.ENCRYPT_MODE, writing, written++, plain);
        if (sealed.length > MOST_BYTES) {
            throw new IOException("a part of " + sealed.length + " bytes; at most " + MOST_BYTES + " are allowed");
        }
        out.writeInt(sealed.length);
        out.write(sealed);
        out.flush();
    }

    Part read() throws IOException {
        int count = in.readInt();
        if (count <= TAG_BITS / Byte.SIZE || count > MOST_BYTES) {
            throw new IOException("a part of " + count + " bytes came; " + TAG_BITS / Byte.SIZE + " to " + MOST_BYTES
                    + " are allowed");
        }
        byte[] sealed = new byte[count];
        in.readFully(sealed);
        byte[] plain = seal(Cipher.DECRYPT_MODE, reading, read++, sealed);
        return new Part(plain[0], Arrays.copyOfRange(plain, 1, plain.length));
    }

    /** @param number of the part in its direction, so that none can be left out or come twice */
    private static byte[] seal(int mode, SecretKeySpec key, long number, byte[] bytes) throws IOException {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            byte[] iv = ByteBuffer.allocate(IV_BYTES).putLong(number).array();
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, iv));
            return cipher.doFinal(bytes);
        } catch (GeneralSecurityException e) {
            throw new IOException("the other side doesn't know the race's secret", e);
        }
    }

    /** All that a stream has, and its end. */
    void copy(InputStream from, int kind) throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        for (int got = from.read(chunk); got > 0; got = from.read(chunk)) {
            write(kind, chunk, got);
        }
        write(kind, chunk, 0);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
