package io.stowline.benchmarks.cost;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** A table service that knows one answer to each verb, in a process of its own so that its cost is not the client's. */
public final class StubTable {

    private static final String ETAG = "W/\"datetime'2026-11-21T03%3A48%3A35.3031181Z'\"";
    private static final byte[] ENTITY = entity().getBytes(StandardCharsets.UTF_8);

    private StubTable() {}

    /**
     * Serves until its standard input ends; prints its port first.
     *
     * @param args none
     * @throws Exception if it cannot be started
     */
    public static void main(String[] args) throws Exception {
        DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(StubTable::answer)
                .bindNow();
        System.out.println(server.port());
        while (System.in.read() >= 0) {
            // It lives as long as whoever has started it.
        }
        server.disposeNow();
    }

    private static Mono<Void> answer(HttpServerRequest request, HttpServerResponse response) {
        response.header("x-ms-request-id", "stub").header("Date", "Sat, 21 Nov 2026 03:48:35 GMT");
        boolean read = request.method().name().equals("GET");
        return request.receive()
                .then(Mono.defer(() -> read
                        ? response.header("ETag", ETAG)
                                .header("Content-Type", "application/json;odata=minimalmetadata")
                                .sendByteArray(Mono.just(ENTITY))
                                .then()
                        : response.status(204).header("ETag", ETAG).send().then()));
    }

    /** Ten properties, about 1 KB. */
    private static String entity() {
        String properties = IntStream.range(0, 10)
                .mapToObj(i -> "\"Text" + i + "\":\"" + "x".repeat(80) + "\"")
                .collect(Collectors.joining(","));
        return "{\"odata.etag\":\"" + ETAG.replace("\"", "\\\"") + "\",\"PartitionKey\":\"p\",\"RowKey\":\"r\","
                + "\"Timestamp\":\"2026-11-21T03:48:35.3031181Z\"," + properties + "}";
    }
}
