package org.sluice.bench.contestant;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What MPJ Express's mpjrun is to the ranks of niodev: each tells it its ports, and is told those of all once all are
 * there.
 *
 * <p><i>Thread</i>: any. <i>Owns</i>: the socket, and a daemon thread that ends with it.
 */
final class NiodevServer implements AutoCloseable {
    private final ServerSocket server;
    private final int ranks;

    NiodevServer(InetAddress here, int ranks) throws IOException {
        this.ranks = ranks;
        server = new ServerSocket(0, ranks, here);
        Thread thread = new Thread(this::serve, "bench-niodev");
        thread.setDaemon(true);
        thread.start();
    }

    String host() {
        return server.getInetAddress().getHostAddress();
    }

    int port() {
        return server.getLocalPort();
    }

    private void serve() {
        List<Socket> sockets = new ArrayList<>();
        try (server) {
            // In the order of ranks: niodev looks for those below its own in front.
            Map<Integer, String> peers = new TreeMap<>();
            while (sockets.size() < ranks) {
                Socket socket = server.accept();
                sockets.add(socket);
                DataInputStream in = new DataInputStream(socket.getInputStream());
                in.readUTF();
                int writePort = in.readInt();
                int readPort = in.readInt();
                int rank = in.readInt();
                // Who came from there is reached there.
                String host = socket.getInetAddress().getHostAddress();
                peers.put(rank, host + "@" + readPort + "@" + writePort + "@" + rank);
            }
            String answer = "#Peer Information;" + String.join(";", peers.values());
            for (Socket socket : sockets) {
                new DataOutputStream(socket.getOutputStream()).writeUTF(answer);
            }
        } catch (IOException e) {
            // A rank has ended, or this was closed: the ranks that wait for an answer see the end of their sockets.
        } finally {
            sockets.forEach(NiodevServer::close);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // All was said.
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            // It only listened.
        }
    }
}
