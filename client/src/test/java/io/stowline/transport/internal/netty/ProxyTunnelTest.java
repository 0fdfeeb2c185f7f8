package io.stowline.transport.internal.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.ProxyOptions;
import com.azure.core.http.ProxyOptions.Type;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.ProxyConnectionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ServerSocketFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;

/** The tunnels of the library's own requests, through proxies that a test plays on a plain socket. */
@Timeout(60)
class ProxyTunnelTest {

    private static final String RESPONSE = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    private static final String CONNECTED = "HTTP/1.1 200 Connection established\r\n\r\n";

    private final List<String> requested = new CopyOnWriteArrayList<>();

    private static List<String> send(Type type, SocketServer proxy, int requests) {
        ProxyOptions options = new ProxyOptions(type, InetSocketAddress.createUnresolved("localhost", proxy.port()));
        NettyTransport transport = NettyTransport.of("acct", 2, options.setCredentials("me", "word"));
        try {
            return Flux.range(0, requests)
                    .concatMap(i -> transport
                            .client()
                            .send(new DirectRequest(HttpMethod.GET, "http://acct.invalid/x", new HttpHeaders(), null)))
                    .map(HttpResponse::getBodyAsBinaryData)
                    .map(Object::toString)
                    .collectList()
                    .block();
        } finally {
            transport.close(Duration.ofSeconds(5)).block();
        }
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
        try (SocketServer proxy = new SocketServer(ServerSocketFactory.getDefault(), this::socks5)) {
            assertThat(send(Type.SOCKS5, proxy, 1)).containsExactly("hello");
        }
        assertThat(requested).containsExactly("me word", "acct.invalid:80", "GET /x HTTP/1.1");
    }

    private void socks5(Socket client) throws IOException {
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
        out.write(new byte[] {5, 0, 0, 1, 0, 0, 0, 0, 0, 0});
        requested.add(head(in));
        out.write(RESPONSE.getBytes(US_ASCII));
    }
}
