package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.launch.JobServerTest.read;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.SluiceException;
import org.sluice.device.user.OtherUser;

/**
 * Who reaches the port of a job on several nodes, or holds it before its launcher does, and doesn't know the secret:
 * learns nothing, and stops nobody.
 */
@Timeout(120)
final class StrangersTest {
    private static final String HOST = "127.0.0.2";
    private static final long PATIENCE_MS = 60_000;

    @TempDir
    private Path folder;

    private String secretFile;
    private JobSecret secret;
    /** Of the last that {@link #squat} heard. */
    private volatile byte[] nonceOfRank;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** What one side says to the other. */
    private interface Talk {
        void with(Socket socket, DataInputStream in) throws IOException;
    }

    @BeforeEach
    void makeSecret() throws IOException {
        secretFile = JobSecretTest.file(folder, "0123456789abcdef").toString();
        secret = JobSecret.ofFile(secretFile);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        threads.shutdownNow();
        assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
    }

    private <T extends AutoCloseable> T opened(T closeable) {
        open.add(closeable);
        return closeable;
    }

    private JobServer server(int size) {
        return opened(JobServer.start(size, MeetingPlace.of(HOST + ":0", secretFile)));
    }

    private Socket stranger(JobServer server) throws IOException {
        String address = server.outerAddress().text();
        return opened(new Socket(HOST, Integer.parseInt(address.substring(HOST.length() + 1))));
    }

    /**
     * A rank comes to somebody else's program.
     *
     * @return what the rank says, and after it all that the program has heard
     */
    private String[] squat(Talk talk) throws Exception {
        try (ServerSocket squatter = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            StringBuilder heard = new StringBuilder();
            Future<?> squatting = threads.submit(() -> {
                try (Socket rank = squatter.accept()) {
                    DataInputStream in = new DataInputStream(rank.getInputStream());
                    ByteBuffer challenge = read(in, Frame.HELLO_LIMIT_BYTES);
                    heard.append(challenge.get()).append(' ').append(challenge.remaining());
                    nonceOfRank = Frame.exactly(challenge.position(1 + Integer.BYTES), JobSecret.NONCE_BYTES);
                    talk.with(rank, in);
                    for (int next = in.read(); next >= 0; next = in.read()) {
                        heard.append(' ').append(next);
                    }
                }
                return null;
            });
            JobAddress address = JobAddress.parse(HOST + ":" + squatter.getLocalPort(), secret);
            String said = assertThrows(SluiceException.class, () -> JobBootstrap.connect(address, 0, 2, PATIENCE_MS))
                    .getMessage();
            squatting.get(30, TimeUnit.SECONDS);
            return new String[] {said, heard.toString()};
        }
    }

    /** Magic, and 32 random bytes behind their length. */
    private static final String CHALLENGE_ALONE = Frame.CHALLENGE + " 40";

    @Test
    void whoHoldsThePortHearsRandomNumbersAlone() throws Exception {
        String[] ends = squat((socket, in) -> socket.getOutputStream()
                .write(new Frame.Writer(Frame.PROOF_OF_LAUNCHER)
                        .bytes(JobSecret.nonce())
                        .bytes(JobSecret.nonce())
                        .finish()));
        assertTrue(
                ends[0].contains("doesn't know this rank's secret") && ends[0].contains("was told nothing"), ends[0]);
        assertEquals(CHALLENGE_ALONE, ends[1]);
    }

    /** Of a launcher with the same secret, which listens elsewhere. */
    @Test
    void norDoesHeByTheProofOfAnother() throws Exception {
        JobServer server = server(2);
        String[] ends = squat((socket, in) -> {
            Socket launcher = stranger(server);
            launcher.getOutputStream().write(challenge(nonceOfRank));
            ByteBuffer answer = read(new DataInputStream(launcher.getInputStream()), Frame.HELLO_LIMIT_BYTES)
                    .position(1);
            socket.getOutputStream()
                    .write(new Frame.Writer(Frame.PROOF_OF_LAUNCHER)
                            .bytes(Frame.exactly(answer, JobSecret.NONCE_BYTES))
                            .bytes(Frame.exactly(answer, JobSecret.PROOF_BYTES))
                            .finish());
        });
        assertTrue(
                ends[0].contains("listens at another port than this one") && ends[0].contains("was told nothing"),
                ends[0]);
        assertEquals(CHALLENGE_ALONE, ends[1]);
    }

    @Test
    void norDoesHeByAWelcomeWithoutAProof() throws Exception {
        String[] ends = squat((socket, in) -> socket.getOutputStream()
                .write(new Frame.Writer(Frame.WELCOME).text("0".repeat(32)).finish()));
        assertTrue(ends[0].contains("it answered with a frame of kind 17"), ends[0]);
        assertEquals(CHALLENGE_ALONE, ends[1]);
    }

    @Test
    void noTerminalObeysWhatHeSays() throws Exception {
        String[] ends = squat((socket, in) -> socket.getOutputStream()
                .write(new Frame.Writer(Frame.REFUSED)
                        .text("\u001b[2J\u001b]0;yours\u0007\rgone")
                        .finish()));
        assertTrue(ends[0].endsWith("?[2J?]0;yours??gone"), ends[0]);
        assertTrue(ends[0].chars().noneMatch(Character::isISOControl), ends[0]);
        assertEquals(CHALLENGE_ALONE, ends[1]);
    }

    private String refusal(JobServer server, Talk talk) throws IOException {
        try (Socket stranger = stranger(server)) {
            DataInputStream in = new DataInputStream(stranger.getInputStream());
            talk.with(stranger, in);
            ByteBuffer answer = read(in, Frame.TEXT_LIMIT_BYTES);
            assertEquals(Frame.REFUSED, answer.get());
            return Frame.text(answer, Frame.TEXT_LIMIT_BYTES);
        }
    }

    private static byte[] challenge(byte[] nonce) {
        return new Frame.Writer(Frame.CHALLENGE)
                .number(Frame.MAGIC)
                .bytes(nonce)
                .finish();
    }

    @Test
    void whoDoesNotKnowTheSecretIsNoRank() throws Exception {
        JobServer server = server(1);
        byte[] hello = Hello.frame(Hello.ROLE_RANK, 0, 1, 1, SluiceVersion.CURRENT);
        assertTrue(refusal(server, (socket, in) -> socket.getOutputStream().write(hello))
                .contains("must prove first"));
        assertTrue(refusal(server, (socket, in) -> {
                    socket.getOutputStream().write(challenge(JobSecret.nonce()));
                    assertEquals(
                            Frame.PROOF_OF_LAUNCHER,
                            read(in, Frame.HELLO_LIMIT_BYTES).get());
                    socket.getOutputStream()
                            .write(new Frame.Writer(Frame.PROOF_OF_RANK)
                                    .bytes(JobSecret.nonce())
                                    .finish());
                    socket.getOutputStream().write(hello);
                })
                .contains("does not know the job's secret"));
        // Before it has asked, and a second time.
        assertTrue(refusal(
                        server,
                        (socket, in) -> socket.getOutputStream()
                                .write(new Frame.Writer(Frame.PROOF_OF_RANK)
                                        .bytes(new byte[0])
                                        .finish()))
                .contains("must prove first"));
        assertTrue(refusal(server, (socket, in) -> {
                    socket.getOutputStream().write(challenge(JobSecret.nonce()));
                    read(in, Frame.HELLO_LIMIT_BYTES);
                    socket.getOutputStream().write(challenge(JobSecret.nonce()));
                })
                .contains("must prove first"));
        opened(JobBootstrap.connect(server.outerAddress(), 0, 1, PATIENCE_MS)).fence(PATIENCE_MS);
    }

    @Test
    void theLaunchersOwnProofIsNone() throws Exception {
        String said = refusal(server(1), (socket, in) -> {
            socket.getOutputStream().write(challenge(JobSecret.nonce()));
            ByteBuffer proof = read(in, Frame.HELLO_LIMIT_BYTES).position(1);
            Frame.bytes(proof, JobSecret.NONCE_BYTES);
            socket.getOutputStream()
                    .write(new Frame.Writer(Frame.PROOF_OF_RANK)
                            .bytes(Frame.bytes(proof, JobSecret.PROOF_BYTES))
                            .finish());
        });
        assertTrue(said.contains("does not know the job's secret"), said);
    }

    @Test
    void theOldestOfThemGoesAndNoRank() throws Exception {
        JobServer server = server(2);
        JobBootstrap here = opened(JobBootstrap.connect(server.address(), 0, 2, PATIENCE_MS));
        JobBootstrap elsewhere = opened(JobBootstrap.connect(server.outerAddress(), 1, 2, PATIENCE_MS));
        List<Socket> strangers = new ArrayList<>();
        for (int i = 0; i < 2 * JobConnections.SPARE + 8; i++) {
            strangers.add(stranger(server));
        }
        assertEquals(-1, strangers.get(0).getInputStream().read());
        Socket last = strangers.get(strangers.size() - 1);
        last.getOutputStream().write(challenge(JobSecret.nonce()));
        assertEquals(
                Frame.PROOF_OF_LAUNCHER,
                read(new DataInputStream(last.getInputStream()), Frame.HELLO_LIMIT_BYTES)
                        .get());
        CompletableFuture<Void> fence = CompletableFuture.runAsync(() -> here.fence(PATIENCE_MS));
        elsewhere.fence(PATIENCE_MS);
        fence.get(30, TimeUnit.SECONDS);
    }

    @Test
    void aRankOfThisMachineThatHasNotSaidHelloYetStays() throws Exception {
        JobServer server = server(1);
        try (UnixSocket rank = UnixSocket.connect(server.address().text())) {
            for (int i = 0; i < 2 * JobConnections.SPARE + 8; i++) {
                stranger(server);
            }
            Socket last = stranger(server);
            last.getOutputStream().write(challenge(JobSecret.nonce()));
            read(new DataInputStream(last.getInputStream()), Frame.HELLO_LIMIT_BYTES);
            rank.getOutputStream().write(Hello.frame(Hello.ROLE_RANK, 0, 1, 1, SluiceVersion.CURRENT));
            assertEquals(
                    Frame.WELCOME,
                    read(new DataInputStream(rank.getInputStream()), Frame.TEXT_LIMIT_BYTES)
                            .get());
        }
    }

    @Test
    void nothingALauncherSaysLaterIsObeyed() throws Exception {
        for (byte kind : new byte[] {Frame.FENCE_FAILED, Frame.REFUSED}) {
            try (ServerSocket listener = new ServerSocket(0, 8, InetAddress.getByName(HOST))) {
                listener.setSoTimeout(30_000);
                Future<String> said = threads.submit(() -> {
                    JobBootstrap rank = opened(JobBootstrap.connect(
                            JobAddress.parse(HOST + ":" + listener.getLocalPort(), secret), 0, 1, PATIENCE_MS));
                    return assertThrows(SluiceException.class, () -> rank.fence(PATIENCE_MS))
                            .getMessage();
                });
                try (Socket rank = listener.accept()) {
                    DataInputStream in = new DataInputStream(rank.getInputStream());
                    ByteBuffer challenge = read(in, Frame.HELLO_LIMIT_BYTES).position(1 + Integer.BYTES);
                    byte[] its = Frame.bytes(challenge, JobSecret.NONCE_BYTES);
                    byte[] own = JobSecret.nonce();
                    rank.getOutputStream()
                            .write(new Frame.Writer(Frame.PROOF_OF_LAUNCHER)
                                    .bytes(own)
                                    .bytes(secret.proof(JobSecret.OF_LAUNCHER, listener.getLocalPort(), its, own))
                                    .finish());
                    read(in, Frame.HELLO_LIMIT_BYTES);
                    read(in, Frame.HELLO_LIMIT_BYTES);
                    rank.getOutputStream()
                            .write(new Frame.Writer(Frame.WELCOME).text("id").finish());
                    read(in, Frame.HELLO_LIMIT_BYTES);
                    rank.getOutputStream()
                            .write(new Frame.Writer(kind).text("\u001b[2Jgone").finish());
                    assertTrue(said.get(30, TimeUnit.SECONDS).endsWith("?[2Jgone"), said.get());
                }
            }
        }
    }

    /** As the server does with one that isn't believed yet where others come faster than it says what it has to. */
    @Test
    void aRankThatIsDroppedComesAgain() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 8, InetAddress.getByName(HOST))) {
            Future<JobBootstrap> joining = threads.submit(() -> JobBootstrap.connect(
                    JobAddress.parse(HOST + ":" + listener.getLocalPort(), secret), 0, 1, PATIENCE_MS));
            for (int drops = 0; drops < 3; drops++) {
                try (Socket rank = listener.accept()) {
                    DataInputStream in = new DataInputStream(rank.getInputStream());
                    if (drops > 0) {
                        read(in, Frame.HELLO_LIMIT_BYTES);
                    }
                }
                assertFalse(joining.isDone());
            }
            try (Socket rank = listener.accept()) {
                DataInputStream in = new DataInputStream(rank.getInputStream());
                ByteBuffer challenge = read(in, Frame.HELLO_LIMIT_BYTES).position(1 + Integer.BYTES);
                byte[] its = Frame.bytes(challenge, JobSecret.NONCE_BYTES);
                byte[] own = JobSecret.nonce();
                rank.getOutputStream()
                        .write(new Frame.Writer(Frame.PROOF_OF_LAUNCHER)
                                .bytes(own)
                                .bytes(secret.proof(JobSecret.OF_LAUNCHER, listener.getLocalPort(), its, own))
                                .finish());
                ByteBuffer proof = read(in, Frame.HELLO_LIMIT_BYTES).position(1);
                assertTrue(JobSecret.same(
                        secret.proof(JobSecret.OF_RANK, listener.getLocalPort(), its, own),
                        Frame.bytes(proof, JobSecret.PROOF_BYTES)));
                assertEquals(Frame.HELLO, read(in, Frame.HELLO_LIMIT_BYTES).get());
                rank.getOutputStream()
                        .write(new Frame.Writer(Frame.WELCOME).text("id").finish());
                assertEquals("id", opened(joining.get(30, TimeUnit.SECONDS)).jobId());
            }
        }
    }

    @Test
    void ranksComeThroughAFlood() throws Exception {
        JobServer server = server(4);
        AtomicBoolean flows = new AtomicBoolean(true);
        List<Future<?>> flood = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            flood.add(threads.submit(() -> {
                List<Socket> mine = new ArrayList<>();
                while (flows.get()) {
                    mine.add(new Socket(
                            HOST, Integer.parseInt(server.outerAddress().text().substring(HOST.length() + 1))));
                    if (mine.size() > JobConnections.SPARE) {
                        mine.remove(0).close();
                    }
                }
                for (Socket socket : mine) {
                    socket.close();
                }
                return null;
            }));
        }
        try {
            List<Future<?>> ranks = new ArrayList<>();
            for (int rank = 0; rank < 4; rank++) {
                int self = rank;
                ranks.add(threads.submit(() -> {
                    try (JobBootstrap bootstrap = JobBootstrap.connect(server.outerAddress(), self, 4, PATIENCE_MS)) {
                        bootstrap.fence(PATIENCE_MS);
                    }
                }));
            }
            for (Future<?> rank : ranks) {
                rank.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
            }
        } finally {
            flows.set(false);
        }
        for (Future<?> one : flood) {
            one.get(30, TimeUnit.SECONDS);
        }
    }

    /** Connections of a user who is not the job's, as many as his shell can make. */
    @Test
    void ranksComeThroughTheFloodOfAnotherUser() throws Exception {
        JobServer server = server(2);
        String port = server.outerAddress().text().substring(HOST.length() + 1);
        Path made = Files.createFile(folder.resolve("made"));
        Process flood = OtherUser.stranger()
                .command(
                        "bash",
                        "-c",
                        "for ((i = 0;; i = (i + 1) % 200)); do eval \"exec $((i + 10))<>/dev/tcp/$0/$1\";"
                                + " printf noise >&$((i + 10)); echo made; done",
                        HOST,
                        port)
                .redirectErrorStream(true)
                .redirectOutput(made.toFile())
                .start();
        try {
            for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30); Files.size(made) < 500; ) {
                assertTrue(System.nanoTime() < end && flood.isAlive(), () -> "no flood: " + made);
                Thread.sleep(5);
            }
            List<Future<?>> ranks = new ArrayList<>();
            for (int rank = 0; rank < 2; rank++) {
                int self = rank;
                ranks.add(threads.submit(() -> {
                    try (JobBootstrap bootstrap = JobBootstrap.connect(server.outerAddress(), self, 2, PATIENCE_MS)) {
                        bootstrap.fence(PATIENCE_MS);
                    }
                }));
            }
            for (Future<?> rank : ranks) {
                rank.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
            }
            assertTrue(flood.isAlive());
        } finally {
            flood.destroyForcibly().waitFor();
        }
    }

    /** A program of another user that has the port before the launcher. */
    static final class Squatter {
        private Squatter() {}

        /** Prints its port, and then what it hears once it has said something that no launcher would. */
        public static void main(String[] host) throws IOException {
            try (ServerSocket squatter = new ServerSocket(0, 1, InetAddress.getByName(host[0]))) {
                System.out.println(squatter.getLocalPort());
                try (Socket rank = squatter.accept()) {
                    DataInputStream in = new DataInputStream(rank.getInputStream());
                    byte[] heard = new byte[in.readInt()];
                    in.readFully(heard);
                    rank.getOutputStream().write(new byte[] {0, 0, 0, 5, 99, 27, '[', '2', 'J'});
                    rank.shutdownOutput();
                    byte[] more = in.readAllBytes();
                    System.out.println(heard[0] + " " + (heard.length - 1) + " " + more.length);
                }
            }
        }
    }

    @Test
    void anotherUserWhoHoldsThePortHearsRandomNumbersAlone() throws Exception {
        OtherUser stranger = OtherUser.stranger();
        // JUnit's folders are closed to him.
        Path open = Files.createTempDirectory("sluice-squatter-");
        Path program = open.resolve(Squatter.class.getName().replace('.', '/') + ".class");
        try {
            Files.createDirectories(program.getParent());
            try (InputStream in = Squatter.class.getResourceAsStream("StrangersTest$Squatter.class")) {
                Files.copy(in, program);
            }
            stranger.give(open);
            Process squatter = stranger.command(
                            JavaHome.current().command(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            open.toString(),
                            Squatter.class.getName(),
                            HOST)
                    .start();
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(squatter.getInputStream(), StandardCharsets.UTF_8));
            JobAddress address = JobAddress.parse(HOST + ":" + lines.readLine(), secret);
            String said = assertThrows(SluiceException.class, () -> JobBootstrap.connect(address, 0, 2, PATIENCE_MS))
                    .getMessage();
            assertTrue(said.chars().noneMatch(Character::isISOControl), said);
            assertEquals(CHALLENGE_ALONE + " 0", lines.readLine(), said);
            assertEquals(0, squatter.waitFor());
        } finally {
            try (Stream<Path> files = Files.walk(open)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Test
    void anEndBeforeTheFirstFrameIsNoMatter() throws Exception {
        JobServer server = server(1);
        stranger(server).close();
        try (Socket stranger = stranger(server)) {
            stranger.getOutputStream().write(new byte[] {0, 0, 0});
            stranger.shutdownOutput();
            assertThrows(
                    EOFException.class,
                    () -> read(new DataInputStream(stranger.getInputStream()), Frame.TEXT_LIMIT_BYTES));
        }
        opened(JobBootstrap.connect(server.address(), 0, 1, PATIENCE_MS)).fence(PATIENCE_MS);
    }
}
