package io.stowline.testkit;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A client that sends exactly what a test says, and shows exactly what it was sent. */
final class RawClient implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 20_000;

    private final Socket socket;

    RawClient(URI endpoint) throws IOException {
        socket = new Socket(endpoint.getHost(), endpoint.getPort());
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    RawClient send(String text) throws IOException {
        RawServer.write(socket, text);
        return this;
    }

    /** A request line, a host and a blank line. */
    RawClient get(String target) throws IOException {
        return send("GET " + target + " HTTP/1.1\r\nHost: here\r\n\r\n");
    }

    String head() throws IOException {
        return RawServer.head(socket);
    }

    String body(int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length), StandardCharsets.ISO_8859_1);
    }

    /** Everything up to the orderly end of the connection. */
    String rest() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
