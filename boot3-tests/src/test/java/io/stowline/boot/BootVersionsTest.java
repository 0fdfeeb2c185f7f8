package io.stowline.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.netty.util.Version;
import io.stowline.Stowline;
import io.stowline.error.UnreachableException;
import io.stowline.retry.Backoff;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** The client on the Netty 4.1 and the Reactor 3.7 of Spring Boot 3, the line before the one that it is compiled with. */
@AzuriteTest
class BootVersionsTest {

    private static final String KEY = "bm90IGEga2V5IG9mIGFueWJvZHk=";

    private static final List<String> PROTOCOLS = new CopyOnWriteArrayList<>();
    private static HttpsServer trusted;
    private static HttpsServer unknown;

    @BeforeAll
    static void startTlsServers() throws Exception {
        Path folder = Path.of(System.getProperty("boot.test.folder"));
        SelfSigned vouchedFor = SelfSigned.create(folder.resolve("trusted.p12"));
        vouchedFor.trust(); // before the first exchange, since the JVM reads its trust store once
        trusted = serve(vouchedFor);
        unknown = serve(SelfSigned.create(folder.resolve("unknown.p12")));
    }

    @AfterAll
    static void stopTlsServers() {
        trusted.stop(0);
        unknown.stop(0);
    }

    private static HttpsServer serve(SelfSigned certificate) throws Exception {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(certificate.context()));
        server.createContext("/", BootVersionsTest::answer);
        server.start();
        return server;
    }

    private static void answer(HttpExchange exchange) throws IOException {
        PROTOCOLS.add(((com.sun.net.httpserver.HttpsExchange) exchange)
                .getSSLSession()
                .getProtocol());
        exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().add("x-ms-request-id", "1");
        exchange.getResponseHeaders().add("ETag", "W/\"1\"");
        if (!exchange.getRequestMethod().equals("GET")) {
            exchange.sendResponseHeaders(204, -1);
            return;
        }
        byte[] body =
                "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"text\":\"over TLS\"}".getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static Stowline client(HttpsServer server) {
        return Stowline.builder()
                .connectionString("AccountName=acct;AccountKey=" + KEY + ";TableEndpoint=https://127.0.0.1:"
                        + server.getAddress().getPort())
                .retry(retry -> retry.retries(1).backoff(Backoff.fixed(Duration.ofMillis(1))))
                .build();
    }

    @Test
    void runsOnSpringBootsVersions() {
        assertThat(Version.identify().get("netty-common").artifactVersion()).startsWith("4.1.");
        assertThat(Flux.class.getPackage().getImplementationVersion()).startsWith("3.7.");
    }

    @Test
    void refusesACertificateThatNobodyVouchesFor() {
        try (Stowline storage = client(unknown)) {
            assertThatExceptionOfType(UnreachableException.class)
                    .isThrownBy(() -> storage.table("people")
                            .insert(Entity.builder("p", "r").build()))
                    .satisfies(e -> assertThat(e.failure().unansweredAttempts()).isZero());
        }
    }

    @Test
    void exchangesOverTls() {
        try (Stowline storage = client(trusted)) {
            Table<Entity> people = storage.table("people");

            assertThat(people.insert(Entity.builder("p", "r")
                                    .set("text", "over TLS")
                                    .build())
                            .etag())
                    .isEqualTo("W/\"1\"");
            assertThat(people.find("p", "r").orElseThrow().value().get("text")).isEqualTo("over TLS");
        }
        assertThat(PROTOCOLS).isNotEmpty().allSatisfy(protocol -> assertThat(protocol)
                .startsWith("TLSv1."));
    }

    @Test
    void worksAgainstTheEmulator(TestStorage target) {
        try (Stowline storage = Stowline.connect(target.connectionString())) {
            Table<Entity> table =
                    storage.table("t" + UUID.randomUUID().toString().replace("-", ""));
            table.create();
            table.insert(Entity.builder("p", "r").set("n", 1).build());

            assertThat(table.query().list()).hasSize(1);
            table.drop();
        }
    }
}
