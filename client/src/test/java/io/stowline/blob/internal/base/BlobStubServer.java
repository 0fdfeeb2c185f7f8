package io.stowline.blob.internal.base;

import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server with as much HTTP as the stub needs, on plain sockets, so that a body can break off at any byte. */
final class BlobStubServer implements AutoCloseable {

    private final ServerSocket listening;
    private final Function<StubRequest, BlobStubResponse> responses;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    BlobStubServer(Function<StubRequest, BlobStubResponse> responses) {
        this.responses = responses;
        try {
            listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "stub");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                open.add(socket);
                start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (StubRequest requested = read(in); requested != null; requested = read(in)) {
                BlobStubResponse reported = responses.apply(requested);
                boolean complete = write(requested, reported, socket.getOutputStream());
                if (!complete && !reported.hangs()) {
                    return;
                }
            }
        } catch (IOException e) {
            // The client went away, as it may.
        } finally {
            open.remove(socket);
        }
    }

    @Nullable
    private static StubRequest read(InputStream in) throws IOException {
        String first = line(in);
        if (first.isEmpty()) {
            return null;
        }
        String[] parts = first.split(" ", 3);
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        String[] address = parts[1].split("\\?", 2);
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        return new StubRequest(parts[0], address[0], address.length == 1 ? "" : address[1], headers, body);
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    /** True if all of it was written. */
    private static boolean write(StubRequest requested, BlobStubResponse reported, OutputStream out)
            throws IOException {
        boolean head = requested.method().equals("HEAD");
        boolean bodiless = head || reported.status() == 304;
        StringBuilder response =
                new StringBuilder("HTTP/1.1 " + reported.status() + " x\r\nx-ms-version: 2025-11-05\r\n");
        reported.headers().forEach((name, value) -> {
            if (!value.equals(BlobStubResponse.ABSENT)) {
                response.append(name).append(": ").append(value).append("\r\n");
            }
        });
        if (!reported.headers().containsKey("Content-Length")) {
            response.append("Content-Length: ").append(reported.length()).append("\r\n");
        }
        out.write(response.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
        if (!bodiless) {
            out.write(reported.body());
        }
        out.flush();
        return bodiless || reported.body().length == reported.length();
    }

    @Override
    public void close() {
        try {
            listening.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
