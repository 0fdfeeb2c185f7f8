package io.stowline.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server that does to each of its connections, counted from 0, exactly what a test says. */
final class RawServer implements AutoCloseable {

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    RawServer(Behaviour behaviour) throws IOException {
        threads.execute(() -> {
            try {
                while (true) {
                    Socket socket = listening.accept();
                    int number = sockets.size();
                    sockets.add(socket);
                    threads.execute(() -> serve(behaviour, number, socket));
                }
            } catch (IOException e) {
                // Closed by the test.
            }
        });
    }

    private static void serve(Behaviour behaviour, int number, Socket socket) {
        try (socket) {
            behaviour.serve(number, socket);
        } catch (IOException e) {
            // The other side has gone, or the test is over.
        }
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort());
    }

    int connections() {
        return sockets.size();
    }

    /** The head of the next request with the blank line, empty at the end of the connection. */
    static String head(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        int next = in.read();
        while (next >= 0) {
            head.append((char) next);
            if (head.toString().endsWith("\r\n\r\n")) {
                return head.toString();
            }
            next = in.read();
        }
        return "";
    }

    static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        threads.shutdownNow();
    }

    /** The treatment of one connection. */
    @FunctionalInterface
    interface Behaviour {

        void serve(int number, Socket socket) throws IOException;
    }
}
