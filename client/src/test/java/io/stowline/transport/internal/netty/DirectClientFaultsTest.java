package io.stowline.transport.internal.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpResponse;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContextBuilder;
import io.stowline.RefusingPort;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.RequestHeaders;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.pipeline.SelfSignedCertificates;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/** Our HTTP client over real sockets with one connection at most: after each failure the next request works, and no memory stays. */
@Timeout(60)
class DirectClientFaultsTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false, true);
    private NettyTransport transport = transport(1);

    private NettyTransport transport(int connections) {
        return NettyTransport.of("acct", connections, null, this::counted);
    }

    private HttpClient counted(HttpClient client) {
        return client.option(ChannelOption.ALLOCATOR, memory);
    }

    @AfterEach
    void everyBufferIsReleased() {
        transport.close(Duration.ofSeconds(5)).block(LONG);
        assertThat(memory.metric().usedDirectMemory()).isZero();
        assertThat(memory.metric().usedHeapMemory()).isZero();
    }

    private Mono<HttpResponse> send(String origin, WriteTracker tracker) {
        DirectRequest request = new DirectRequest(
                HttpMethod.POST,
                origin + "/people",
                new RequestHeaders().set(StorageResponse.CLIENT_REQUEST_ID, "mine"),
                RequestBody.of(new byte[] {'{', '}'}));
        return transport.client().send(request).contextWrite(context -> context.put(WriteTracker.class, tracker));
    }

    private String response(String origin) {
        return send(origin, WriteTracker.reporting())
                .map(response -> response.getBodyAsBinaryData().toString())
                .block(LONG);
    }

    private static String plain(int port) {
        return "http://127.0.0.1:" + port;
    }

    @ParameterizedTest
    @DisplayName("OUTCOME-0: a request without a whole response of its own is in doubt, and the next one works at once")
    @ValueSource(
            strings = {
                ScriptedServer.HANG_UP,
                "HTTP/1.1 200" + ScriptedServer.HANG_UP,
                "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello" + ScriptedServer.HANG_UP,
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n" + ScriptedServer.HANG_UP,
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
                "HTTP/1.1 200 OK\r\nx-ms-client-request-id: theirs\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\n\r\n",
                "SSH-2.0-OpenSSH\r\n"
            })
    void noResponse(String text) throws IOException {
        try (ScriptedServer server = new ScriptedServer(received -> received.number() == 0 ? text : OK)) {
            WriteTracker tracker = WriteTracker.reporting();
            Throwable failure = send(plain(server.port()), tracker)
                    .map(response -> new AssertionError("answered by " + response.getStatusCode()))
                    .cast(Throwable.class)
                    .onErrorResume(Mono::just)
                    .block(LONG);
            assertThat(failure).isInstanceOf(IOException.class);
            assertThat(tracker.endedBy(failure)).isTrue();
            assertThat(response(plain(server.port()))).isEqualTo("hello");
            assertThat(server.connections).hasValue(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                OK + "x",
                OK + OK,
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\n\r\nhello" + ScriptedServer.HANG_UP,
                "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello" + ScriptedServer.HANG_UP
            })
    void lastResponsesOfAConnection(String text) throws IOException {
        try (ScriptedServer server = new ScriptedServer(received -> received.number() % 2 == 0 ? text : OK)) {
            for (int i = 0; i < 6; i++) {
                assertThat(response(plain(server.port()))).isEqualTo("hello");
            }
        }
    }

    @Test
    @DisplayName("RETRY-2: a port where nothing listens leaves no doubt, and each request is refused at once")
    void refused() {
        List<Throwable> failures;
        try (RefusingPort port = new RefusingPort()) {
            failures = Flux.fromStream(IntStream.range(0, 500).boxed())
                    .flatMap(
                            i -> {
                                WriteTracker tracker = WriteTracker.reporting();
                                return send(plain(port.number()), tracker)
                                        .map(response -> new AssertionError("answered"))
                                        .cast(Throwable.class)
                                        .onErrorResume(e -> Mono.just(tracker.endedBy(e) ? new AssertionError(e) : e));
                            },
                            500)
                    .collectList()
                    .block(LONG);
        }
        assertThat(failures).hasSize(500).allMatch(ConnectException.class::isInstance);
    }

    @Test
    void manyAtOnceShareFewConnections() throws IOException {
        transport.close(LONG).block();
        transport = transport(4);
        try (ScriptedServer server = new ScriptedServer(received -> OK)) {
            Long responded = Flux.range(0, 2_000)
                    .flatMap(i -> send(plain(server.port()), WriteTracker.reporting()), 100)
                    .filter(response -> response.getStatusCode() == 200)
                    .count()
                    .block(LONG);
            assertThat(responded).isEqualTo(2_000);
            assertThat(server.connections).hasValueLessThanOrEqualTo(4);
        }
    }

    @Test
    @DisplayName("RETRY-5: a request that is given up while it waits, is written or is answered costs no connection")
    void givenUp() throws Exception {
        CountDownLatch requested = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        try (ScriptedServer server = new ScriptedServer(received -> {
            if (received.number() == 0) {
                requested.countDown();
                await(over);
            }
            return OK;
        })) {
            Disposable first =
                    send(plain(server.port()), WriteTracker.reporting()).subscribe();
            assertThat(requested.await(30, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 50; i++) {
                send(plain(server.port()), WriteTracker.reporting()).subscribe().dispose();
            }
            CompletableFuture<HttpResponse> waiting =
                    send(plain(server.port()), WriteTracker.reporting()).toFuture();
            first.dispose();
            assertThat(waiting.get(30, TimeUnit.SECONDS).getStatusCode()).isEqualTo(200);
            over.countDown();
            for (int i = 0; i < 50; i++) {
                send(plain(server.port()), WriteTracker.reporting()).subscribe().dispose();
                assertThat(response(plain(server.port()))).isEqualTo("hello");
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("RETRY-2: a TLS handshake that does not end leaves no doubt, and its request can be given up")
    void silentHandshake() throws Exception {
        CountDownLatch greeted = new CountDownLatch(1);
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Socket> client = CompletableFuture.supplyAsync(() -> {
                try {
                    Socket accepted = silent.accept();
                    InputStream in = accepted.getInputStream();
                    assertThat(in.read()).isPositive();
                    greeted.countDown();
                    return accepted;
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            String origin = "https://localhost:" + silent.getLocalPort();
            WriteTracker tracker = WriteTracker.reporting();
            Disposable attempt = send(origin, tracker).subscribe();
            assertThat(greeted.await(30, TimeUnit.SECONDS)).isTrue();
            attempt.dispose();
            assertThat(tracker.endedBy(new IOException("given up"))).isFalse();

            // The one connection is still being opened; its end is the next request's failure.
            WriteTracker second = WriteTracker.reporting();
            CompletableFuture<HttpResponse> waiting = send(origin, second).toFuture();
            client.get(30, TimeUnit.SECONDS).close();
            assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(IOException.class);
            assertThat(second.endedBy(new IOException("over"))).isFalse();
        }
    }

    /** The transport trusts what this context serves. */
    private SSLContext trusted(int connections) throws Exception {
        SelfSignedCertificates identity = SelfSignedCertificates.get();
        transport.close(LONG).block();
        transport = NettyTransport.of(
                "acct", connections, null, client -> counted(client).secure(spec -> {
                    try {
                        spec.sslContext(SslContextBuilder.forClient()
                                .trustManager(identity.certificate())
                                .build());
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                }));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(
                Files.newInputStream(Path.of(identity.file())),
                identity.password().toCharArray());
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, identity.password().toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    @Test
    @DisplayName("RETRY-2: a request beside a TLS handshake that hangs is served by another connection")
    void hangingHandshake() throws Exception {
        SSLContext context = trusted(2);
        try (ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Socket> silent = new CompletableFuture<>();
            Thread server = new Thread(() -> {
                try {
                    silent.complete(listening.accept());
                    Socket raw = listening.accept();
                    SSLSocket secure =
                            (SSLSocket) context.getSocketFactory().createSocket(raw, null, raw.getPort(), false);
                    secure.setUseClientMode(false);
                    for (int i = 0; i < 2; i++) {
                        assertThat(secure.getInputStream().read(new byte[4_096]))
                                .isPositive();
                        secure.getOutputStream().write(OK.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                        secure.getOutputStream().flush();
                    }
                } catch (IOException over) {
                    throw new IllegalStateException(over);
                }
            });
            server.setDaemon(true);
            server.start();
            String origin = "https://localhost:" + listening.getLocalPort();
            assertThat(response(origin)).isEqualTo("hello");
            assertThat(response(origin)).isEqualTo("hello");
            silent.get(30, TimeUnit.SECONDS).close();
        }
    }

    @Test
    @DisplayName("OUTCOME-0: under TLS a response of open length that ends without the close of TLS is cut off")
    void truncatedUnderTls() throws Exception {
        SSLContext context = trusted(1);
        try (ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> {
                try {
                    for (boolean orderly : new boolean[] {false, true}) {
                        Socket raw = listening.accept();
                        Socket secure = context.getSocketFactory().createSocket(raw, null, raw.getPort(), false);
                        ((SSLSocket) secure).setUseClientMode(false);
                        assertThat(secure.getInputStream().read(new byte[4_096]))
                                .isPositive();
                        secure.getOutputStream()
                                .write("HTTP/1.1 200 OK\r\n\r\nhello"
                                        .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                        secure.getOutputStream().flush();
                        if (orderly) {
                            secure.close();
                        }
                        raw.close();
                    }
                } catch (IOException over) {
                    throw new IllegalStateException(over);
                }
            });
            server.setDaemon(true);
            server.start();
            String origin = "https://localhost:" + listening.getLocalPort();
            assertThatThrownBy(() -> response(origin)).hasMessageContaining("closed within the response");
            assertThat(response(origin)).isEqualTo("hello");
        }
    }

    @Test
    void closingEndsWhatIsInFlight() throws Exception {
        CountDownLatch requested = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        try (ScriptedServer server = new ScriptedServer(received -> {
            requested.countDown();
            await(over);
            return OK;
        })) {
            CompletableFuture<HttpResponse> carried =
                    send(plain(server.port()), WriteTracker.reporting()).toFuture();
            assertThat(requested.await(30, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<HttpResponse> waiting =
                    send(plain(server.port()), WriteTracker.reporting()).toFuture();
            transport.close(Duration.ofSeconds(5)).block(LONG);
            assertThatThrownBy(() -> carried.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(IOException.class);
            assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS)).hasMessageContaining("the client is closed");
            assertThatThrownBy(() -> response(plain(server.port()))).hasMessageContaining("the client is closed");
            over.countDown();
        }
    }
}
