package io.stowline.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HealthProbeTest {

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    final HealthProbe probe = new HealthProbe("acc", Base64.getEncoder().encodeToString(new byte[64]));
    final AtomicReference<String> authorization = new AtomicReference<>();
    final AtomicReference<String> body = new AtomicReference<>();
    volatile int response;
    HttpServer server;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
        server.createContext("/acc/$batch", exchange -> {
            authorization.set(exchange.getRequestHeaders().getFirst("Authorization"));
            body.set(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII));
            exchange.sendResponseHeaders(response, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {202, 400, 403, 404})
    void isHealthyWithoutAServerError(int status) {
        response = status;

        assertThat(probe.isHealthy(ports())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 501, 503})
    void isNotHealthyWithAServerError(int status) {
        response = status;

        assertThat(probe.isHealthy(ports())).isFalse();
    }

    @Test
    void sendsASignedTransactionThatChangesNothing() {
        response = 202;
        probe.isHealthy(ports());

        assertThat(authorization.get()).matches("SharedKeyLite acc:[A-Za-z0-9+/]{43}=");
        assertThat(body.get())
                .containsOnlyOnce("HTTP/1.1")
                .contains("DELETE http://127.0.0.1:" + port() + "/acc/stowlinehealthprobe(");
    }

    @Test
    void isNotHealthyWhenAPortIsClosed() throws IOException {
        response = 202;
        // A socket that does not listen keeps the port from other processes.
        try (Socket silent = new Socket()) {
            silent.bind(new InetSocketAddress(LOOPBACK, 0));
            int closed = silent.getLocalPort();

            assertThat(probe.isHealthy(new ServicePorts(closed, port(), port())))
                    .isFalse();
            assertThat(probe.isHealthy(new ServicePorts(port(), closed, port())))
                    .isFalse();
            assertThat(probe.isHealthy(new ServicePorts(port(), port(), closed)))
                    .isFalse();
        }
    }

    private ServicePorts ports() {
        return new ServicePorts(port(), port(), port());
    }

    private int port() {
        return server.getAddress().getPort();
    }
}
