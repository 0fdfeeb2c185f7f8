package io.stowline.blob.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.CachedContainer;
import io.stowline.blob.internal.base.Md5;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.download.Download;
import io.stowline.caching.CacheOutcome;
import io.stowline.caching.CachedRead;
import io.stowline.caching.Freshness;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The requests of cached reads of blobs, and their results. */
@Timeout(60)
class CachedBlobsTest {

    private static final Freshness HOUR = Freshness.fresh(Duration.ofHours(1));

    private final byte[] content = bytes(1_000);
    private final byte[] other = bytes(2_000);
    private final StoredBlob stored = new StoredBlob(content);
    private final StubBlobs blobs = new StubBlobs(stored);
    private final BlobContainer photos = blobs.container();
    private final CachedContainer requesting = photos.cached(Freshness.revalidated());
    private final CachedContainer cached = photos.cached(HOUR);

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        blobs.close();
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static String md5(byte[] bytes) {
        return Base64.getEncoder().encodeToString(Md5.of(ByteBuffer.wrap(bytes)));
    }

    private void changeTo(byte[] bytes) {
        stored.md5(md5(bytes)).changeTo(bytes, "\"v2\"");
    }

    private List<String> conditions() {
        return blobs.requested().stream()
                .map(requested -> String.valueOf(requested.header("If-None-Match")))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "folder/ä ß+%.txt", "x?y&z=1", "-_.!~*'()"})
    @DisplayName("OUTCOME-8: what has not changed is not transferred again, whatever it is called")
    void unchangedCostsNoTransfer(String name) {
        assertThat(requesting.download(name).outcome()).isEqualTo(CacheOutcome.MISS);
        CachedRead<byte[]> again = requesting.download(name);

        assertThat(again.outcome()).isEqualTo(CacheOutcome.REVALIDATED);
        assertThat(again.get()).isEqualTo(content);
        assertThat(conditions()).containsExactly("null", "\"v1\"");
        assertThat(cached.download(name).outcome()).isEqualTo(CacheOutcome.HIT);
        assertThat(blobs.requested()).hasSize(2);
    }

    @Test
    @DisplayName("CACHE-3: what has changed is transferred, the other ranges of the new version only")
    void changedIsTransferred() {
        byte[] large = bytes(Download.PIECE + 1_000);
        requesting.download("a");
        changeTo(large);

        CachedRead<byte[]> again = requesting.download("a");
        assertThat(again.outcome()).isEqualTo(CacheOutcome.REFRESHED);
        assertThat(again.get()).isEqualTo(large);
        assertThat(blobs.requested().get(2).header("If-Match")).isEqualTo("\"v2\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "folder/ä ß+%.txt"})
    @DisplayName("CACHE-4: own writes through this client are seen by the next read")
    void ownWritesAreSeen(String name) {
        cached.download(name);
        cached.info(name);
        blobs.respond(requested -> {
            if (requested.method().equals("PUT") || requested.method().equals("DELETE")) {
                return BlobStubResponse.of(requested.method().equals("PUT") ? 201 : 202);
            }
            return stored.apply(requested);
        });
        photos.upload(other, name, settings -> settings.overwrite());
        changeTo(other);

        assertThat(cached.download(name).get()).isEqualTo(other);
        assertThat(cached.info(name).get().etag()).isEqualTo("\"v2\"");
        assertThat(cached.download(name).outcome()).isEqualTo(CacheOutcome.HIT);

        photos.delete(name);
        blobs.respond(requested -> BlobStubResponse.refusal(404, "BlobNotFound"));
        assertThat(cached.download(name).value()).isEmpty();
    }

    @Test
    @DisplayName("CACHE-4: a container that is gone takes what was read of it along")
    void aContainerThatIsGoneInvalidates() {
        cached.download("a");
        blobs.respond(requested -> requested.method().equals("DELETE")
                ? BlobStubResponse.of(202)
                : BlobStubResponse.refusal(404, "ContainerNotFound"));
        photos.drop();

        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> cached.download("a"));
    }

    @Test
    @DisplayName("CACHE-6: the whole, a range and the facts of a blob are kept apart")
    void partsAreKeptApart() {
        cached.download("a");
        CachedRead<byte[]> range = cached.range("a", 100, 50);
        CachedRead<BlobInfo> facts = cached.info("a");

        assertThat(range.get()).isEqualTo(Arrays.copyOfRange(content, 100, 150));
        assertThat(List.of(range.outcome(), facts.outcome())).containsOnly(CacheOutcome.MISS);
        assertThat(cached.range("a", 100, 50).outcome()).isEqualTo(CacheOutcome.HIT);
        assertThat(cached.range("a", 100, 51).outcome()).isEqualTo(CacheOutcome.MISS);
    }

    @Test
    @DisplayName("CACHE-1: facts are asked for by HEAD, and 304 is a hit")
    void factsAreKept() {
        BlobInfo first = requesting.info("a").get();
        CachedRead<BlobInfo> again = requesting.info("a");

        assertThat(again.outcome()).isEqualTo(CacheOutcome.REVALIDATED);
        assertThat(again.get()).isEqualTo(first);
        assertThat(first).isEqualTo(photos.info("a"));
        assertThat(first.metadata()).isEqualTo(Map.of("owner", "me"));
    }

    @Test
    void filesAndStreamsAreFilledFromTheCache() throws IOException {
        Path file = folder.resolve("a");
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        CachedRead<BlobInfo> toFile = cached.downloadTo("a", file);
        CachedRead<BlobInfo> toStream = cached.downloadTo("a", stream);

        assertThat(Files.readAllBytes(file)).isEqualTo(content);
        assertThat(stream.toByteArray()).isEqualTo(content);
        assertThat(toStream.outcome()).isEqualTo(CacheOutcome.HIT);
        assertThat(toFile.get()).isEqualTo(toStream.get());
        assertThat(toFile.get().contentMd5()).isEqualTo(md5(content));
    }

    @Test
    void whatIsNotThereIsEmptyAndLeavesTheFile() throws IOException {
        Path file = Files.writeString(folder.resolve("a"), "before");
        blobs.respond(requested -> BlobStubResponse.refusal(404, "BlobNotFound"));

        assertThat(cached.download("a").value()).isEmpty();
        assertThat(cached.info("a").value()).isEmpty();
        assertThat(cached.downloadTo("a", file).value()).isEmpty();
        assertThat(file).hasContent("before");
    }

    @Test
    @DisplayName("TRANSFER-2: content that is not what its writer stored is neither given nor kept")
    void wrongContentIsNotKept() {
        stored.md5("AAAAAAAAAAAAAAAAAAAAAA==");
        assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> cached.download("a"));
        stored.md5(md5(content));

        assertThat(cached.download("a").outcome()).isEqualTo(CacheOutcome.MISS);
    }

    @Test
    @DisplayName("CACHE-2: 200 readers of one blob are one request")
    void concurrentReadsAreOneRequest() {
        List<CachedRead<byte[]>> reads = Flux.range(0, 200)
                .flatMap(i -> cached.reactive().download("a"), 200)
                .collectList()
                .block(Duration.ofSeconds(30));

        assertThat(reads).hasSize(200).allSatisfy(read -> assertThat(read.get()).isEqualTo(content));
        assertThat(blobs.requested()).hasSize(1);
    }

    @Test
    @DisplayName("CACHE-5: a blob that is longer than the limit is refused after its first piece")
    void aLongBlobIsNotTransferredInVain() {
        changeTo(bytes(2 * Download.PIECE + 1));

        assertThatIllegalStateException()
                .isThrownBy(() -> cached.download("a", 1_000))
                .withMessageContaining((2 * Download.PIECE + 1) + " bytes, more than the limit of 1000");
        assertThat(blobs.requested()).hasSize(1);
    }

    @Test
    @DisplayName("CACHE-2: a reader who may take more is not failed by the limit of the one whose load it has joined")
    void theLimitOfAnotherReaderFailsNobodyElse() {
        List<Object> reads = Flux.just(10, 2_000, 999)
                .flatMap(limit -> cached.reactive()
                        .download("a", limit)
                        .<Object>map(read -> read.get().length)
                        .onErrorResume(IllegalStateException.class, e -> Mono.just(e.getMessage())))
                .collectList()
                .block(Duration.ofSeconds(30));

        assertThat(reads)
                .hasSize(3)
                .contains(1_000)
                .anySatisfy(read -> assertThat(read).asString().contains("limit of 10 "))
                .anySatisfy(read -> assertThat(read).asString().contains("limit of 999 "));
    }

    @Test
    @DisplayName("CACHE-4: facts are read without a condition, since a write may keep the ETag")
    void factsAreNeverConditional() {
        assertThat(requesting.info("a").outcome()).isEqualTo(CacheOutcome.MISS);
        assertThat(requesting.info("a").outcome()).isEqualTo(CacheOutcome.REVALIDATED);
        assertThat(conditions()).containsExactly("null", "null");
    }

    @Test
    void limitsAreKept() {
        assertThatIllegalStateException()
                .isThrownBy(() -> cached.download("a", 999))
                .withMessageContaining("1000 bytes, more than the limit of 999");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cached.download("a", -1))
                .withMessageContaining("-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cached.range("a", -1, 5))
                .withMessageContaining("-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cached.range("a", 0, 0))
                .withMessageContaining("0");
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName(
            "CACHE-4: a large blob that changes between its ranges is given to no reader in parts of two versions, and"
                    + " is not kept")
    void aChangeBetweenTheRangesMixesNothing() {
        byte[] first = bytes(Download.PIECE + 1_000);
        byte[] second = bytes(Download.PIECE + 2_000);
        stored.md5(md5(first)).changeTo(first, "\"v2\"");
        blobs.respond(requested -> {
            BlobStubResponse reported = stored.apply(requested);
            if ("bytes=0-8388607".equals(requested.header("x-ms-range"))
                    && reported.headers().containsValue("\"v2\"")) {
                stored.md5(md5(second)).changeTo(second, "\"v3\"");
            }
            return reported;
        });
        List<Object> reads = Flux.range(0, 3)
                .flatMap(i -> cached.reactive()
                        .download("a")
                        .<Object>map(read -> Arrays.equals(read.get(), second))
                        .onErrorResume(e -> Mono.just(e.getClass())))
                .collectList()
                .block(Duration.ofSeconds(30));

        assertThat(reads)
                .hasSize(3)
                .allMatch(read -> read.equals(true) || read.equals(PreconditionFailedException.class));
        assertThat(reads).contains(PreconditionFailedException.class);
        assertThat(cached.download("a").get()).isEqualTo(second);
        assertThat(cached.info("a").get().etag()).isEqualTo("\"v3\"");
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    void whatIsForgottenIsRequestedAgain() {
        cached.download("a");
        cached.invalidate("a");

        assertThat(cached.download("a").outcome()).isNotEqualTo(CacheOutcome.HIT);
    }
}
