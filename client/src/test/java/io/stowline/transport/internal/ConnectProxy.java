package io.stowline.transport.internal;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP proxy on this machine that opens a tunnel to one target, whatever host it is asked for. */
final class ConnectProxy implements AutoCloseable {

    private final ServerSocket listening;
    private final int target;
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    ConnectProxy(int target) throws IOException {
        this.target = target;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** The first line of each request for a tunnel. */
    List<String> asked() {
        return asked;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                sockets.add(client);
                threads.execute(() -> tunnel(client));
            }
        } catch (IOException closed) {
            threads.shutdown();
        }
    }

    private void tunnel(Socket client) {
        try {
            InputStream in = new BufferedInputStream(client.getInputStream());
            asked.add(line(in));
            while (!line(in).isEmpty()) {
                // the rest of the head
            }
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(server);
            client.getOutputStream()
                    .write("HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            threads.execute(() -> copy(server, client));
            pour(in, server.getOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n' && c >= 0; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    private static void copy(Socket from, Socket to) {
        try {
            pour(from.getInputStream(), to.getOutputStream());
            to.close();
        } catch (IOException closed) {
            // the other side has gone
        }
    }

    private static void pour(InputStream from, OutputStream to) {
        byte[] buffer = new byte[8192];
        try {
            for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
                to.write(buffer, 0, n);
                to.flush();
            }
        } catch (IOException closed) {
            // the other side has gone
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
