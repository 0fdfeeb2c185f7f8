package io.stowline.transport.internal.netty;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import javax.net.ServerSocketFactory;
import org.jspecify.annotations.Nullable;

/** A server of one blob on a plain socket: it keeps what is put, gives ranges of what it has, and hangs up where a test wants it to. */
final class RangeServer implements AutoCloseable {

    /** A request without its body. */
    record Head(String method, String target, Map<String, String> headers) {}

    private final SocketServer server;
    private final Deque<Integer> cuts = new ConcurrentLinkedDeque<>();
    private final List<Head> heads = Collections.synchronizedList(new ArrayList<>());
    private volatile byte[] content = new byte[0];
    private volatile @Nullable String refusal;

    RangeServer() throws IOException {
        this(ServerSocketFactory.getDefault());
    }

    RangeServer(ServerSocketFactory sockets) throws IOException {
        this.server = new SocketServer(sockets, this::serve);
    }

    private void serve(Socket client) throws IOException {
        InputStream in = new BufferedInputStream(client.getInputStream());
        OutputStream out = client.getOutputStream();
        boolean open = true;
        while (open) {
            Head head = head(in);
            heads.add(head);
            open = head.method.equals("PUT") ? put(head, in, out) : get(head, out);
            out.flush();
        }
    }

    private boolean put(Head head, InputStream in, OutputStream out) throws IOException {
        String refused = refusal;
        if (refused != null) {
            // After a part of the body, which is not read on.
            in.readNBytes(200_000);
            out.write(refused.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            // closing with unread bytes would reset the connection before the response is read
            return in.readAllBytes().length < 0;
        }
        content = in.readNBytes(Integer.parseInt(head.headers.get("content-length")));
        write(out, "HTTP/1.1 201 Created\r\nx-ms-request-id: r-1\r\nContent-Length: 0\r\n\r\n");
        return true;
    }

    private boolean get(Head head, OutputStream out) throws IOException {
        String range = head.headers.get("range");
        int from = range == null ? 0 : Integer.parseInt(range.replaceAll("bytes=(\\d+)-.*", "$1"));
        int length = content.length - from;
        write(
                out,
                "HTTP/1.1 " + (range == null ? "200 OK" : "206 Partial Content")
                        + "\r\nx-ms-request-id: r-1\r\nETag: \"1\"\r\nContent-Length: " + length + "\r\n\r\n");
        Integer cut = cuts.poll();
        out.write(content, from, cut == null ? length : cut);
        return cut == null;
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static Head head(InputStream in) throws IOException {
        String[] first = SocketServer.line(in).split(" ", -1);
        Map<String, String> headers = new TreeMap<>();
        for (String line = SocketServer.line(in); !line.isEmpty(); line = SocketServer.line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return new Head(first[0], first[1], headers);
    }

    /** Returns its content. */
    byte[] content() {
        return content;
    }

    RangeServer with(byte[] bytes) {
        content = bytes;
        return this;
    }

    /** Ends the next response to a read after so many bytes, and the one after it after the next number. */
    RangeServer cutting(int... lengths) {
        for (int length : lengths) {
            cuts.add(length);
        }
        return this;
    }

    /** Responds so in the middle of each write. */
    RangeServer refusing(String response) {
        refusal = response;
        return this;
    }

    /** Returns the requests, in their order. */
    List<Head> heads() {
        synchronized (heads) {
            return List.copyOf(heads);
        }
    }

    int port() {
        return server.port();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
