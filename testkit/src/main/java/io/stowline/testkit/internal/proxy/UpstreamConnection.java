package io.stowline.testkit.internal.proxy;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StubResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.Supplier;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.message.MessageSupport;
import org.apache.hc.core5.io.CloseMode;
import org.jspecify.annotations.Nullable;

/** The way from one client's connection to the service: one connection, kept. Used by one thread, but for closing. */
final class UpstreamConnection implements AutoCloseable {

    private static final int CONNECT_MILLIS = 10_000;
    private static final int SWITCHING = 101;
    private static final int FIRST_FINAL = 200;

    private final Supplier<InetSocketAddress> where;
    private final int maxBody;
    private @Nullable InetSocketAddress address;
    private volatile @Nullable DefaultBHttpClientConnection connection;
    private volatile boolean closed;

    UpstreamConnection(Supplier<InetSocketAddress> where, int maxBody) {
        this.where = where;
        this.maxBody = maxBody;
    }

    StubResponse response(SentRequest request) throws IOException {
        InetSocketAddress current = where.get();
        DefaultBHttpClientConnection kept = connection;
        if (kept == null || !kept.isOpen() || !current.equals(address)) {
            return exchange(request, open(current));
        }
        EndpointDetails details = kept.getEndpointDetails();
        long before = details.getReceivedBytesCount();
        try {
            return exchange(request, kept);
        } catch (IOException e) {
            // A service closes idle connections when it likes, and the request may meet that half-way.
            if (closed || details.getReceivedBytesCount() > before) {
                throw e;
            }
            return exchange(request, open(current));
        }
    }

    private DefaultBHttpClientConnection open(InetSocketAddress target) throws IOException {
        drop();
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(target, CONNECT_MILLIS);
            DefaultBHttpClientConnection opened = HttpSyntax.client(socket);
            address = target;
            connection = opened;
            if (closed) {
                throw new IOException("the proxy was closed");
            }
            return opened;
        } catch (IOException e) {
            socket.close();
            throw new IOException("cannot connect to " + target + ": " + e.getMessage(), e);
        }
    }

    private StubResponse exchange(SentRequest sent, DefaultBHttpClientConnection line) throws IOException {
        try {
            ClassicHttpRequest request = HttpSyntax.request(sent);
            line.sendRequestHeader(request);
            line.sendRequestEntity(request);
            line.flush();
            return receive(request, line);
        } catch (HttpException e) {
            drop();
            throw new IOException("the service did not answer in HTTP: " + e.getMessage(), e);
        } catch (IOException e) {
            drop();
            throw e;
        }
    }

    private StubResponse receive(ClassicHttpRequest request, DefaultBHttpClientConnection line)
            throws IOException, HttpException {
        ClassicHttpResponse response = line.receiveResponseHeader();
        while (response.getCode() < FIRST_FINAL && response.getCode() != SWITCHING) {
            response = line.receiveResponseHeader();
        }
        if (MessageSupport.canResponseHaveBody(request.getMethod(), response)) {
            line.receiveResponseEntity(response);
        }
        byte[] body = HttpSyntax.body(response.getEntity(), maxBody, "the response to " + request.getMethod());
        if (!HttpSyntax.keepsAlive(request, response)) {
            drop();
        }
        return StubResponse.received(response.getCode(), HttpSyntax.lines(response), body);
    }

    private void drop() {
        DefaultBHttpClientConnection kept = connection;
        connection = null;
        if (kept != null) {
            kept.close(CloseMode.IMMEDIATE);
        }
    }

    /** Ends the connection at once, from any thread. */
    @Override
    public void close() {
        closed = true;
        drop();
    }
}
