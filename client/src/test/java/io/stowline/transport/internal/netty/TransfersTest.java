package io.stowline.transport.internal.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AzureNamedKey;
import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.ProxyOptions;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.storage.common.StorageSharedKeyCredential;
import io.netty.handler.ssl.SslContextBuilder;
import io.stowline.error.AuthenticationException;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.ConnectProxy;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.http.CollectingSink;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.PlayedFile;
import io.stowline.transport.internal.http.RequestHeaders;
import io.stowline.transport.internal.http.Standstill;
import io.stowline.transport.internal.http.response.BufferedResponse;
import io.stowline.transport.internal.netty.RangeServer.Head;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.SelfSignedCertificates;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Long bodies in both directions over real sockets, through each of the HTTP clients. */
@Timeout(60)
class TransfersTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final byte[] CONTENT = new byte[3_000_000];

    static {
        new Random(1).nextBytes(CONTENT);
    }

    private final NettyTransport transport = NettyTransport.of("acct", 1, null);
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final CollectingSink sink = new CollectingSink();
    private @Nullable NettyTransport tunnels;
    private @Nullable ConnectProxy proxy;

    /** The ways to the service. */
    enum Way {
        DIRECT,
        TUNNEL,
        FOREIGN,
        FOREIGN_LAMBDA,
        /** A client of a test, whose responses lie in memory. */
        WHOLE
    }

    @AfterEach
    void close() throws IOException {
        threads.shutdownNow();
        transport.close(Duration.ofSeconds(5)).block(LONG);
        if (proxy != null && tunnels != null) {
            tunnels.close(Duration.ofSeconds(5)).block(LONG);
            proxy.close();
        }
    }

    private HttpWire wire(Way way, RangeServer server) throws IOException {
        HttpClient netty = new NettyAsyncHttpClientBuilder().build();
        return switch (way) {
            case DIRECT -> HttpWire.telling(transport.client());
            case TUNNEL -> {
                proxy = new ConnectProxy(server.port());
                InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port());
                tunnels = NettyTransport.of("acct", 1, new ProxyOptions(ProxyOptions.Type.HTTP, address));
                yield HttpWire.telling(tunnels.client());
            }
            case FOREIGN -> HttpWire.silent(netty);
            case FOREIGN_LAMBDA -> HttpWire.silent(request -> netty.send(request));
            case WHOLE -> HttpWire.telling(request -> netty.send(request).flatMap(TransfersTest::whole));
        };
    }

    private static Mono<HttpResponse> whole(HttpResponse response) {
        return response.getBodyAsByteArray()
                .defaultIfEmpty(new byte[0])
                .map(bytes -> new BufferedResponse(
                        response.getRequest(), response.getStatusCode(), response.getHeaders(), bytes));
    }

    private StoragePipeline pipeline(HttpWire wire) {
        return new StoragePipeline(
                Bench.account().credential().authorizer(Service.BLOB),
                wire,
                Bench.limits(2, Schedulers.parallel()),
                new TimeSources(Schedulers.parallel(), new Random(1), Clock.systemUTC()),
                Bench.unheard(Service.BLOB));
    }

    private static RetrySettings settings() {
        return RetrySettings.builder()
                .backoff(Backoff.fixed(Duration.ofMillis(1)))
                .build();
    }

    private static Exchange<Integer> put(String origin, RequestBody body) {
        Request request = Request.of(
                        "upload", "c/b", OperationType.WRITE, HttpMethod.PUT, origin + "/acct/c/b?comp=block")
                .body("application/octet-stream", body);
        return Exchange.of(request, settings(), response -> new ParseResult.Value<>(response.status()));
    }

    private Exchange<String> get(String origin) {
        Request request = Request.of("download", "c/b", OperationType.READ, HttpMethod.GET, origin + "/acct/c/b")
                .into(sink)
                .headersOfAttempt(headers -> range(headers, sink.bytes().length));
        return Exchange.of(
                request,
                settings(),
                response -> new ParseResult.Value<>(response.status() + " " + response.body().length));
    }

    private static void range(RequestHeaders headers, int from) {
        if (from > 0) {
            headers.set(HttpHeaderName.RANGE, "bytes=" + from + "-");
        }
    }

    private static String plain(RangeServer server) {
        return "http://127.0.0.1:" + server.port();
    }

    private List<RequestBody> bodies() {
        List<ByteBuffer> parts = new ArrayList<>();
        for (int at = 0; at < CONTENT.length; at += 64 << 10) {
            parts.add(ByteBuffer.wrap(CONTENT, at, Math.min(64 << 10, CONTENT.length - at)));
        }
        return List.of(RequestBody.of(CONTENT), RequestBody.of(parts), RequestBody.of(CONTENT, 5, 100_000));
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void bodiesOfRequests(Way way) throws Exception {
        try (RangeServer server = new RangeServer()) {
            StoragePipeline pipeline = pipeline(wire(way, server));
            for (RequestBody body : bodies()) {
                assertThat(pipeline.send(put(plain(server), body)).block(LONG)).isEqualTo(201);
                assertThat(server.content()).isEqualTo(body.bytes());
            }
            assertThat(server.heads()).hasSize(3).allSatisfy(head -> assertThat(head.headers())
                    .doesNotContainKey("transfer-encoding"));
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    @DisplayName("TRANSFER-7: a body whose standstill is counted arrives byte for byte, and ends its standstill")
    void movingBodies(Way way) throws Exception {
        try (RangeServer server = new RangeServer()) {
            VirtualTimeScheduler clock = VirtualTimeScheduler.create();
            Standstill standstill = new Standstill(clock);
            standstill.admitted();
            clock.advanceTimeBy(Duration.ofSeconds(10));
            RequestBody body = bodies().get(1);
            Exchange<Integer> part = put(plain(server), body).with(options -> options.countingStandstill(standstill));
            assertThat(pipeline(wire(way, server)).send(part).block(LONG)).isEqualTo(201);
            assertThat(server.content()).isEqualTo(body.bytes());
            assertThat(server.heads()).singleElement().satisfies(head -> assertThat(head.target())
                    .endsWith("&timeout=1800"));
            assertThat(standstill.length()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    @DisplayName("TRANSFER-3: a sink that has enough after each part gets all of them, byte for byte")
    void aSinkThatPauses(Way way) throws Exception {
        try (RangeServer server = new RangeServer()) {
            StoragePipeline pipeline = pipeline(wire(way, server));
            assertThat(pipeline.send(put(plain(server), RequestBody.of(CONTENT)))
                            .block(LONG))
                    .isEqualTo(201);
            sink.fillAfterEachPart(() -> threads.execute(sink::drain));
            for (int round = 1; round <= 5; round++) {
                sink.clear();
                assertThat(pipeline.send(get(plain(server))).block(LONG)).endsWith(" 0");
                assertThat(sink.bytes()).isEqualTo(CONTENT);
            }
            assertThat(sink.pauses()).isGreaterThanOrEqualTo(5);
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    @DisplayName("TRANSFER-3: a file that is read while it is sent arrives byte for byte")
    void bodiesOfFiles(Way way) throws Exception {
        try (RangeServer server = new RangeServer()) {
            StoragePipeline pipeline = pipeline(wire(way, server));
            PlayedFile file = new PlayedFile(CONTENT.length + 5);
            for (int i = 0; i < 3; i++) {
                Exchange<Integer> part = put(plain(server), file.body(threads));
                Standstill standstill = new Standstill(Schedulers.parallel());
                assertThat(pipeline.send(i == 0 ? part : part.with(options -> options.countingStandstill(standstill)))
                                .block(LONG))
                        .isEqualTo(201);
                assertThat(server.content()).isEqualTo(file.content());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    @DisplayName("TRANSFER-1: a file that cannot be read is the end of its request, without another attempt")
    void unreadableFiles(Way way) throws Exception {
        try (RangeServer server = new RangeServer()) {
            StoragePipeline pipeline = pipeline(wire(way, server));
            for (int length : new int[] {0, 64 << 10, 1_000_000}) {
                PlayedFile file = new PlayedFile(CONTENT.length);
                file.truncate(length);
                Mono<Integer> sent = pipeline.send(put(plain(server), file.body(threads)));
                assertThatThrownBy(() -> sent.block(LONG))
                        .isInstanceOf(UncheckedIOException.class)
                        .hasMessage("upload c/b: the file was cut");
            }
            assertThat(server.heads()).hasSizeLessThanOrEqualTo(3);
            PlayedFile file = new PlayedFile(CONTENT.length);
            assertThat(pipeline.send(put(plain(server), file.body(threads))).block(LONG))
                    .isEqualTo(201);
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    @DisplayName("a refusal in the middle of a body is the response")
    void earlyRefusals(Way way) throws Exception {
        try (RangeServer server =
                new RangeServer().refusing("HTTP/1.1 403 x\r\nx-ms-error-code: Mine\r\nContent-Length: 0\r\n\r\n")) {
            Mono<Integer> sent =
                    pipeline(wire(way, server)).send(put(plain(server), RequestBody.of(new byte[30_000_000])));
            assertThatThrownBy(() -> sent.block(LONG))
                    .isInstanceOfSatisfying(
                            AuthenticationException.class,
                            e -> assertThat(e.failure().errorCode()).isEqualTo("Mine"));
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    @DisplayName("TRANSFER-2: after breaks a sink has got each byte once, by ranges that are signed")
    void bodiesOfResponses(Way way) throws Exception {
        try (RangeServer server = new RangeServer().with(CONTENT).cutting(1_000_000, 0, 1_234_567)) {
            assertThat(pipeline(wire(way, server)).send(get(plain(server))).block(LONG))
                    .isEqualTo(way == Way.WHOLE ? "200 0" : "206 0");
            assertThat(server.heads()).hasSize(4);
            // an HTTP client that reads responses whole loses the bytes before a break
            assertThat(server.heads().get(3).headers().containsKey("range")).isEqualTo(way != Way.WHOLE);
            assertThat(sink.bytes()).isEqualTo(CONTENT);
            server.heads().forEach(head -> assertSigned(plain(server), head));
        }
    }

    private static void assertSigned(String origin, Head head) {
        HttpHeaders headers = new HttpHeaders();
        head.headers().forEach((name, value) -> headers.set(HttpHeaderName.fromString(name), value));
        // The SDK's signer writes "null" for a length that is not there.
        headers.set(HttpHeaderName.CONTENT_LENGTH, "0");
        AzureNamedKey key = new AzureNamedKeyCredential("acct", Bench.KEY).getAzureNamedKey();
        try {
            assertThat(headers.getValue(HttpHeaderName.AUTHORIZATION))
                    .isEqualTo(new StorageSharedKeyCredential(key.getName(), key.getKey())
                            .generateAuthorizationHeader(
                                    new URL(origin + head.target()), head.method(), headers, false));
        } catch (java.net.MalformedURLException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    @DisplayName("what a sink throws is the end of its request, without another attempt")
    void thrownBySinks(Way way) throws Exception {
        for (String where : new String[] {"begin", "add"}) {
            try (RangeServer server = new RangeServer().with(CONTENT)) {
                sink.throwing(where, new IllegalStateException("of the sink"));
                Mono<String> sent = pipeline(wire(way, server)).send(get(plain(server)));
                assertThatThrownBy(() -> sent.block(LONG))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("of the sink");
                assertThat(server.heads()).hasSize(1);
            }
        }
    }

    @Test
    void underTls() throws Exception {
        SelfSignedCertificates identity = SelfSignedCertificates.get();
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(
                Files.newInputStream(Path.of(identity.file())),
                identity.password().toCharArray());
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, identity.password().toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        NettyTransport secure = NettyTransport.of(
                "acct",
                1,
                null,
                client -> client.secure(spec -> {
                    try {
                        spec.sslContext(SslContextBuilder.forClient()
                                .trustManager(identity.certificate())
                                .build());
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                }));
        try (RangeServer server = new RangeServer(context.getServerSocketFactory())) {
            String origin = "https://localhost:" + server.port();
            StoragePipeline pipeline = pipeline(HttpWire.telling(secure.client()));
            for (RequestBody body : bodies()) {
                assertThat(pipeline.send(put(origin, body)).block(LONG)).isEqualTo(201);
                assertThat(server.content()).isEqualTo(body.bytes());
            }
            PlayedFile file = new PlayedFile(CONTENT.length);
            assertThat(pipeline.send(put(origin, file.body(threads))).block(LONG))
                    .isEqualTo(201);
            assertThat(server.content()).isEqualTo(file.content());
            server.with(CONTENT).cutting(700_000);
            assertThat(pipeline.send(get(origin)).block(LONG)).isEqualTo("206 0");
            assertThat(sink.bytes()).isEqualTo(CONTENT);
        } finally {
            secure.close(Duration.ofSeconds(5)).block(LONG);
        }
        assertThat(Arrays.equals(sink.bytes(), CONTENT)).isTrue();
    }
}
