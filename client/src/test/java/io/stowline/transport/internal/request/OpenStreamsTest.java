package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.sun.net.httpserver.HttpServer;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Downloads that are open but not read. */
@Timeout(120)
class OpenStreamsTest {

    private static final int PARALLELISM = 4;
    private static final int SIZE = 8 << 20;
    private static final int SLICE = 64 << 10;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private ClientRuntime runtime;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(threads);
        serve("/large", new byte[SIZE]);
        serve("/small", "hello".getBytes(StandardCharsets.US_ASCII));
        server.start();
        runtime = ClientRuntime.open(Bench.account(), Bench.settings(PARALLELISM, RetrySettings.defaults()));
    }

    private void serve(String path, byte[] content) {
        server.createContext(path, exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().set("x-ms-request-id", "r-1");
                exchange.sendResponseHeaders(200, content.length);
                // The server copies twice what one write gives it.
                for (int from = 0; from < content.length; from += SLICE) {
                    exchange.getResponseBody().write(content, from, Math.min(SLICE, content.length - from));
                }
            }
        });
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    @AfterEach
    void stop() {
        runtime.close(Duration.ofSeconds(1)).block();
        server.stop(0);
        threads.shutdownNow();
    }

    private HttpResponse open(HttpPipeline pipeline) {
        HttpResponse response =
                pipeline.send(new HttpRequest(HttpMethod.GET, url("/large"))).block(Duration.ofSeconds(30));
        assertThat(response.getStatusCode()).isEqualTo(200);
        return response;
    }

    @Test
    @DisplayName(
            "PERMIT-1: many more unread downloads than the parallelism hold no permit and keep nobody from sending")
    void unreadDownloadsBlockNobody() {
        StoragePipeline pipeline = runtime.to(Service.BLOB);
        List<HttpResponse> unread = new ArrayList<>();
        for (int i = 0; i < 5 * PARALLELISM; i++) {
            unread.add(open(Bench.calls(Service.BLOB, pipeline).pipeline()));
        }

        assertThat(pipeline.gate().inUse()).isZero();
        Exchange<String> small = Exchange.of(
                Request.of("find", "x", OperationType.READ, HttpMethod.GET, url("/small")),
                RetrySettings.defaults(),
                response -> new ParseResult.Value<>(response.text()));
        assertThat(pipeline.send(small).block(Duration.ofSeconds(30))).isEqualTo("hello");
        for (HttpResponse response : unread) {
            assertThat(response.getBody()
                            .reduce(0, (sum, bytes) -> sum + bytes.remaining())
                            .block(Duration.ofSeconds(30)))
                    .isEqualTo(SIZE);
        }
    }
}
