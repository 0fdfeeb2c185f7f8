package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.ProxyOptions;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import io.stowline.Stowline;
import io.stowline.error.StorageException;
import io.stowline.table.Entity;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.RequestHeaders;
import io.stowline.transport.internal.netty.NettyTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/**
 * The bytes for an https endpoint, seen by an observer on the way: with each service, credential, HTTP client and
 * spelling.
 */
@Timeout(120)
class EncryptedWireTest {

    private static final List<String> SPELLINGS = List.of("https", "HTTPS", "Https");

    private Eavesdropper eavesdropper;
    private ConnectProxy proxy;

    /** The HTTP client of the requests. */
    enum Carrier {
        OUR_OWN {
            @Override
            void into(Stowline.Builder builder, ConnectProxy proxy) {
                // It is the default.
            }
        },
        OF_THE_APPLICATION {
            @Override
            void into(Stowline.Builder builder, ConnectProxy proxy) {
                builder.httpClient(new NettyAsyncHttpClientBuilder().build());
            }
        },
        WRAPPED {
            @Override
            void into(Stowline.Builder builder, ConnectProxy proxy) {
                HttpClient inner = new NettyAsyncHttpClientBuilder().build();
                builder.httpClient(request -> inner.send(request));
            }
        },
        THROUGH_A_PROXY {
            @Override
            void into(Stowline.Builder builder, ConnectProxy proxy) {
                builder.proxy(new ProxyOptions(
                        ProxyOptions.Type.HTTP, new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port())));
            }
        };

        abstract void into(Stowline.Builder builder, ConnectProxy proxy);
    }

    /** The credential of the account. */
    @SuppressWarnings("ImmutableEnumChecker") // what it does to a builder has no state
    enum Proof {
        KEY(builder -> builder.credential(new AzureNamedKeyCredential("acct", "TOPSECRETKEY"))),
        SIGNATURE(builder -> builder.credential(new AzureSasCredential("sv=2024-11-04&sig=TOPSECRET"))),
        TOKEN(builder -> builder.credential((TokenCredential) request -> Mono.just(
                new AccessToken("TOPSECRET", OffsetDateTime.now(ZoneOffset.UTC).plusDays(1)))));

        private final Consumer<Stowline.Builder> into;

        Proof(Consumer<Stowline.Builder> into) {
            this.into = into;
        }
    }

    static Stream<Arguments> ways() {
        return Arrays.stream(Carrier.values()).flatMap(carrier -> Arrays.stream(Proof.values())
                .flatMap(proof -> spellings(carrier).map(scheme -> Arguments.of(carrier, proof, scheme))));
    }

    private static Stream<String> spellings(Carrier carrier) {
        return carrier == Carrier.OUR_OWN ? SPELLINGS.stream() : Stream.of("HTTPS");
    }

    @BeforeEach
    void listen() throws IOException {
        eavesdropper = new Eavesdropper();
        proxy = new ConnectProxy(eavesdropper.port());
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        eavesdropper.close();
    }

    private Stowline.Builder builder(String scheme, String host) {
        String root = scheme + "://" + host + ":" + eavesdropper.port() + "/acct";
        return Stowline.builder()
                .accountName("acct")
                .tableEndpoint(root)
                .queueEndpoint(root)
                .blobEndpoint(root)
                .closeTimeout(Duration.ofSeconds(5))
                .retry(retry -> retry.retries(0)
                        // an HTTP client that does not report its writes leaves unresolved attempts, which are waited
                        // out
                        .serverTimeout(Duration.ofSeconds(1))
                        .deadline(Duration.ofMillis(2_500)));
    }

    private static void fails(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(StorageException.class);
    }

    /** Makes all calls at once, as some wait until the service cannot work on them. */
    private static void useEachService(Stowline storage) {
        List<Runnable> calls = List.of(
                () -> storage.table("people").insert(Entity.builder("p", "r").build()),
                () -> storage.queue("orders").send("TOPSECRET"),
                () -> storage.container("photos").upload(new byte[] {1, 2, 3}, "a.jpg"),
                () -> storage.container("photos").download("a.jpg"),
                storage::listTables);
        ExecutorService threads = Executors.newFixedThreadPool(calls.size());
        try {
            CompletableFuture.allOf(calls.stream()
                            .map(call -> CompletableFuture.runAsync(() -> fails(call), threads))
                            .toArray(CompletableFuture[]::new))
                    .join();
        } finally {
            threads.shutdown();
        }
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @DisplayName("RETRY-7: nothing leaves in plain text for an https endpoint, however it is spelled")
    @MethodSource("ways")
    void nothingLeavesInPlainText(Carrier carrier, Proof proof, String scheme) {
        // A proxy from this machine's environment is not used for this machine itself; a given one is.
        String host = carrier == Carrier.THROUGH_A_PROXY ? "acct.table.invalid" : "127.0.0.1";
        Stowline.Builder builder = builder(scheme, host);
        carrier.into(builder, proxy);
        proof.into.accept(builder);
        try (Stowline storage = builder.build()) {
            useEachService(storage);
        }

        assertThat(eavesdropper.heard()).hasSizeGreaterThanOrEqualTo(5).allSatisfy(bytes -> {
            assertThat(Eavesdropper.encrypted(bytes))
                    .as(Eavesdropper.text(bytes))
                    .isTrue();
            assertThat(Eavesdropper.text(bytes)).doesNotContain("TOPSECRET", "people", "orders", "photos");
        });
        assertThat(proxy.requested()).allMatch(line -> line.startsWith("CONNECT "));
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: nor for the secondary, nor for what a connection string says")
    @ValueSource(strings = {"https", "HTTPS", "hTTps"})
    void connectionStrings(String scheme) {
        String root = scheme + "://LOCALHOST:" + eavesdropper.port();
        String text = "AccountName=acct;AccountKey=TOPSECRETKEY;TableEndpoint=" + root + "/acct;QueueEndpoint=" + root
                + "/acct;BlobEndpoint=" + root + "/acct;TableSecondaryEndpoint=" + root
                + "/acct-secondary;QueueSecondaryEndpoint=" + root + "/acct-secondary;BlobSecondaryEndpoint=" + root
                + "/acct-secondary";
        try (Stowline storage = Stowline.builder()
                .connectionString(text)
                .retry(retry -> retry.retries(1))
                .readFrom(ReadFrom.SECONDARY_AFTER_PRIMARY)
                .build()) {
            fails(() -> storage.table("people").find("p", "r"));
            useEachService(storage);
        }

        assertThat(eavesdropper.heard())
                .hasSizeGreaterThan(5)
                .allSatisfy(bytes -> assertThat(Eavesdropper.encrypted(bytes)).isTrue());
    }

    @Test
    @DisplayName("RETRY-7: the emulator's proxy may be https too")
    void developmentStorage() {
        StorageAccount account =
                ConnectionString.parse("UseDevelopmentStorage=true;DevelopmentStorageProxyUri=HTTPS://127.0.0.1");

        assertThat(account.endpoints().values())
                .allSatisfy(root -> assertThat(root.toString()).startsWith("https://127.0.0.1:"));
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: a request whose scheme is not exactly http or https does not leave at all")
    @ValueSource(strings = {"HTTPS", "Http", "ftp", "httpss", ""})
    void unknownSchemes(String scheme) {
        NettyTransport transport = NettyTransport.of("acct", 1, null);
        try {
            DirectRequest request = new DirectRequest(
                    HttpMethod.GET,
                    scheme + "://127.0.0.1:" + eavesdropper.port() + "/people?sig=TOPSECRET",
                    new RequestHeaders(),
                    null);

            assertThatThrownBy(() -> transport.client().send(request).block(Duration.ofSeconds(30)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("TOPSECRET");
            assertThat(eavesdropper.heard()).isEmpty();
        } finally {
            transport.close(Duration.ofSeconds(5)).block();
        }
    }
}
