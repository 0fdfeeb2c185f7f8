package io.stowline.transport.internal.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.ProxyOptions;
import io.netty.handler.ssl.SslContextBuilder;
import io.stowline.error.UnreachableException;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.ConnectProxy;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.SelfSignedCertificates;
import io.stowline.transport.internal.pipeline.StoragePipeline;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Responses without a length over TLS, which end with the connection: announced by the service, or cut by an observer on the way. */
@Timeout(60)
class CutResponsesTest {

    private final Scheduler timer = Schedulers.newSingle("timer", true);
    private SelfSignedCertificates identity;
    private ServerSocket server;
    private volatile boolean announced;
    private volatile String response = "";

    @BeforeEach
    void listen() throws Exception {
        identity = SelfSignedCertificates.get();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream file = Files.newInputStream(Path.of(identity.file()))) {
            store.load(file, identity.password().toCharArray());
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, identity.password().toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread accepting = new Thread(() -> accept(context), "cutting");
        accepting.setDaemon(true);
        accepting.start();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        timer.dispose();
    }

    private void accept(SSLContext context) {
        while (!server.isClosed()) {
            try {
                serve(context, server.accept());
            } catch (IOException e) {
                // The client has gone, or the test has ended.
            }
        }
    }

    private void serve(SSLContext context, Socket plain) throws IOException {
        try (plain;
                SSLSocket encrypted =
                        (SSLSocket) context.getSocketFactory().createSocket(plain, null, plain.getPort(), false)) {
            encrypted.setUseClientMode(false);
            InputStream in = encrypted.getInputStream();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.read());
            }
            encrypted.getOutputStream().write(response.getBytes(StandardCharsets.US_ASCII));
            encrypted.getOutputStream().flush();
            if (!announced) {
                plain.shutdownOutput();
            }
        }
    }

    private String read(boolean tunnelled) throws IOException {
        try (ConnectProxy proxy = new ConnectProxy(server.getLocalPort())) {
            ProxyOptions options = new ProxyOptions(
                    ProxyOptions.Type.HTTP, new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()));
            NettyTransport transport = NettyTransport.of("acct", 2, tunnelled ? options : null, this::trusting);
            try {
                StoragePipeline pipeline = new StoragePipeline(
                        Bench.account().credential().authorizer(Service.TABLE),
                        HttpWire.telling(transport.client()),
                        Bench.limits(1, timer),
                        new TimeSources(timer, () -> Long.MIN_VALUE, Clock.systemUTC()),
                        Bench.unheard(Service.TABLE));
                String url = "https://localhost:" + server.getLocalPort() + "/people";
                Request request = Request.of("find", "people", OperationType.READ, HttpMethod.GET, url);
                RetrySettings once = RetrySettings.builder().retries(0).build();
                return pipeline.send(Exchange.of(request, once, response -> new ParseResult.Value<>(response.text())))
                        .block(Duration.ofSeconds(30));
            } finally {
                transport.close(Duration.ofSeconds(5)).block();
            }
        }
    }

    private reactor.netty.http.client.HttpClient trusting(reactor.netty.http.client.HttpClient client) {
        return client.secure(spec -> {
            try {
                spec.sslContext(SslContextBuilder.forClient()
                        .trustManager(identity.certificate())
                        .build());
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    @ParameterizedTest
    @DisplayName("OUTCOME-0: a response that is cut without a word of TLS is none, directly and through a tunnel")
    @ValueSource(booleans = {false, true})
    void cut(boolean tunnelled) {
        announced = false;
        response = "HTTP/1.1 200 OK\r\n\r\n[1, 2";

        assertThatThrownBy(() -> read(tunnelled))
                .isInstanceOf(UnreachableException.class)
                .hasMessageContaining("the connection was closed within the response");
    }

    @ParameterizedTest
    @DisplayName("a response that ends with an announced end of TLS, or by its length, is whole")
    @CsvSource({"false, true, ''", "true, true, ''", "true, false, Content-Length: 3", "false, false, Content-Length: 3"
    })
    void whole(boolean tunnelled, boolean isAnnounced, String length) throws IOException {
        announced = isAnnounced;
        response =
                "HTTP/1.1 200 OK\r\nx-ms-request-id: r-1\r\n" + (length.isEmpty() ? "" : length + "\r\n") + "\r\n[1]";

        assertThat(read(tunnelled)).isEqualTo("[1]");
    }
}
