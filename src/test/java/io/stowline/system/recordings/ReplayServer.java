package io.stowline.system.recordings;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Server on a plain socket that writes scripted responses in their order and keeps the requests. Lengths, chunks and the echo of the
 * client request id are its own; all else is as recorded. Thread-safe.
 */
final class ReplayServer implements AutoCloseable {

    private static final String CLIENT_REQUEST_ID = "x-ms-client-request-id";
    private static final String CHUNKED = "Transfer-Encoding";
    private static final String LENGTH = "Content-Length";
    private static final byte[] LINE = {'\r', '\n'};

    private final ServerSocket server;
    private final List<Socket> open = new ArrayList<>();
    private final Deque<CannedResponse> script = new ArrayDeque<>();
    private final List<WireRequest> requests = new ArrayList<>();
    private final List<WireRequest> peeked = new ArrayList<>();
    private @Nullable CannedResponse readBack;

    ReplayServer() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        start("replay-accept", this::accept);
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    String endpoint(String account) {
        return "http://127.0.0.1:" + server.getLocalPort() + "/" + account;
    }

    /** Begins a replay. */
    synchronized void play(Replay replay) {
        script.clear();
        script.addAll(replay.script());
        readBack = replay.readBack();
        requests.clear();
        peeked.clear();
    }

    /** Returns the requests since the replay began, without looks. */
    synchronized List<WireRequest> requests() {
        return List.copyOf(requests);
    }

    /** Returns the read-backs of blobs since the replay began. */
    synchronized List<WireRequest> looks() {
        return List.copyOf(peeked);
    }

    private synchronized CannedResponse next(WireRequest request) {
        if (readBack != null && request.method().equals("HEAD")) {
            peeked.add(request);
            return readBack;
        }
        requests.add(request);
        CannedResponse next = script.poll();
        return next == null ? CannedResponse.of(400, "").with("x-ms-error-code", "NotScripted") : next;
    }

    private void accept() {
        while (true) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                synchronized (this) {
                    open.add(socket);
                }
                start("replay-connection", () -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
            for (String line = line(in); line != null; line = line(in)) {
                WireRequest request = request(line, in);
                write(out, request, next(request));
                out.flush();
            }
        } catch (SocketException gone) {
            // The client has reset the connection, or the test has ended.
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static WireRequest request(String line, InputStream in) throws IOException {
        String[] words = line.split(" ");
        List<HeaderFields.Field> fields = new ArrayList<>();
        for (String next = line(in); next != null && !next.isEmpty(); next = line(in)) {
            int colon = next.indexOf(':');
            fields.add(new HeaderFields.Field(
                    next.substring(0, colon), next.substring(colon + 1).strip()));
        }
        HeaderFields headers = new HeaderFields(fields);
        return new WireRequest(words[0], RequestTarget.of(words[1]), headers, body(headers, in));
    }

    private static byte[] body(HeaderFields headers, InputStream in) throws IOException {
        if (!headers.contains(CHUNKED)) {
            return in.readNBytes(Integer.parseInt(headers.value(LENGTH, "0")));
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        int length;
        do {
            String size = line(in);
            length = size == null ? 0 : Integer.parseInt(size, 16);
            body.write(in.readNBytes(length));
            line(in);
        } while (length > 0);
        return body.toByteArray();
    }

    /** Reads to the end of a line; gives {@code null} at the end of the connection. */
    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                if (line.size() == 0) {
                    return null;
                }
                throw new EOFException("the connection ended within a line");
            }
            line.write(b);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    private static void write(OutputStream out, WireRequest request, CannedResponse response) throws IOException {
        boolean chunked = response.headers().contains(CHUNKED);
        boolean head = request.method().equals("HEAD");
        boolean empty = head || response.status() == 304 || response.status() == 204;
        HeaderFields headers = response.headers().without(LENGTH).without(CHUNKED);
        String id = request.headers().value(CLIENT_REQUEST_ID);
        if (id != null && headers.contains(CLIENT_REQUEST_ID)) {
            headers = headers.with(CLIENT_REQUEST_ID, id);
        }
        if (head) {
            // Its length is that of the blob.
            String length = response.headers().value(LENGTH);
            headers = length == null ? headers.with(CHUNKED, "chunked") : headers.with(LENGTH, length);
        } else if (chunked) {
            headers = headers.with(CHUNKED, "chunked");
        } else if (!empty || response.headers().contains(LENGTH)) {
            headers = headers.with(LENGTH, String.valueOf(response.body().length));
        }
        ascii(out, "HTTP/1.1 " + response.status() + " " + response.reason() + "\r\n");
        for (HeaderFields.Field field : headers.fields()) {
            ascii(out, field.name() + ": " + field.value() + "\r\n");
        }
        out.write(LINE);
        if (!empty) {
            writeBody(out, response.body(), chunked);
        }
    }

    /** The bytes of a chunked body come in two parts. */
    private static void writeBody(OutputStream out, byte[] body, boolean chunked) throws IOException {
        if (!chunked) {
            out.write(body);
            return;
        }
        int half = body.length / 2;
        writeChunk(out, body, 0, half);
        writeChunk(out, body, half, body.length - half);
        ascii(out, "0\r\n\r\n");
    }

    private static void writeChunk(OutputStream out, byte[] body, int from, int length) throws IOException {
        if (length > 0) {
            ascii(out, Integer.toHexString(length) + "\r\n");
            out.write(body, from, length);
            out.write(LINE);
        }
    }

    private static void ascii(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public synchronized void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
