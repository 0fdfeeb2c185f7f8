package io.stowline.transport.internal.account;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An HTTP proxy on this machine that opens a tunnel to one target, whatever host a request names. */
public final class ConnectProxy implements AutoCloseable {

    public static final String HANG_UP = "";

    private final ServerSocket listening;
    private final int target;
    private final List<String> requested = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final Function<List<String>, @Nullable String> refusal;

    public ConnectProxy(int target) throws IOException {
        this(target, head -> null);
    }

    /**
     * Makes a proxy with its response to a head in place of a tunnel, if any; with {@code close} in it the connection
     * ends.
     */
    public ConnectProxy(int target, Function<List<String>, @Nullable String> refusal) throws IOException {
        this.target = target;
        this.refusal = refusal;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** The first line of each request for a tunnel. */
    public List<String> requested() {
        return requested;
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
            String refused;
            do {
                refused = refusal.apply(head(in));
                if (refused != null) {
                    client.getOutputStream().write(refused.getBytes(StandardCharsets.US_ASCII));
                    if (refused.isEmpty() || refused.contains("close")) {
                        client.close();
                        return;
                    }
                }
            } while (refused != null);
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(server);
            client.getOutputStream()
                    .write("HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            threads.execute(() -> copy(server, client));
            pour(in, server.getOutputStream());
        } catch (EOFException | SocketException gone) {
            // the client has left the tunnel
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> head(InputStream in) throws IOException {
        List<String> head = new ArrayList<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            head.add(line);
        }
        if (head.isEmpty()) {
            throw new EOFException();
        }
        requested.add(head.get(0));
        return head;
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
