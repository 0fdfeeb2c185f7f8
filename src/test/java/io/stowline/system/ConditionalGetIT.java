package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobAsyncClient;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobClientBuilder;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.DownloadRetryOptions;
import com.azure.storage.blob.sas.BlobSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import io.stowline.caching.CacheOutcome;
import io.stowline.caching.ConditionalGetPolicy;
import io.stowline.caching.Freshness;
import io.stowline.caching.ResponseCache;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The SDK's own blob client with a cache before its retry policy. */
@AzuriteTest
@Timeout(180)
class ConditionalGetIT {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int LARGE = 9 * 1024 * 1024;
    private static final int VERSIONS = 3;
    private static final int READS = VERSIONS * 34 * Integer.getInteger("stowline.explore", 1);

    private final Wire wire = new Wire();

    @TempDir
    private Path folder;

    private ResponseCache cache;
    private String connectionString;
    private BlobContainerClient container;
    private BlobClient other;

    /** Counts what comes over the wire. */
    private static final class Wire implements HttpPipelinePolicy {

        private final AtomicInteger requests = new AtomicInteger();
        private final AtomicInteger bodies = new AtomicInteger();

        @Override
        public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
            return next.process().doOnNext(this::count);
        }

        @Override
        public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
            HttpResponse response = next.processSync();
            count(response);
            return response;
        }

        private void count(HttpResponse response) {
            requests.incrementAndGet();
            if (response.getStatusCode() == 200 || response.getStatusCode() == 206) {
                bodies.incrementAndGet();
            }
        }

        @Override
        public HttpPipelinePosition getPipelinePosition() {
            return HttpPipelinePosition.PER_RETRY;
        }
    }

    @BeforeEach
    void prepare(TestStorage storage) {
        connectionString = storage.connectionString();
        cache = ResponseCache.builder().disk(folder.resolve("cache"), 1 << 30).build();
        container = new BlobContainerClientBuilder()
                .connectionString(connectionString)
                .containerName("c" + UUID.randomUUID())
                .buildClient();
        container.create();
        other = container.getBlobClient("blob");
    }

    @AfterEach
    void cleanUp() {
        cache.close();
        container.delete();
    }

    private BlobClientBuilder cached(Freshness freshness) {
        return new BlobClientBuilder()
                .connectionString(connectionString)
                .containerName(container.getBlobContainerName())
                .blobName("blob")
                .addPolicy(new ConditionalGetPolicy(cache, freshness))
                .addPolicy(wire);
    }

    private static byte[] random(int size, long seed) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private void uploadByAnother(byte[] content) {
        other.upload(BinaryData.fromBytes(content), true);
    }

    @Test
    @DisplayName("CACHE-1: a hundred reads of a blob that changes twice cost three bodies, and all are right")
    void aHundredReadsCostThreeBodies() {
        BlobClient client = cached(Freshness.revalidated()).buildClient();
        for (int version = 0; version < VERSIONS; version++) {
            byte[] expected = random(50_000, version);
            uploadByAnother(expected);
            for (int read = 0; read < READS / VERSIONS; read++) {
                assertThat(client.downloadContent().toBytes()).isEqualTo(expected);
            }
        }

        assertThat(wire.requests).hasValue(READS);
        assertThat(wire.bodies).hasValue(VERSIONS);
        assertThat(cache.reads(CacheOutcome.REVALIDATED)).isEqualTo(READS - VERSIONS);
    }

    @Test
    @DisplayName("CACHE-2: a hundred readers at once are few requests")
    void manyReadersAtOnce() {
        byte[] content = random(1_000_000, 1);
        uploadByAnother(content);
        BlobAsyncClient client = cached(Freshness.fresh(LONG)).buildAsyncClient();

        assertThat(Flux.range(0, 100)
                        .flatMap(n -> client.downloadContent(), 100)
                        .map(BinaryData::toBytes)
                        .collectList()
                        .block(LONG))
                .hasSize(100)
                .allSatisfy(each -> assertThat(each).isEqualTo(content));
        assertThat(wire.bodies).hasValue(1);
    }

    @Test
    @DisplayName("CACHE-4: what the client writes itself it reads at once, whatever the freshness")
    void ownWritesAreReadAtOnce() {
        BlobClient client = cached(Freshness.fresh(LONG)).buildClient();
        client.upload(BinaryData.fromString("one"));
        assertThat(client.downloadContent()).hasToString("one");
        uploadByAnother(random(10, 0));
        assertThat(client.downloadContent()).hasToString("one");
        client.upload(BinaryData.fromString("three"), true);
        assertThat(client.downloadContent()).hasToString("three");
        client.delete();

        assertThat(client.exists()).isFalse();
    }

    @Test
    @DisplayName("CACHE-5: large blobs come from disk, and every way of downloading is right")
    void everyWayOfDownloadingIsRight() throws IOException {
        byte[] content = random(LARGE, 2);
        uploadByAnother(content);
        BlobClient client = cached(Freshness.fresh(LONG)).buildClient();
        for (int round = 0; round < 2; round++) {
            assertThat(client.downloadContent().toBytes()).isEqualTo(content);
            ByteArrayOutputStream stream = new ByteArrayOutputStream();
            client.downloadStream(stream);
            assertThat(stream.toByteArray()).isEqualTo(content);
            Path file = folder.resolve("file" + round);
            client.downloadToFile(file.toString());
            assertThat(Files.readAllBytes(file)).isEqualTo(content);
            try (InputStream input = client.openInputStream()) {
                assertThat(input.readAllBytes()).isEqualTo(content);
            }
            assertThat(client.getProperties().getBlobSize()).isEqualTo(LARGE);
            assertThat(client.exists()).isTrue();
        }

        assertThat(cache.reads(CacheOutcome.HIT)).isGreaterThanOrEqualTo(6);
        assertThat(cache.reads(CacheOutcome.REVALIDATED)).isPositive();
    }

    @Test
    @DisplayName("CACHE-4: a download in parts begins with the present version, also within the window")
    void aDownloadInPartsBeginsWithThePresentVersion() throws IOException {
        BlobClient client = cached(Freshness.fresh(LONG)).buildClient();
        for (int version = 0; version < 3; version++) {
            byte[] content = random(LARGE, version);
            uploadByAnother(content);
            Path file = folder.resolve("file" + version);
            client.downloadToFile(file.toString());

            assertThat(Files.readAllBytes(file)).isEqualTo(content);
        }
    }

    @Test
    @DisplayName("CACHE-6: a range is kept apart from the whole")
    void rangesAreKeptApart() {
        byte[] content = random(1_000, 3);
        uploadByAnother(content);
        BlobClient client = cached(Freshness.fresh(LONG)).buildClient();
        for (int round = 0; round < 2; round++) {
            ByteArrayOutputStream range = new ByteArrayOutputStream();
            var response = client.downloadStreamWithResponse(
                    range, new BlobRange(100, 50L), new DownloadRetryOptions(), null, false, LONG, null);
            assertThat(response.getStatusCode()).isEqualTo(206);
            assertThat(response.getHeaders().getValue(HttpHeaderName.fromString("x-stowline-cache")))
                    .isEqualTo(round == 0 ? "miss" : "revalidated");
            assertThat(range.toByteArray()).isEqualTo(Arrays.copyOfRange(content, 100, 150));
        }
        assertThat(client.downloadContent().toBytes()).isEqualTo(content);
    }

    @Test
    @DisplayName("CACHE-6: a signature that may not read is not given what another has read")
    void signaturesAreKeptApart() {
        uploadByAnother(random(100, 4));
        BlobClient reader = signed(new BlobSasPermission().setReadPermission(true));
        BlobClient writer = signed(new BlobSasPermission().setWritePermission(true));
        reader.downloadContent();
        reader.downloadContent();
        assertThat(cache.reads(CacheOutcome.HIT)).isOne();

        assertThatExceptionOfType(BlobStorageException.class)
                .isThrownBy(writer::downloadContent)
                .satisfies(failure -> assertThat(failure.getStatusCode()).isEqualTo(403));
    }

    private BlobClient signed(BlobSasPermission permission) {
        String sas = other.generateSas(new BlobServiceSasSignatureValues(
                OffsetDateTime.now(ZoneOffset.UTC).plusHours(1), permission));
        return new BlobClientBuilder()
                .endpoint(other.getBlobUrl() + "?" + sas)
                .addPolicy(new ConditionalGetPolicy(cache, Freshness.fresh(LONG)))
                .buildClient();
    }

    @Test
    @DisplayName("CACHE-1: a caller's own condition is the caller's own")
    void ownConditionsArePassedOn() {
        uploadByAnother(random(100, 5));
        BlobClient client = cached(Freshness.fresh(LONG)).buildClient();
        String etag = client.getProperties().getETag();
        client.downloadContent();

        assertThatExceptionOfType(BlobStorageException.class)
                .isThrownBy(() -> client.downloadContentWithResponse(
                        null, new BlobRequestConditions().setIfNoneMatch(etag), LONG, null))
                .satisfies(failure -> assertThat(failure.getStatusCode()).isEqualTo(304));
    }
}
