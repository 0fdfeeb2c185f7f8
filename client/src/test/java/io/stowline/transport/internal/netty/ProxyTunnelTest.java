package io.stowline.transport.internal.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.ProxyOptions;
import com.azure.core.http.ProxyOptions.Type;
import io.netty.channel.Channel;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.ProxyConnectionException;
import io.stowline.transport.internal.http.RequestHeaders;
import io.stowline.transport.internal.netty.direct.ConnectionOptions;
import io.stowline.transport.internal.netty.direct.DirectClient;
import io.stowline.transport.internal.netty.direct.DirectClient.ConnectionBounds;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ServerSocketFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.LoopResources;

/** The tunnels of the library's own requests, through proxies that a test plays on a plain socket. */
@Timeout(60)
class ProxyTunnelTest {

    private static final String RESPONSE = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    private static final String CONNECTED = "HTTP/1.1 200 Connection established\r\n\r\n";

    /** Far less than Netty's 10 s for a proxy, and than the 5 s for which a request relies on a tunnel. */
    private static final Duration PROMPTLY = Duration.ofSeconds(4);

    private final List<String> requested = new CopyOnWriteArrayList<>();

    private static List<String> send(Type type, SocketServer proxy, int requests) {
        NettyTransport transport = transport(type, proxy, 2);
        try {
            return Flux.range(0, requests)
                    .concatMap(i -> request(transport, "http://acct.invalid/x"))
                    .collectList()
                    .block();
        } finally {
            transport.close(Duration.ofSeconds(5)).block();
        }
    }

    private static NettyTransport transport(Type type, SocketServer proxy, int connections) {
        ProxyOptions options = new ProxyOptions(type, InetSocketAddress.createUnresolved("localhost", proxy.port()));
        return NettyTransport.of("acct", connections, options.setCredentials("me", "word"));
    }

    private static Mono<String> request(NettyTransport transport, String address) {
        return transport
                .client()
                .send(new DirectRequest(HttpMethod.GET, address, new RequestHeaders(), null))
                .map(HttpResponse::getBodyAsBinaryData)
                .map(Object::toString);
    }

    private static String head(InputStream in) throws IOException {
        String first = SocketServer.line(in);
        while (!SocketServer.line(in).isEmpty()) {
            // its headers
        }
        return first;
    }

    private void serve(Socket client, String first) throws IOException {
        InputStream in = client.getInputStream();
        OutputStream out = client.getOutputStream();
        requested.add(head(in));
        out.write(first.getBytes(US_ASCII));
        while (true) {
            requested.add(head(in));
            out.write(RESPONSE.getBytes(US_ASCII));
        }
    }

    @Test
    @DisplayName("one tunnel carries one request after the other, and the proxy looks the host up")
    void keepsTheTunnel() throws IOException {
        try (SocketServer proxy = new SocketServer(ServerSocketFactory.getDefault(), it -> serve(it, CONNECTED))) {
            assertThat(send(Type.HTTP, proxy, 2)).containsExactly("hello", "hello");
        }
        assertThat(requested).containsExactly("CONNECT acct.invalid:80 HTTP/1.1", "GET /x HTTP/1.1", "GET /x HTTP/1.1");
    }

    @Test
    @DisplayName("RETRY-2: bytes behind the head that opens the tunnel are no response, but a failure of the proxy")
    void strayBytes() throws IOException {
        try (SocketServer proxy =
                new SocketServer(ServerSocketFactory.getDefault(), it -> serve(it, CONNECTED + RESPONSE))) {
            assertThatThrownBy(() -> send(Type.HTTP, proxy, 1))
                    .cause()
                    .isInstanceOf(ProxyConnectionException.class)
                    .hasMessageContaining("the proxy localhost:" + proxy.port())
                    .hasMessageContaining("bytes followed its response");
        }
        assertThat(requested).containsExactly("CONNECT acct.invalid:80 HTTP/1.1");
    }

    @ParameterizedTest
    @DisplayName("RETRY-2: bytes behind the success of a SOCKS proxy are a failure of the proxy, too")
    @EnumSource(
            value = Type.class,
            names = {"SOCKS4", "SOCKS5"})
    void strayBytesOfSocks(Type type) throws IOException {
        try (SocketServer proxy = new SocketServer(ServerSocketFactory.getDefault(), client -> {
            if (type == Type.SOCKS4) {
                socks4(client, RESPONSE);
            } else {
                socks5(client, RESPONSE);
            }
        })) {
            assertThatThrownBy(() -> send(type, proxy, 1))
                    .cause()
                    .isInstanceOf(ProxyConnectionException.class)
                    .hasMessageContaining("bytes followed its response");
        }
        assertThat(requested).noneMatch(line -> line.startsWith("GET"));
    }

    @Test
    @DisplayName(
            "RETRY-5: a tunnel ends with the only request that waits for it, and the next request opens another one")
    void silentProxy() throws Exception {
        CountDownLatch silent = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        try (SocketServer proxy = new SocketServer(ServerSocketFactory.getDefault(), client -> {
            if (silent.getCount() == 0) {
                serve(client, CONNECTED);
                return;
            }
            silent.countDown();
            try {
                swallow(client);
            } finally {
                ended.countDown();
            }
        })) {
            NettyTransport transport = transport(Type.HTTP, proxy, 1);
            Disposable first = request(transport, "http://acct.invalid/x").subscribe();
            assertThat(silent.await(10, TimeUnit.SECONDS)).isTrue();
            first.dispose();
            assertThat(request(transport, "http://acct.invalid/x").block(PROMPTLY))
                    .isEqualTo("hello");
            assertThat(ended.await(PROMPTLY.toSeconds(), TimeUnit.SECONDS)).isTrue();
            transport.close(Duration.ofSeconds(5)).block();
        }
    }

    private static void swallow(Socket client) throws IOException {
        client.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    @ParameterizedTest
    @DisplayName("a client that is closed while a connection opens leaves none")
    @ValueSource(strings = {"http://127.0.0.1:", "https://127.0.0.1:"})
    void closedWhileOpening(String origin) throws Exception {
        Duration time = Duration.ofSeconds(10);
        LoopResources loops = LoopResources.create("closed", 1, true);
        AtomicReference<DirectClient> closing = new AtomicReference<>();
        List<Channel> channels = new CopyOnWriteArrayList<>();
        try (SocketServer server = new SocketServer(ServerSocketFactory.getDefault(), ProxyTunnelTest::swallow)) {
            DirectClient client = new DirectClient(
                    ConnectionOptions.of(HttpClient.create()
                            .resolver(DefaultAddressResolverGroup.INSTANCE)
                            .doOnChannelInit((observer, channel, address) -> {
                                channels.add(channel);
                                closing.get().close();
                            })),
                    loops,
                    new ConnectionBounds(1, time, time, time, time),
                    request -> Mono.error(new IllegalStateException("not direct")),
                    address -> null);
            closing.set(client);
            DirectRequest request =
                    new DirectRequest(HttpMethod.GET, origin + server.port() + "/x", new RequestHeaders(), null);
            assertThatThrownBy(() -> client.send(request).block(PROMPTLY))
                    .isInstanceOf(RejectedExecutionException.class);
            assertThat(channels).hasSize(1);
            assertThat(channels.get(0).closeFuture().await(PROMPTLY.toMillis())).isTrue();
        } finally {
            loops.dispose();
        }
    }

    @Test
    @DisplayName("a proxy that needs more than a second gets no CONNECT beside the first one")
    void slowProxy() throws IOException {
        CountDownLatch both = new CountDownLatch(2);
        try (SocketServer proxy = new SocketServer(ServerSocketFactory.getDefault(), client -> {
            both.countDown();
            awaitSecond(both);
            serve(client, CONNECTED);
        })) {
            assertThat(send(Type.HTTP, proxy, 1)).containsExactly("hello");
        }
        assertThat(both.getCount()).isEqualTo(1);
    }

    private static void awaitSecond(CountDownLatch both) {
        try {
            assertThat(both.await(1_500, TimeUnit.MILLISECONDS)).isFalse();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("a SOCKS5 proxy gets the credentials and the name of the host")
    void socks5() throws IOException {
        try (SocketServer proxy = new SocketServer(ServerSocketFactory.getDefault(), it -> socks5(it, ""))) {
            assertThat(send(Type.SOCKS5, proxy, 1)).containsExactly("hello");
        }
        assertThat(requested).containsExactly("me word", "acct.invalid:80", "GET /x HTTP/1.1");
    }

    private void socks4(Socket client, String extra) throws IOException {
        InputStream in = client.getInputStream();
        in.readNBytes(8);
        for (int texts = 0; texts < 2; ) {
            texts += in.read() == 0 ? 1 : 0;
        }
        client.getOutputStream().write(joined(new byte[] {0, 90, 0, 0, 0, 0, 0, 0}, extra));
        requested.add(head(in));
    }

    private static byte[] joined(byte[] success, String extra) {
        return (new String(success, ISO_8859_1) + extra).getBytes(ISO_8859_1);
    }

    private void socks5(Socket client, String extra) throws IOException {
        InputStream in = client.getInputStream();
        OutputStream out = client.getOutputStream();
        in.readNBytes(1);
        in.readNBytes(in.read());
        out.write(new byte[] {5, 2});
        in.readNBytes(1);
        String user = new String(in.readNBytes(in.read()), US_ASCII);
        requested.add(user + " " + new String(in.readNBytes(in.read()), US_ASCII));
        out.write(new byte[] {1, 0});
        in.readNBytes(4);
        String host = new String(in.readNBytes(in.read()), US_ASCII);
        requested.add(host + ":" + (in.read() * 256 + in.read()));
        out.write(joined(new byte[] {5, 0, 0, 1, 0, 0, 0, 0, 0, 0}, extra));
        requested.add(head(in));
        out.write(RESPONSE.getBytes(US_ASCII));
    }
}
