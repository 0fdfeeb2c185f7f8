package io.stowline.testkit.internal.proxy;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.StubResponse;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.impl.io.DefaultBHttpServerConnection;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.apache.hc.core5.io.CloseMode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection of a client. Used by one thread, but for {@link #reset()}. */
final class ClientConnection implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);
    private static final int CONTINUE = 100;

    private final Socket socket;
    private final DefaultBHttpServerConnection connection;
    private final int maxBody;
    private @Nullable ClassicHttpRequest last;
    private long received;

    ClientConnection(Socket socket, int maxBody) throws IOException {
        this.socket = socket;
        this.maxBody = maxBody;
        socket.setTcpNoDelay(true);
        connection = HttpSyntax.server(socket);
    }

    /** Returns the next request, {@code null} when the client has closed the connection. */
    @Nullable
    Read read(@Nullable StorageService service) throws IOException {
        try {
            ClassicHttpRequest head = connection.receiveRequestHeader();
            last = head;
            return head == null ? null : read(head, service);
        } catch (HttpException e) {
            throw new IOException("the client does not speak HTTP: " + e.getMessage(), e);
        }
    }

    private Read read(ClassicHttpRequest head, @Nullable StorageService service) throws IOException, HttpException {
        SentRequest request = SentRequest.received(
                        head.getMethod(), head.getRequestUri(), HttpSyntax.lines(head), new byte[0])
                .withService(service);
        if (head.containsHeader(HttpHeaders.EXPECT)) {
            connection.sendResponseHeader(new BasicClassicHttpResponse(CONTINUE));
            connection.flush();
        }
        connection.receiveRequestEntity(head);
        try {
            byte[] body = HttpSyntax.body(head.getEntity(), maxBody, request.method() + " " + request.path());
            return new Read(request.withBody(body), null);
        } catch (OversizedBodyException e) {
            LOG.warn("a connection is reset: {}", e.getMessage());
            return new Read(request, e.getMessage());
        }
    }

    /** Returns whether the next request may come over this connection, by the headers of the messages. */
    boolean staysOpenAfter(StubResponse response) {
        ClassicHttpRequest head = last;
        return head != null
                && connection.isOpen()
                && HttpSyntax.keepsAlive(
                        head, HttpSyntax.response(response, HttpSyntax.hasBody(head.getMethod(), response)));
    }

    /** Returns the number of bytes since the last call. */
    long newlyReceived() {
        long before = received;
        received = connection.getEndpointDetails().getReceivedBytesCount();
        return received - before;
    }

    boolean isGone() {
        try {
            return connection.isStale();
        } catch (IOException e) {
            return true;
        }
    }

    OutputStream out() throws IOException {
        return socket.getOutputStream();
    }

    /** Ends the connection at once, with a reset. */
    void reset() {
        connection.close(CloseMode.IMMEDIATE);
    }

    /** Ends the connection in order. */
    @Override
    public void close() throws IOException {
        connection.close();
    }

    /** A request, or the beginning of one and why the rest is not read. */
    record Read(SentRequest request, @Nullable String refusal) {}
}
