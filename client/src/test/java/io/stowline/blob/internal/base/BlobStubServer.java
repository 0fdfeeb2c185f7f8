package io.stowline.blob.internal.base;

import io.stowline.blob.internal.base.StubBlobs.StubAnswer;
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

/** As much HTTP as the stub needs, on plain sockets, so that a body can break off at any byte. */
final class BlobStubServer implements AutoCloseable {

    private final ServerSocket listening;
    private final Function<StubRequest, StubAnswer> answers;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    BlobStubServer(Function<StubRequest, StubAnswer> answers) {
        this.answers = answers;
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
            for (StubRequest asked = read(in); asked != null; asked = read(in)) {
                StubAnswer told = answers.apply(asked);
                boolean whole = write(asked, told, socket.getOutputStream());
                if (!whole && !told.hangs()) {
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

    /** Whether all of it was written. */
    private static boolean write(StubRequest asked, StubAnswer told, OutputStream out) throws IOException {
        boolean head = asked.method().equals("HEAD");
        boolean bodiless = head || told.status() == 304;
        StringBuilder answer = new StringBuilder("HTTP/1.1 " + told.status() + " x\r\nx-ms-version: 2025-11-05\r\n");
        told.headers().forEach((name, value) -> {
            if (!value.equals(StubAnswer.ABSENT)) {
                answer.append(name).append(": ").append(value).append("\r\n");
            }
        });
        if (!told.headers().containsKey("Content-Length")) {
            answer.append("Content-Length: ").append(told.length()).append("\r\n");
        }
        out.write(answer.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
        if (!bodiless) {
            out.write(told.body());
        }
        out.flush();
        return bodiless || told.body().length == told.length();
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
