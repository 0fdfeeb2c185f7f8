package io.stowline.transport.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.util.BinaryData;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContextBuilder;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.netty.HttpWire;
import io.stowline.transport.internal.netty.NettyTransport;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A receiver that reads the head of a request, and then nothing until the request is given up. */
@Timeout(60)
class AbandonedBytesTest {

    private static final int BODY = 512 << 10;

    private static SelfSignedCertificates identity;

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final CompletableFuture<Channel> channel = new CompletableFuture<>();

    /** Through which HTTP client. */
    private enum Way {
        OURS,
        AZURE_CORE
    }

    /** The way in which a request is given up. */
    private enum End {
        TIME_OUT,
        CANCEL
    }

    @BeforeAll
    static void certificate() throws Exception {
        identity = SelfSignedCertificates.get();
        keys = Files.readAllBytes(Path.of(identity.file()));
    }

    private static byte[] keys;

    static Stream<Arguments> cases() {
        return Stream.of(Way.values()).flatMap(way -> Stream.of(End.values())
                .flatMap(end -> Stream.of(Arguments.of(way, end, false), Arguments.of(way, end, true))));
    }

    @ParameterizedTest(name = "{0}, {1}, TLS {2}")
    @MethodSource("cases")
    @DisplayName("OUTCOME-0: the bytes of a request that is given up end with it, although the receiver reads later")
    void bytesEndWithTheAttempt(Way way, End end, boolean secure) throws Exception {
        try (ServerSocket server = server(secure)) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch verdict = new CountDownLatch(1);
            CompletableFuture<Long> received = new CompletableFuture<>();
            receive(server, begun, verdict, received);
            NettyTransport transport = NettyTransport.of("acct", 2, null, this::hooked);
            try {
                CompletableFuture<Throwable> failed = new CompletableFuture<>();
                Disposable call =
                        request(way, transport, origin(server, secure)).subscribe(response -> {}, failed::complete);
                assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
                if (end == End.TIME_OUT) {
                    timer.advanceTimeBy(Duration.ofSeconds(35));
                    assertThat(failed.get(30, TimeUnit.SECONDS)).isNotNull();
                } else {
                    call.dispose();
                }
                assertThat(channel.get(30, TimeUnit.SECONDS).closeFuture().await(30, TimeUnit.SECONDS))
                        .as("the connection is closed")
                        .isTrue();
                verdict.countDown();
                assertThat(received.get(30, TimeUnit.SECONDS))
                        .as("bytes of the body that arrived")
                        .isLessThan(BODY / 2);
            } finally {
                verdict.countDown();
                transport.close(Duration.ofSeconds(5)).block();
            }
        }
    }

    private HttpClient hooked(HttpClient client) {
        return client.doOnConnected(connection -> channel.complete(connection.channel()))
                .secure(spec -> {
                    try {
                        spec.sslContext(SslContextBuilder.forClient()
                                .trustManager(identity.certificate())
                                .build());
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
    }

    private static String origin(ServerSocket server, boolean secure) {
        return (secure ? "https://localhost:" : "http://localhost:") + server.getLocalPort();
    }

    private Mono<?> request(Way way, NettyTransport transport, String origin) {
        RetrySettings once = RetrySettings.builder().backoff(Backoff.none()).build();
        StoragePipeline pipeline = new StoragePipeline(
                Bench.account().credential().authorizer(Service.TABLE),
                HttpWire.telling(transport.client()),
                Bench.limits(1, timer),
                new TimeSources(timer, () -> Long.MIN_VALUE, Clock.systemUTC()),
                Bench.settings(Service.TABLE, once, OperationObserver.none(), exchange -> {}));
        if (way == Way.OURS) {
            Request request = Request.of(
                            "insert", "people(p, r)", OperationType.WRITE, HttpMethod.POST, origin + "/people")
                    .body("application/json", new byte[BODY]);
            return pipeline.send(Exchange.of(request, once, response -> new ParseResult.Value<>(response.text())));
        }
        HttpRequest request = new HttpRequest(HttpMethod.PUT, origin + "/people")
                .setHeader(HttpHeaderName.CONTENT_LENGTH, Integer.toString(BODY))
                .setBody(BinaryData.fromBytes(new byte[BODY]));
        return Bench.calls(Service.BLOB, pipeline).pipeline().send(request);
    }

    private static ServerSocket server(boolean secure) throws Exception {
        ServerSocket server;
        if (secure) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(
                    new java.io.ByteArrayInputStream(keys), identity.password().toCharArray());
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, identity.password().toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            server = context.getServerSocketFactory().createServerSocket();
        } else {
            server = new ServerSocket();
        }
        server.setReceiveBufferSize(2_048);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return server;
    }

    /** Ends with the number of bytes that came of the body, or with the failure of a connection that was closed in an orderly way. */
    private static void receive(
            ServerSocket server, CountDownLatch begun, CountDownLatch verdict, CompletableFuture<Long> received) {
        Thread reader = new Thread(() -> {
            try (Socket socket = server.accept()) {
                InputStream in = socket.getInputStream();
                readHead(in);
                begun.countDown();
                verdict.await();
                received.complete(countedUntilReset(in));
            } catch (Exception | AssertionError e) {
                received.completeExceptionally(e);
            }
        });
        reader.setDaemon(true);
        reader.start();
    }

    private static void readHead(InputStream in) throws IOException {
        int ends = 0;
        while (ends < 4) {
            int next = in.read();
            assertThat(next).as("a byte of the head").isNotNegative();
            ends = next == (ends % 2 == 0 ? '\r' : '\n') ? ends + 1 : 0;
        }
    }

    private static long countedUntilReset(InputStream in) throws IOException {
        byte[] part = new byte[8_192];
        long count = 0;
        try {
            for (int n = in.read(part); n >= 0; n = in.read(part)) {
                count += n;
            }
        } catch (SocketException reset) {
            return count;
        }
        throw new AssertionError("an orderly end after " + count + " bytes of the body");
    }
}
