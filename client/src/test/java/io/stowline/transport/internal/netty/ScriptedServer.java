package io.stowline.transport.internal.netty;

import com.azure.core.credential.AzureNamedKeyCredential;
import io.stowline.Stowline;
import io.stowline.retry.Backoff;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ServerSocketFactory;

/** A server on a plain socket that writes whatever bytes a test gives it for a request. */
final class ScriptedServer implements AutoCloseable {

    /** The end of a response with which the connection ends. */
    static final String HANG_UP = "\u0004";

    final AtomicInteger connections = new AtomicInteger();
    final AtomicInteger requests = new AtomicInteger();
    private final SocketServer server;
    private final Function<Received, String> responses;

    /** A request: how many came before it, and its client request id. */
    record Received(int number, String id) {}

    ScriptedServer(Function<Received, String> responses) throws IOException {
        this.responses = responses;
        this.server = new SocketServer(ServerSocketFactory.getDefault(), this::response);
    }

    private void response(Socket client) throws IOException {
        connections.incrementAndGet();
        InputStream in = new BufferedInputStream(client.getInputStream());
        OutputStream out = client.getOutputStream();
        while (true) {
            Received received = receive(in);
            String response = responses.apply(received);
            boolean last = response.endsWith(HANG_UP);
            out.write(response.substring(0, response.length() - (last ? 1 : 0)).getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            if (last) {
                return;
            }
        }
    }

    private Received receive(InputStream in) throws IOException {
        int length = 0;
        String id = "";
        for (String line = SocketServer.line(in); !line.isEmpty(); line = SocketServer.line(in)) {
            String lower = line.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).trim());
            } else if (lower.startsWith("x-ms-client-request-id:")) {
                id = line.substring(23).trim();
            }
        }
        in.readNBytes(length);
        return new Received(requests.getAndIncrement(), id);
    }

    int port() {
        return server.port();
    }

    /** A client of this server with so many retries. */
    Stowline client(int retries) {
        return builder(retries)
                .tableEndpoint("http://127.0.0.1:" + server.port() + "/acct")
                .build();
    }

    /** The settings of a client of no server yet. */
    static Stowline.Builder builder(int retries) {
        return Stowline.builder()
                .credential(new AzureNamedKeyCredential("acct", "a2V5"))
                .retry(retry ->
                        retry.backoff(Backoff.fixed(Duration.ofMillis(1))).retries(retries));
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
