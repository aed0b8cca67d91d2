package org.sluice.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import jdk.net.ExtendedSocketOptions;
import org.sluice.device.random.Unguessable;
import org.sluice.jni.SafeFolder;

/**
 * The folder with the socket at which ranks of this machine find their job's server. Nobody but its user can look into
 * it, so that whoever reaches the socket is that user; the kernel is asked who it is all the same.
 *
 * <p>Thread: any.
 *
 * <p>Owns: the folder and the socket in it, until it is closed. A launcher that is killed leaves them: its ranks remove
 * them as they end, or the next launcher of this user does.
 *
 * <p>Fails: with each place that was tried, and why it won't do.
 *
 * <p>Proof: {@code JobFolderTest}, {@code LauncherDeathProcessTest}, {@code StrangersTest}.
 */
final class JobFolder implements AutoCloseable {
    private static final String SOCKET = "socket";
    private static final String NAME = "sluice-job-";
    private static final int DIGITS = 16;
    /** What fits into a socket's address, which ends with a zero. */
    private static final int LONGEST_PATH_BYTES = 107;
    /** Between its making and the first time that somebody listens there it looks as one that was left. */
    static final long YOUNG_MS = 10_000;

    private static final int STICKY = 01000;
    private static final int OTHERS_WRITE = 022;
    private static final int FOR_OTHERS = 077;
    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    private final Path folder;
    private final UserPrincipal owner;
    private final ServerSocketChannel listener;

    private JobFolder(Path folder, UserPrincipal owner, ServerSocketChannel listener) {
        this.folder = folder;
        this.owner = owner;
        this.listener = listener;
    }

    /**
     * Makes one, and listens there.
     *
     * @throws IOException where there is no place for it
     */
    static JobFolder make(int backlog) throws IOException {
        return make(places(System.getProperty("java.io.tmpdir"), System.getenv("XDG_RUNTIME_DIR")), backlog);
    }

    /**
     * First the one that outlives the end of its user's session. Others share it, so that a folder's name is random,
     * and it is one in which nobody can put something else in its place. The last is all that may be written in a
     * container whose files may only be read.
     */
    static List<Path> places(String temporary, String runtime) {
        Set<Path> places = new LinkedHashSet<>();
        for (String place : new String[] {temporary, "/tmp", runtime, "/dev/shm"}) {
            if (place != null && place.startsWith("/")) {
                places.add(Path.of(place));
            }
        }
        return List.copyOf(places);
    }

    static JobFolder make(List<Path> places, int backlog) throws IOException {
        List<String> reasons = new ArrayList<>();
        for (Path place : places) {
            try {
                String wrong = wrongWith(place);
                if (wrong.isEmpty()) {
                    return in(place, backlog);
                }
                reasons.add(place + ": " + wrong);
            } catch (IOException e) {
                reasons.add(place + ": " + e);
            }
        }
        throw new IOException("there is no folder for the socket at which ranks find their launcher ("
                + String.join("; ", reasons) + "); set XDG_RUNTIME_DIR to a folder of your own whose path is short");
    }

    private static JobFolder in(Path place, int backlog) throws IOException {
        Path folder = place.resolve(newName());
        Files.createDirectory(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        ServerSocketChannel listener = null;
        try {
            listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            listener.bind(UnixDomainSocketAddress.of(folder.resolve(SOCKET)), backlog);
            listener.configureBlocking(false);
            return new JobFolder(folder, Files.getOwner(folder), listener);
        } catch (IOException | RuntimeException e) {
            if (listener != null) {
                listener.close();
            }
            remove(folder.resolve(SOCKET));
            throw e;
        }
    }

    private static String newName() throws IOException {
        return ownNames() + String.format("%0" + DIGITS + "x", Unguessable.number());
    }

    /**
     * How the names of this user's folders begin on this machine. Several may share a folder for temporary files, and
     * none hears who listens on another.
     */
    private static String ownNames() throws IOException {
        return NAME + ownUser() + "-"
                + String.format("%08x", Files.readString(HOST_NAME).trim().hashCode()) + "-";
    }

    private static boolean isName(String name) {
        return name.startsWith(NAME)
                && name.substring(NAME.length()).matches("\\d+-[0-9a-f]{8}-[0-9a-f]{" + DIGITS + "}");
    }

    /** Why others could put something in the place of what is made there; empty where they can't. */
    private static String wrongWith(Path place) throws IOException {
        if (place.resolve(newName()).resolve(SOCKET).toString().getBytes(java.nio.charset.StandardCharsets.UTF_8).length
                > LONGEST_PATH_BYTES) {
            return "its path is too long for a socket's address";
        }
        long self = ownUser();
        for (Path at = place.toRealPath(); at != null; at = at.getParent()) {
            Map<String, Object> facts = Files.readAttributes(at, "unix:uid,mode");
            long uid = ((Number) facts.get("uid")).longValue();
            int mode = (int) facts.get("mode");
            if (uid != self && !SafeFolder.mayBeRoots(uid)) {
                return at + " belongs to another user (" + uid + ")";
            }
            if ((mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0) {
                return "others may rename what is in " + at + " (" + Integer.toOctalString(mode & 07777)
                        + ", not sticky)";
            }
        }
        return "";
    }

    Path socket() {
        return folder.resolve(SOCKET);
    }

    ServerSocketChannel listener() {
        return listener;
    }

    /** Whether the other end is a process of this user. */
    boolean isOwn(SocketChannel peer) throws IOException {
        return peer.getOption(ExtendedSocketOptions.SO_PEERCRED).user().equals(owner);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        remove(socket());
    }

    /** Why what a rank is told to connect to is none that its own user's launcher made; empty where it may be. */
    static String refuse(Path socket) throws IOException {
        Path folder = socket.getParent();
        Map<String, Object> facts =
                Files.readAttributes(folder, "unix:uid,mode,isDirectory", LinkOption.NOFOLLOW_LINKS);
        long uid = ((Number) facts.get("uid")).longValue();
        int mode = (int) facts.get("mode") & 0777;
        return (boolean) facts.get("isDirectory") && isOwn(uid) && (mode & FOR_OTHERS) == 0
                ? ""
                : folder + " is no folder of this user alone (its owner is " + uid + ", its mode "
                        + Integer.toOctalString(mode) + ")";
    }

    /**
     * Of a launcher that has ended: what it has left, and nothing that isn't called so. What can't be removed is left
     * to the next launcher.
     */
    static void remove(Path socket) {
        Path folder = socket.getParent();
        if (!socket.endsWith(SOCKET) || !isName(String.valueOf(folder.getFileName()))) {
            return;
        }
        try {
            if (!refuse(socket).isEmpty()) {
                return;
            }
            Files.deleteIfExists(socket);
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            return;
        }
    }

    /** Removes what killed launchers of this user have left. */
    static void sweep() {
        for (Path place : places(System.getProperty("java.io.tmpdir"), System.getenv("XDG_RUNTIME_DIR"))) {
            sweep(place);
        }
    }

    static void sweep(Path place) {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(place, ownNames() + "*")) {
            for (Path folder : folders) {
                if (isName(folder.getFileName().toString()) && isLeft(folder)) {
                    remove(folder.resolve(SOCKET));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // There is nothing of ours, or it can't be seen.
            return;
        }
    }

    private static boolean isLeft(Path folder) {
        try {
            Map<String, Object> facts =
                    Files.readAttributes(folder, "unix:uid,isDirectory,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
            long ageMs =
                    System.currentTimeMillis() - ((FileTime) facts.get("lastModifiedTime")).to(TimeUnit.MILLISECONDS);
            return (boolean) facts.get("isDirectory")
                    && ((Number) facts.get("uid")).longValue() == ownUser()
                    && ageMs > YOUNG_MS
                    && !isListenedAt(folder.resolve(SOCKET));
        } catch (IOException e) {
            // Another has removed it.
            return false;
        }
    }

    private static boolean isListenedAt(Path socket) throws IOException {
        if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.configureBlocking(false);
            probe.connect(UnixDomainSocketAddress.of(socket));
            return true;
        } catch (ConnectException e) {
            return false;
        }
    }

    /** Ranks look here as they start, where each class counts: most need no more than the first. */
    private static boolean isOwn(long uid) throws IOException {
        return ((Number) Files.getAttribute(Path.of("/proc/self"), "unix:uid")).longValue() == uid || ownUser() == uid;
    }

    /**
     * Of this process, as files see it. Not that of /proc/self, which is root's where a process may not be looked into.
     */
    static long ownUser() throws IOException {
        try (BufferedReader status = Files.newBufferedReader(Path.of("/proc/self/status"))) {
            for (String line = status.readLine(); line != null; line = status.readLine()) {
                if (line.startsWith("Uid:")) {
                    // Real, effective, saved, of files.
                    return Long.parseLong(
                            line.substring(line.lastIndexOf('\t') + 1).trim());
                }
            }
        }
        throw new IOException("/proc/self/status doesn't say which user this is");
    }
}
