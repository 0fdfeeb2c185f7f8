package io.stowline.transport.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import io.stowline.Stowline;
import io.stowline.error.BadRequestException;
import io.stowline.error.ProtocolException;
import io.stowline.retry.Backoff;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Responses without an end, through each HTTP client: the bytes read of them are bounded, and the connection is given
 * up.
 */
@Timeout(120)
class HostileServerTest {

    private static final String PART = "x".repeat(65_536);
    /** Bytes that may lie in the buffers of both sides beside those that are read. */
    private static final long BUFFERS = 24L << 20;

    /** The HTTP client of the requests. */
    enum Carrier {
        OUR_OWN,
        OF_THE_APPLICATION,
        WRAPPED;

        void into(Stowline.Builder builder) {
            HttpClient inner = new NettyAsyncHttpClientBuilder().build();
            if (this == OF_THE_APPLICATION) {
                builder.httpClient(inner);
            } else if (this == WRAPPED) {
                builder.httpClient(request -> inner.send(request));
            }
        }
    }

    private static Throwable failure(Carrier carrier, HostileServer server, Consumer<Stowline> call) {
        Stowline.Builder builder = Stowline.builder()
                .tableEndpoint(server.root())
                .blobEndpoint(server.root())
                .queueEndpoint(server.root())
                .credential(new AzureNamedKeyCredential("acct", "a2V5"))
                .retry(retry -> retry.retries(2).backoff(Backoff.fixed(Duration.ofMillis(1))));
        carrier.into(builder);
        try (Stowline storage = builder.build()) {
            return catchThrowable(() -> call.accept(storage));
        }
    }

    @ParameterizedTest
    @DisplayName("RETRY-3: an endless 400 is a bad request, read up to a bound")
    @EnumSource(Carrier.class)
    void endlessError(Carrier carrier) throws Exception {
        String head = "HTTP/1.1 400 Bad Request\r\nx-ms-error-code: InvalidInput\r\nTransfer-Encoding: chunked\r\n\r\n";
        String chunk = "10000\r\n" + PART + "\r\n";
        try (HostileServer server = new HostileServer(head, chunk)) {
            assertThat(failure(
                            carrier, server, storage -> storage.table("people").find("p", "r")))
                    .isInstanceOf(BadRequestException.class)
                    .hasMessageContaining("400 InvalidInput");
            assertThat(server.hungUp()).isTrue();
            assertThat(failure(carrier, server, storage -> storage.container("photos")
                            .info("a.jpg")))
                    .isInstanceOf(BadRequestException.class);
            assertThat(failure(carrier, server, storage -> storage.container("photos")
                            .download("a.jpg")))
                    .isInstanceOf(BadRequestException.class);
            assertThat(failure(
                            carrier, server, storage -> storage.queue("orders").peek(1)))
                    .isInstanceOf(BadRequestException.class);
            assertThat(server.written()).isLessThan(4 * BUFFERS);
        }
    }

    @ParameterizedTest
    @DisplayName("RETRY-3: an endless answer is a protocol error that names the bound, and is not asked for again")
    @EnumSource(Carrier.class)
    void endlessResponse(Carrier carrier) throws Exception {
        String head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n";
        try (HostileServer server = new HostileServer(head, PART)) {
            assertThat(failure(carrier, server, storage -> storage.table("people")
                            .query()
                            .list()))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("longer than 16777216 bytes")
                    .hasMessageContaining("attempts 1;");
            assertThat(server.hungUp()).isTrue();
            assertThat(server.written()).isLessThan((16L << 20) + BUFFERS);
            assertThat(failure(
                            carrier, server, storage -> storage.queue("orders").peek(1)))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("longer than 16777216 bytes");
            assertThat(failure(carrier, server, storage -> storage.container("photos").stream()
                            .forEach(blob -> {})))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("longer than 67108864 bytes");
        }
    }

    @ParameterizedTest
    @DisplayName("RETRY-3: a response with a header beyond 8 KiB is a protocol error that names the bound")
    @EnumSource(Carrier.class)
    void longHeader(Carrier carrier) throws Exception {
        String head = "HTTP/1.1 200 OK\r\nETag: " + "x".repeat(8_193) + "\r\nContent-Length: 0\r\n\r\n";
        try (HostileServer server = new HostileServer(head, "")) {
            assertThat(failure(
                            carrier, server, storage -> storage.table("people").find("p", "r")))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("8192");
            assertThat(failure(carrier, server, storage -> storage.container("photos")
                            .info("a.jpg")))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("8192");
        }
    }

    @ParameterizedTest
    @DisplayName("RETRY-3: endless headers are a protocol error")
    @EnumSource(value = Carrier.class, names = "OUR_OWN")
    void endlessHeaders(Carrier carrier) throws Exception {
        try (HostileServer server = new HostileServer("HTTP/1.1 200 OK\r\n", "x: " + "y".repeat(1_000) + "\r\n")) {
            assertThat(failure(
                            carrier, server, storage -> storage.table("people").find("p", "r")))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("32768");
            assertThat(failure(carrier, server, storage -> storage.container("photos")
                            .info("a.jpg")))
                    .isInstanceOf(ProtocolException.class);
            assertThat(server.written()).isLessThan(2 * BUFFERS);
        }
    }
}
