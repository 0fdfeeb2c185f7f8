package io.stowline.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/** A server of the JDK that remembers the requests, and responds to every request with its own text. */
final class TinyServer implements AutoCloseable {

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<SentRequest> requests = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    volatile HttpHandler answering = exchange -> response(exchange, 200, exchange.getRequestMethod() + " applied");

    TinyServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/account");
    }

    List<SentRequest> requests() {
        return requests;
    }

    List<String> targets() {
        return requests.stream().map(SentRequest::target).toList();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Map<String, String> headers = exchange.getRequestHeaders().entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, header -> String.join(",", header.getValue())));
            requests.add(SentRequest.of(
                    exchange.getRequestMethod(), exchange.getRequestURI().toString(), headers, body));
            answering.handle(exchange);
        }
    }

    static void response(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        boolean bodyless = exchange.getRequestMethod().equals("HEAD") || status == 204 || status == 304;
        exchange.sendResponseHeaders(status, bodyless ? -1 : body.length);
        if (!bodyless) {
            exchange.getResponseBody().write(body);
        }
    }

    static void answerInChunks(HttpExchange exchange, String... chunks) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        for (String chunk : chunks) {
            exchange.getResponseBody().write(chunk.getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
