package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.sas.AccountSasPermission;
import com.azure.storage.common.sas.AccountSasResourceType;
import com.azure.storage.common.sas.AccountSasService;
import com.azure.storage.common.sas.AccountSasSignatureValues;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobRevision;
import io.stowline.blob.TransferReport;
import io.stowline.error.AuthenticationException;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.Backoff;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.transport.internal.account.ConnectionString;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.StorageAccount;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ways to connect, against a service that checks keys and signatures. */
@Timeout(120)
class ConnectIT extends StorageTest {

    private static final String WRONG_KEY =
            Base64.getEncoder().encodeToString("a key of somebody else's".getBytes(StandardCharsets.UTF_8));

    private StorageAccount account;
    private String key;

    @BeforeEach
    void readConnectionString() {
        account = ConnectionString.parse(connectionString());
        key = connectionString().replaceFirst(".*AccountKey=([^;]+).*", "$1");
    }

    private Stowline.Builder builder() {
        return Stowline.builder()
                .tableEndpoint(account.endpoint(Service.TABLE).toString())
                .queueEndpoint(account.endpoint(Service.QUEUE).toString())
                .blobEndpoint(account.endpoint(Service.BLOB).toString());
    }

    private String sas(OffsetDateTime expiry) {
        AccountSasPermission all = AccountSasPermission.parse("rwdlacup");
        AccountSasService services = AccountSasService.parse("bqt");
        return new BlobServiceClientBuilder()
                .endpoint(account.endpoint(Service.BLOB).toString())
                .credential(new StorageSharedKeyCredential(account.name(), key))
                .buildClient()
                .generateAccountSas(
                        new AccountSasSignatureValues(expiry, all, services, AccountSasResourceType.parse("sco")));
    }

    private String sas() {
        return sas(OffsetDateTime.now(ZoneOffset.UTC).plusHours(1));
    }

    private void worksOn(Stowline client) {
        Table<Runner> runners = client.table(freshTable(Runner.class).name(), Runner.class);
        Runner one = Runner.of("race", 1);
        runners.insert(one);
        runners.transaction("race")
                .insert(Runner.of("race", 2))
                .insertOrMerge(one)
                .commit();
        try (TableWriter<Runner> writer = runners.writer()) {
            IntStream.range(10, 250).mapToObj(i -> Runner.of("race", i)).forEach(writer::insert);
        }

        assertThat(runners.query().list()).hasSize(242);
        assertThat(client.listTables()).contains(runners.name());
    }

    /** Requests that have the proof within them: a copy, and the parts of a batch. */
    private static void blobsWorkOn(Stowline client) {
        BlobContainer photos = client.container("connect" + UUID.randomUUID());
        photos.create();
        photos.upload(new byte[1], "a b");
        photos.upload(new byte[2], "c");
        BlobRevision before = photos.snapshot("a b");
        photos.upload(new byte[3], "a b", o -> o.overwrite());
        before.promote();
        assertThat(photos.download("a b")).hasSize(1);
        before.delete();
        photos.upload(new byte[4], "from/x");
        assertThat(photos.copyDirectory("from/", photos, "to/", o -> o).join().transferred())
                .isOne();
        assertThat(photos.deleteAll(List.of("a b", "c")))
                .extracting(TransferReport.Item::action)
                .containsOnly(TransferReport.Action.DELETED);
        photos.drop();
    }

    @Test
    void byEndpointsAndKey() {
        try (Stowline client = builder()
                .credential(new AzureNamedKeyCredential(account.name(), key))
                .build()) {
            worksOn(client);
            blobsWorkOn(client);
        }
    }

    /**
     * Signs by an account SAS: the emulator responds with 500 to a batch of blobs, so the retries come at once, then
     * each blob goes alone.
     */
    @Test
    void byEndpointsAndSignature() {
        try (Stowline client = builder()
                .accountName(account.name())
                .credential(new AzureSasCredential("?" + sas()))
                .retry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(1))))
                .build()) {
            worksOn(client);
            blobsWorkOn(client);
        }
    }

    @Test
    void byConnectionStringWithASignature() {
        String text = "SharedAccessSignature=" + sas() + ";AccountName=" + account.name() + ";TableEndpoint="
                + account.endpoint(Service.TABLE) + "/";
        try (Stowline client = Stowline.connect(text)) {
            worksOn(client);
        }
    }

    @Test
    void queuesAndBlobsTakeSignatures() {
        try (Stowline client = builder()
                .accountName(account.name())
                .credential(new AzureSasCredential(sas()))
                .build()) {
            String name = freshName();
            client.queue(name).create();
            client.queue(name).send("hello");
            client.container(name).create();

            assertThat(client.queue(name).receive()).isPresent();
            client.queue(name).drop();
            client.container(name).drop();
        }
    }

    @Test
    void overAnHttpClientOfOnesOwn() {
        HttpClient own = new NettyAsyncHttpClientBuilder().build();
        try (Stowline client = Stowline.builder()
                .connectionString(connectionString())
                .httpClient(own)
                .build()) {
            worksOn(client);
        }
    }

    @Test
    @DisplayName("RETRY-3: a key is exchanged while the client runs, and the request that was refused meanwhile is sent"
            + " again")
    void rotatesKeys() {
        AzureNamedKeyCredential rotating = new AzureNamedKeyCredential(account.name(), WRONG_KEY);
        AtomicInteger requests = new AtomicInteger();
        try (Stowline client = builder()
                .credential(rotating)
                .httpClient(afterEachResponse(requests, () -> rotating.update(account.name(), key)))
                .build()) {
            client.listTables();
            assertThat(requests).hasValue(2);
            worksOn(client);

            String name = freshName();
            List<Runnable> each = List.of(
                    () -> client.queue(name).create(),
                    () -> client.queue(name).drop(),
                    () -> client.container(name).create(),
                    () -> client.container(name).drop());
            for (Runnable operation : each) {
                requests.set(0);
                rotating.update(account.name(), WRONG_KEY);
                operation.run();
                assertThat(requests).as("refused once, then repeated").hasValue(2);
            }
            assertThat(client.container(name).exists()).isFalse();
        }
    }

    @Test
    @DisplayName("RETRY-3: so is a shared access signature")
    void rotatesSignatures() {
        AzureSasCredential rotating =
                new AzureSasCredential(sas(OffsetDateTime.now(ZoneOffset.UTC).minusHours(1)));
        String good = sas();
        AtomicInteger requests = new AtomicInteger();
        try (Stowline client = builder()
                .accountName(account.name())
                .credential(rotating)
                .httpClient(afterEachResponse(requests, () -> rotating.update(good)))
                .build()) {
            client.listTables();
            assertThat(requests).hasValue(2);
            worksOn(client);
        }
    }

    private static HttpClient afterEachResponse(AtomicInteger requests, Runnable action) {
        HttpClient real = new NettyAsyncHttpClientBuilder().build();
        return request -> real.send(request).doOnNext(response -> {
            requests.incrementAndGet();
            action.run();
        });
    }

    @Test
    void theImpliedSecondaryServesReads() {
        String secondary = account.secondary(Service.TABLE).orElseThrow().toString();
        try (Stowline client = Stowline.builder()
                .tableEndpoint(secondary)
                .credential(new AzureNamedKeyCredential(account.name(), key))
                .build()) {
            String name = freshTable().name();

            assertThat(client.listTables()).contains(name);
        }
    }

    @Test
    @DisplayName("RETRY-7: what goes wrong with keys and signatures shows neither")
    void showsNoSecrets() throws IOException {
        String expired = sas(OffsetDateTime.now(ZoneOffset.UTC).minusHours(1));
        try (Socket silent = new Socket();
                Stowline wrongKey = builder()
                        .credential(new AzureNamedKeyCredential(account.name(), WRONG_KEY))
                        .build();
                Stowline late = builder()
                        .accountName(account.name())
                        .credential(new AzureSasCredential(expired))
                        .build()) {
            // Reserved from other processes, and nothing listens there.
            silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String address = "http://127.0.0.1:" + silent.getLocalPort() + "/" + account.name();

            assertThat(shown(AuthenticationException.class, wrongKey)).doesNotContain(WRONG_KEY, "SharedKey");
            assertThat(shown(AuthenticationException.class, late)).doesNotContain("sig=");
            try (Stowline unreachable = builder()
                    .tableEndpoint(address)
                    .accountName(account.name())
                    .credential(new AzureSasCredential(sas()))
                    .retry(retry -> retry.retries(0))
                    .build()) {
                assertThat(shown(UnreachableException.class, unreachable)).doesNotContain("sig=");
            }
        }
    }

    private static String shown(Class<? extends StorageException> type, Stowline client) {
        StorageException failure = catchThrowableOfType(type, client::listTables);
        StringWriter everything = new StringWriter();
        failure.printStackTrace(new PrintWriter(everything));
        return everything + failure.failure().toString() + client;
    }

    @Test
    @DisplayName("RETRY-3: a refused key is final and is told with the facts of the operation")
    void refusedKeys() {
        try (Stowline client = builder()
                .credential(new AzureNamedKeyCredential(account.name(), WRONG_KEY))
                .build()) {
            assertThatExceptionOfType(AuthenticationException.class)
                    .isThrownBy(client::listTables)
                    .satisfies(e -> assertThat(e.failure().attempts()).isEqualTo(1))
                    .satisfies(e -> assertThat(e.failure().status()).isEqualTo(403));
        }
    }
}
