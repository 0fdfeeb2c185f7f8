package io.stowline.system.ledger;

import io.stowline.system.ledger.script.OperationScript;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A machine in between that stands still now and then: it passes on later the bytes of a request that it has read, and
 * the others stay in the kernel's buffer, whether or not the client has given up. It knows nothing of HTTP but how a
 * request begins.
 */
final class Relay implements AutoCloseable {

    private static final int BUFFER = 4_096;
    private static final Pattern REQUEST = Pattern.compile("(?s)^(GET|HEAD|POST|PUT|PATCH|MERGE|DELETE) /.*");
    private static final String END_OF_HEAD = "\r\n\r\n";
    private static final Pattern ID = Pattern.compile("(?i)x-ms-client-request-id: *([^\\r\\n]+)");

    private final ServerSocket server;
    private final int target;
    private final AtomicReference<@Nullable OperationScript> script = new AtomicReference<>();
    private final AtomicInteger kept = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "ledger-relay");
        thread.setDaemon(true);
        return thread;
    });

    Relay(int target) {
        this.target = target;
        try {
            server = new ServerSocket();
            // Small, so that much of a larger request is still at its sender when that gives up.
            server.setReceiveBufferSize(BUFFER);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Returns the number of requests that it keeps at present. */
    int kept() {
        return kept.get();
    }

    /** Decides from now on which requests are kept. */
    void obey(OperationScript next) {
        script.set(next);
    }

    private void accept() {
        try {
            while (!server.isClosed()) {
                Socket client = server.accept();
                Socket storage = new Socket(InetAddress.getLoopbackAddress(), target);
                client.setTcpNoDelay(true);
                storage.setTcpNoDelay(true);
                threads.execute(() -> forward(client, storage));
                threads.execute(() -> back(storage, client));
            }
        } catch (IOException e) {
            close();
        }
    }

    /** Reads on after the client has gone: what had arrived before is passed on. */
    private void forward(Socket client, Socket storage) {
        byte[] buffer = new byte[BUFFER];
        try (storage) {
            InputStream in = client.getInputStream();
            OutputStream out = storage.getOutputStream();
            StringBuilder head = new StringBuilder();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                String text = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
                if (head.length() > 0 || REQUEST.matcher(text).matches()) {
                    head.append(text);
                }
                if (head.indexOf(END_OF_HEAD) >= 0) {
                    keep(head.toString());
                    head.setLength(0);
                }
                out.write(buffer, 0, read);
            }
        } catch (IOException e) {
            // The client has reset its connection, or the storage has closed its own: both ends go.
        } finally {
            closed(client);
        }
    }

    private void keep(String text) {
        Matcher request = REQUEST.matcher(text);
        Matcher id = ID.matcher(text);
        OperationScript decides = script.get();
        if (decides == null || !request.matches() || !id.find()) {
            return;
        }
        long came = System.nanoTime();
        boolean write = !request.group(1).equals("GET") && !request.group(1).equals("HEAD");
        int millis = decides.stall(id.group(1).trim(), write);
        if (millis > 0) {
            kept.incrementAndGet();
            pause(Duration.ofMillis(millis));
            kept.decrementAndGet();
            if (System.nanoTime() - came > TestBed.HORIZON.toNanos()) {
                decides.tooLate(id.group(1).trim());
            }
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void back(Socket storage, Socket client) {
        try {
            storage.getInputStream().transferTo(client.getOutputStream());
            client.shutdownOutput();
        } catch (IOException e) {
            closed(client);
        }
    }

    private static void closed(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
