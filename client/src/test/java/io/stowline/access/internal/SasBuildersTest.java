package io.stowline.access.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AzureNamedKeyCredential;
import io.stowline.access.BlobSasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.access.TableSasBuilder;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.ConnectionString;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.SharedKeyCredential;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.client.ClientSettings;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

class SasBuildersTest {

    private static final String KEY = "c3Rvd2xpbmUtdGVzdC1rZXk=";
    private static final Instant END = Instant.parse("2999-01-01T00:00:00Z");

    private final StorageAccount account = new StorageAccount(
            "acct",
            new SharedKeyCredential(new AzureNamedKeyCredential("acct", KEY)),
            Map.of(
                    Service.BLOB, URI.create("https://acct.blob.core.windows.net"),
                    Service.TABLE, URI.create("https://acct.table.core.windows.net")));
    private final ClientRuntime runtime = ClientRuntime.open(account, ClientSettings.DEFAULT);

    @AfterEach
    void close() {
        runtime.close(Duration.ofSeconds(5)).block();
    }

    private SasSigner signer(Service service) {
        return new SasSigner(account, service, runtime.to(service), RetrySettings.defaults());
    }

    private BlobSasBuilder<SharedAccessSignature> blob() {
        return DefaultBlobSasBuilder.of(
                signer(Service.BLOB),
                "photos/a b.jpg",
                URI.create("https://acct.blob.core.windows.net/photos/a%20b.jpg"),
                Mono::block);
    }

    private TableSasBuilder<SharedAccessSignature> table() {
        return new DefaultTableSasBuilder<>(signer(Service.TABLE), "Runners", Mono::block);
    }

    private static String parameter(SharedAccessSignature signature, String name) {
        for (String parameter : signature.token().split("&", -1)) {
            if (parameter.startsWith(name + "=")) {
                return URLDecoder.decode(parameter.substring(name.length() + 1), StandardCharsets.UTF_8);
            }
        }
        return "";
    }

    @Test
    void signaturesEndAfterThirtyMinutesAndHaveNoStartUnlessRequested() {
        Instant before = Instant.now().minusSeconds(1);
        SharedAccessSignature signature = blob().canRead().sign();

        assertThat(signature.expiresAt().orElseThrow())
                .isBetween(before.plus(Duration.ofMinutes(30)), Instant.now().plus(Duration.ofMinutes(30)));
        assertThat(parameter(signature, "st")).isEmpty();
        assertThat(parameter(signature, "se"))
                .isEqualTo(signature.expiresAt().orElseThrow().toString());
        assertThat(parameter(blob().canRead().until(END).backdated().sign(), "st"))
                .isNotEmpty();
    }

    @Test
    void lettersOfPermissionsStandInTheOrderOfTheService() {
        assertThat(parameter(blob().canWrite().canCreate().canRead().canRead().sign(), "sp"))
                .isEqualTo("rcw");
        assertThat(parameter(table().canUpsert().sign(), "sp")).isEqualTo("au");
    }

    @Test
    void aSignatureIsShownByItsTwoWaysOutOnly() {
        SharedAccessSignature signature = blob().canRead().until(END).sign();
        String sig = parameter(signature, "sig");

        assertThat(sig).isNotEmpty();
        assertThat(signature.uri().toString())
                .isEqualTo("https://acct.blob.core.windows.net/photos/a%20b.jpg?" + signature.token());
        assertThat(signature)
                .hasToString("SharedAccessSignature[https://acct.blob.core.windows.net/photos/a%20b.jpg,"
                        + " until 2999-01-01T00:00:00Z, not shown]");
    }

    @Test
    void onlyHttpsUnlessTheEndpointIsThisMachine() {
        assertThat(parameter(blob().canRead().sign(), "spr")).isEqualTo("https");
        assertThat(parameter(blob().canRead().overHttpToo().sign(), "spr")).isEqualTo("https,http");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:10000", "localhost:10000", "[::1]:10000"})
    void endpointsOfThisMachineHaveHttpToo(String host) {
        StorageAccount local =
                ConnectionString.parse("AccountName=acct;AccountKey=" + KEY + ";BlobEndpoint=http://" + host + "/acct");
        ClientRuntime client = ClientRuntime.open(local, ClientSettings.DEFAULT);
        try {
            SharedAccessSignature signature = DefaultBlobSasBuilder.of(
                            new SasSigner(local, Service.BLOB, client.to(Service.BLOB), RetrySettings.defaults()),
                            "photos/a",
                            URI.create("http://" + host + "/acct/photos/a"),
                            Mono::block)
                    .canRead()
                    .sign();

            assertThat(parameter(signature, "spr")).isEqualTo("https,http");
        } finally {
            client.close(Duration.ofSeconds(5)).block();
        }
    }

    @Test
    void aStoredPolicySetsWhatIsNotGiven() {
        SharedAccessSignature signature = blob().byPolicy("readers").sign();

        assertThat(signature.expiresAt()).isEmpty();
        assertThat(parameter(signature, "si")).isEqualTo("readers");
        assertThat(parameter(signature, "se")).isEmpty();
        assertThat(parameter(signature, "sp")).isEmpty();
        assertThat(parameter(blob().byPolicy("readers").until(END).sign(), "se"))
                .isEqualTo(END.toString());
    }

    @Test
    void rangesOfKeysAreBounded() {
        SharedAccessSignature one = table().canQuery().partition("2026").sign();
        assertThat(parameter(one, "spk")).isEqualTo("2026");
        assertThat(parameter(one, "epk")).isEqualTo("2026");
        assertThat(parameter(one, "tn")).isEqualTo("Runners");

        SharedAccessSignature range =
                table().canQuery().entities("a", "1", "b", "2").sign();
        assertThat(parameter(range, "srk")).isEqualTo("1");
        assertThat(parameter(range, "erk")).isEqualTo("2");
        assertThat(parameter(
                        table().canQuery()
                                .entities("a", "1", "b", "2")
                                .partition("c")
                                .sign(),
                        "srk"))
                .isEmpty();

        assertThatThrownBy(() -> table().partitions("b", "a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the range of keys is empty: it begins at b and ends at a");
        assertThatThrownBy(() -> table().entities("a", "2", "a", "1"))
                .hasMessage("the range of keys is empty: it begins at a/2 and ends at a/1");
    }

    @Test
    void whatCannotBeSignedIsNamed() {
        assertThatThrownBy(() -> blob().sign())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the signature allows nothing");
        assertThatThrownBy(() -> blob().validFor(Duration.ofMillis(999)))
                .hasMessage("a signature is good for 1 s to 36,500 days, not PT0.999S");
        assertThatThrownBy(() -> blob().validFor(Duration.ofSeconds(Long.MAX_VALUE)))
                .hasMessageStartingWith("a signature is good for 1 s to 36,500 days");
        assertThatThrownBy(() -> blob().canRead().until(Instant.MAX).sign()).hasMessageContaining("9999-12-31");
        assertThatThrownBy(() -> blob().canRead().until(Instant.EPOCH).sign())
                .hasMessageStartingWith("the signature has ended already: its end is 1970-01-01T00:00:00Z, now is ");
        assertThatThrownBy(() -> blob().canRead().until(END).startingAt(END).sign())
                .hasMessage("the signature begins at " + END + ", which is not before its end at " + END);
        assertThatThrownBy(() -> blob().onlyFrom("10.0.0.2", "10.0.0.1"))
                .hasMessage("the range of addresses 10.0.0.2 to 10.0.0.1 is empty");
        assertThatThrownBy(() -> blob().onlyFrom("::1")).hasMessageContaining("IPv4");
        assertThatThrownBy(() -> blob().byPolicy("")).hasMessageContaining("1 to 64");
        assertThatThrownBy(() -> blob().encryptedBy("a b")).hasMessageContaining("3 to 63");
    }

    @Test
    void anAccountsSignatureNamesServicesAndLevels() {
        assertThatThrownBy(() -> new DefaultAccountSasBuilder<>(signer(Service.BLOB), Mono::block)
                        .canRead()
                        .sign())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the signature of an account opens nothing");
    }

    @Test
    void aClientWithOnlyASignatureCannotMakeOthers() {
        StorageAccount shared = ConnectionString.parse(
                "BlobEndpoint=https://acct.blob.core.windows.net;SharedAccessSignature=sv=2022-11-02&sig=abc");
        ClientRuntime client = ClientRuntime.open(shared, ClientSettings.DEFAULT);
        try {
            SasSigner signer = new SasSigner(shared, Service.BLOB, client.to(Service.BLOB), RetrySettings.defaults());
            assertThatThrownBy(() -> DefaultBlobSasBuilder.of(
                                    signer,
                                    "photos/a",
                                    URI.create("https://acct.blob.core.windows.net/photos/a"),
                                    Mono::block)
                            .canRead()
                            .sign())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("a client with only a shared access signature cannot make others");
        } finally {
            client.close(Duration.ofSeconds(5)).block();
        }
    }

    @Test
    void whatWouldSignForOtherLinesIsRefused() {
        assertThatThrownBy(() -> table().partition("a\nb")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> table().partition("a/b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> table().entities("a", "1", "b", "x".repeat(1_100)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> blob().servedWithContentType("text/html\nx"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the value of rsct has a control character");
        assertThatThrownBy(() -> DefaultBlobSasBuilder.of(
                                signer(Service.BLOB),
                                "photos/a\nb",
                                URI.create("https://acct.blob.core.windows.net/photos/a%0Ab"),
                                Mono::block)
                        .canRead()
                        .sign())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("no signature can be made for a resource with a line break");
    }
}
