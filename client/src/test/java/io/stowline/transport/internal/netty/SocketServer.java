package io.stowline.transport.internal.netty;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.net.ServerSocketFactory;

/** A server on plain sockets of the loopback interface, with a daemon thread for each connection. */
final class SocketServer implements AutoCloseable {

    /** Serves one connection; an error ends it. */
    interface Handler {
        void serve(Socket client) throws IOException;
    }

    private interface Work {
        void run() throws IOException;
    }

    private final ServerSocket listening;
    private final Deque<Socket> sockets = new ArrayDeque<>();

    SocketServer(ServerSocketFactory factory, Handler handler) throws IOException {
        this.listening = factory.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(() -> {
            while (true) {
                Socket client = listening.accept();
                synchronized (sockets) {
                    sockets.add(client);
                }
                start(() -> {
                    try (client) {
                        handler.serve(client);
                    }
                });
            }
        });
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException over) {
                        // The test is over, or the client has hung up.
                    }
                },
                "socket-server");
        thread.setDaemon(true);
        thread.start();
    }

    /** The next line of a head, without spaces at its ends. */
    static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the client has hung up");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    int port() {
        return listening.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        synchronized (sockets) {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
