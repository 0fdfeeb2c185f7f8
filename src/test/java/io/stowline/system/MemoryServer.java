package io.stowline.system;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Server of the blobs of a memory account on a socket, for clients in other processes and for proxies. */
public final class MemoryServer implements AutoCloseable {

    static {
        // The server of the JDK would hold each response for the delayed acknowledgement of its client.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final MemoryStorage memory;
    private final String account;
    private final HttpServer server;

    /** Starts the server at a free port. */
    public MemoryServer(MemoryStorage memory) throws IOException {
        this.memory = memory;
        this.account = memory.connectionString().replaceFirst(".*AccountName=([^;]+).*", "$1");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    /** Returns the endpoint of its blobs. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + account);
    }

    /** Returns the connection string of a client that reaches it at another endpoint. */
    public String connectionString(URI endpoint) {
        return "AccountName=" + account + ";AccountKey=bWVtb3J5;BlobEndpoint=" + endpoint;
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpHeaders headers = new HttpHeaders();
            exchange.getRequestHeaders()
                    .forEach((name, values) -> headers.set(HttpHeaderName.fromString(name), values));
            String target = exchange.getRequestURI().toString().substring(account.length() + 1);
            HttpRequest request = new HttpRequest(
                            HttpMethod.valueOf(exchange.getRequestMethod()),
                            "https://" + account + ".blob.test" + target)
                    .setHeaders(headers)
                    .setBody(exchange.getRequestBody().readAllBytes());
            try (HttpResponse response = memory.httpClient().send(request).block()) {
                response.getHeaders()
                        .forEach(header -> exchange.getResponseHeaders().set(header.getName(), header.getValue()));
                byte[] body = response.getBodyAsByteArray().block();
                boolean empty = request.getHttpMethod() == HttpMethod.HEAD || body.length == 0;
                exchange.sendResponseHeaders(response.getStatusCode(), empty ? -1 : body.length);
                if (!empty) {
                    exchange.getResponseBody().write(body);
                }
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
