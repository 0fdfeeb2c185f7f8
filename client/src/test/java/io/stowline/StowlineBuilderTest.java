package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.ProxyOptions;
import com.azure.core.util.Configuration;
import io.stowline.error.UnreachableException;
import io.stowline.transport.ScalabilityTargets;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

class StowlineBuilderTest {

    private static final String BLOBS = "https://acct.blob.core.windows.net";
    private static final AzureNamedKeyCredential KEY = new AzureNamedKeyCredential("acct", "a2V5");
    private static final AzureSasCredential SAS = new AzureSasCredential("sv=1&sig=x");

    private final List<HttpRequest> sent = new CopyOnWriteArrayList<>();
    private final HttpClient own = request -> {
        sent.add(request);
        return Mono.error(new ConnectException("no network in this test"));
    };

    private Stowline.Builder builder() {
        return Stowline.builder().httpClient(own).retry(retry -> retry.retries(0));
    }

    private HttpRequest sentBy(Stowline.Builder builder) {
        try (Stowline storage = builder.build()) {
            assertThatExceptionOfType(UnreachableException.class).isThrownBy(storage::listTables);
        }
        assertThat(sent).hasSize(1);
        return sent.get(0);
    }

    @Test
    void oneEndpointAndAKeyAreEnough() {
        HttpRequest request = sentBy(builder().endpoint(BLOBS).credential(KEY));

        assertThat(request.getUrl().toString()).startsWith("https://acct.table.core.windows.net/Tables?");
        assertThat(request.getHeaders().getValue(HttpHeaderName.AUTHORIZATION)).startsWith("SharedKey acct:");
    }

    @Test
    void showsItsAccountAndTheEndpointsThatItKnows() {
        try (Stowline all = builder().endpoint(BLOBS).credential(SAS).build();
                Stowline one = builder()
                        .queueEndpoint("http://127.0.0.1:10001/acct/")
                        .credential(KEY)
                        .build()) {
            assertThat(all.accountName()).isEqualTo("acct");
            assertThat(all.endpoints())
                    .containsOnlyKeys("blob", "queue", "table")
                    .containsEntry("blob", URI.create(BLOBS));
            assertThat(one.endpoints()).containsExactly(Map.entry("queue", URI.create("http://127.0.0.1:10001/acct")));
        }
    }

    @Test
    void everyPresetOfTargetsMakesAClient() {
        for (ScalabilityTargets targets : List.of(ScalabilityTargets.everywhere(), ScalabilityTargets.largeRegions())) {
            try (Stowline storage = builder()
                    .endpoint(BLOBS)
                    .credential(KEY)
                    .rateTargets(targets)
                    .build()) {
                assertThat(storage.container("photos").name()).isEqualTo("photos");
            }
        }
    }

    @Test
    void aSignatureIsPutOnTheAddress() {
        HttpRequest request = sentBy(builder().endpoint(BLOBS).credential(SAS));

        assertThat(request.getUrl().toString()).endsWith("&sv=1&sig=x");
    }

    @Test
    void aTokenIsPutInTheHeader() {
        TokenCredential tokens = request -> Mono.just(
                new AccessToken("one", OffsetDateTime.now(ZoneOffset.UTC).plusDays(1)));
        HttpRequest request = sentBy(builder().endpoint(BLOBS).credential(tokens));

        assertThat(request.getHeaders().getValue(HttpHeaderName.AUTHORIZATION)).isEqualTo("Bearer one");
    }

    @Test
    void explicitEndpointsMayHaveTheAccountInTheirPath() {
        HttpRequest request =
                sentBy(builder().tableEndpoint("http://127.0.0.1:10002/acct/").credential(KEY));

        assertThat(request.getUrl().toString()).startsWith("http://127.0.0.1:10002/acct/Tables?");
    }

    @Test
    void aDomainOfOnesOwnNeedsTheAccountsNameForASignature() {
        Stowline.Builder builder =
                builder().tableEndpoint("https://tables.corp.test").credential(SAS);
        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining("accountName");

        try (Stowline storage = builder.accountName("acct").build()) {
            assertThat(storage).hasToString("Stowline[acct]");
        }
    }

    @Test
    void anAccountMayHaveBlobsOnly() {
        try (Stowline storage = builder()
                .blobEndpoint("https://blobs.corp.test")
                .credential(KEY)
                .build()) {
            assertThat(storage.container("photos").name()).isEqualTo("photos");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> storage.table("people"))
                    .withMessageContaining("tableEndpoint");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> storage.queue("orders"))
                    .withMessageContaining("queueEndpoint");
        }
    }

    @Test
    @DisplayName("DESIGN: Azurite only when asked for")
    void nothingGivenIsNoEmulator() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Stowline.builder().build())
                .withMessageContaining("no account is given");
    }

    @Test
    @DisplayName("DESIGN: a Cosmos DB Table endpoint is refused by name")
    void refusesCosmos() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Stowline.builder().endpoint("https://acct.table.cosmos.azure.com:443/"))
                .withMessageContaining("Cosmos DB");
    }

    @Test
    void tokensGoOverHttpsOnly() {
        Stowline.Builder builder = Stowline.builder()
                .endpoint("http://acct.blob.core.windows.net")
                .credential((TokenCredential) request -> Mono.empty());

        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessageContaining("https only")
                .withMessageContaining("endpoint gives http://acct.");
    }

    @Test
    void aProxyDoesNotGoWithAnHttpClientOfOnesOwn() {
        Stowline.Builder builder = builder().endpoint(BLOBS).credential(KEY);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.configuration(Configuration.NONE).build())
                .withMessageContaining("httpClient");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.proxy(new ProxyOptions(
                                ProxyOptions.Type.HTTP, InetSocketAddress.createUnresolved("proxy.test", 1)))
                        .build())
                .withMessageContaining("proxy");
    }

    @Test
    void nullsAreRefusedByName() {
        assertThatNullPointerException()
                .isThrownBy(() -> Stowline.builder().connectionString(null))
                .withMessage("connectionString");
        assertThatNullPointerException()
                .isThrownBy(() -> Stowline.builder().credential((TokenCredential) null))
                .withMessage("credential");
        assertThatNullPointerException()
                .isThrownBy(() -> Stowline.builder().httpClient(null))
                .withMessage("httpClient");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-1S", "PT0S", "PT0.000999999S", "PT24H0.000000001S", "PT8784H"})
    void aCloseTimeoutOutOfRangeIsRefused(Duration timeout) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Stowline.builder().closeTimeout(timeout))
                .withMessage("closeTimeout is PT0.001S to PT24H, not " + timeout);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.001S", "PT24H"})
    void aClientClosesWithEachTimeoutThatItTakes(Duration timeout) {
        Stowline storage =
                builder().endpoint(BLOBS).credential(KEY).closeTimeout(timeout).build();
        storage.table("notes");

        assertThatCode(storage::close).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(ints = {-5, 0, 1_001})
    void aParallelismOutOfRangeIsRefused(int parallelism) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Stowline.builder().parallelism(parallelism))
                .withMessage("parallelism is 1 to 1000, not " + parallelism);
    }
}
