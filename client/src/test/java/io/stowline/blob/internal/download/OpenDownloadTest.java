package io.stowline.blob.internal.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobDownload;
import io.stowline.blob.CachedContainer;
import io.stowline.blob.ReactiveBlobDownload;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.caching.Freshness;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

/** Downloads that are bound to a version, and the facts of a blob before its first byte. */
@Timeout(60)
class OpenDownloadTest {

    private final byte[] content = bytes(700_000, 1);
    private final byte[] changed = bytes(600_000, 2);
    private final StoredBlob stored = new StoredBlob(content, null);
    private final StubBlobs blobs = new StubBlobs(stored);
    private final BlobContainer photos = blobs.container();
    private final CachedContainer cached = photos.cached(Freshness.revalidated());

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        assertThat(blobs.memory().now()).isZero();
        blobs.close();
    }

    private static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] all(Flux<ByteBuffer> parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        parts.doOnNext(part -> {
                    byte[] some = new byte[part.remaining()];
                    part.get(some);
                    all.writeBytes(some);
                })
                .blockLast();
        return all.toByteArray();
    }

    @Test
    @DisplayName("TRANSFER-2: the facts that come before the first byte are those of the bytes, or the read fails")
    void givesTheFactsFirst() throws IOException {
        try (BlobDownload opened = photos.openDownload("a")) {
            assertThat(opened.info().etag()).isEqualTo("\"v1\"");
            assertThat(opened.info().size()).isEqualTo(content.length);
            assertThat(opened.length()).isEqualTo(content.length);
            assertThat(opened.offset()).isZero();
            assertThat(opened.stream().readAllBytes()).isEqualTo(content);
            assertThat(opened.stream()).isSameAs(opened.stream());
        }
        try (BlobDownload opened = photos.openDownload("a", o -> o.rangeSize(64 << 10))) {
            stored.changeTo(changed, "\"v2\"");
            assertThat(opened.info().etag()).isEqualTo("\"v1\"");
            assertThatExceptionOfType(PreconditionFailedException.class)
                    .isThrownBy(() -> opened.stream().readAllBytes());
        }
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> {
            blobs.respond(request -> StubBlobs.BlobStubResponse.refusal(404, "BlobNotFound"));
            photos.openDownload("a");
        });
    }

    @Test
    @DisplayName("a part has its place in the blob, and none of its bytes behind the end")
    void opensParts() throws IOException {
        try (BlobDownload opened = photos.openDownload("a", o -> o.range(699_990, 100))) {
            assertThat(opened.offset()).isEqualTo(699_990);
            assertThat(opened.length()).isEqualTo(10);
            assertThat(opened.info().size()).isEqualTo(content.length);
            assertThat(opened.stream().readAllBytes()).isEqualTo(Arrays.copyOfRange(content, 699_990, 700_000));
        }
        try (BlobDownload opened = photos.openDownload("a", o -> o.range(700_001, 100))) {
            assertThat(opened.length()).isZero();
            assertThat(opened.info().size()).isEqualTo(content.length);
            assertThat(opened.stream().readAllBytes()).isEmpty();
        }
    }

    @Test
    @DisplayName("the reactive face gives facts and content, to one subscriber")
    void opensReactively() {
        ReactiveBlobDownload opened = photos.reactive()
                .openDownload("a", o -> o.range(10, 600_000).rangeSize(64 << 10))
                .block();
        assertThat(opened.info().etag()).isEqualTo("\"v1\"");
        assertThat(opened.length()).isEqualTo(600_000);
        assertThat(opened.offset()).isEqualTo(10);
        assertThat(all(opened.stream())).isEqualTo(Arrays.copyOfRange(content, 10, 600_010));
        assertThatIllegalStateException().isThrownBy(() -> all(opened.stream())).withMessageContaining("read already");

        ReactiveBlobDownload unread = photos.reactive().openDownload("a").block();
        unread.close();
        unread.close();
    }

    @Test
    @DisplayName("TRANSFER-2: a download that is bound to a version reads that one, or fails")
    void readsOneVersion() throws IOException {
        String v1 = photos.info("a").etag();
        assertThat(photos.download("a", o -> o.ifMatch(v1))).isEqualTo(content);
        photos.downloadTo("a", folder.resolve("a"), o -> o.ifMatch("v1").rangeSize(64 << 10));
        assertThat(folder.resolve("a")).hasBinaryContent(content);

        stored.changeTo(changed, "\"v2\"");
        List<Runnable> reads = List.of(
                () -> photos.download("a", o -> o.ifMatch(v1)),
                () -> photos.download("a", o -> o.ifMatch(v1).range(3, 5)),
                () -> photos.downloadTo("a", new ByteArrayOutputStream(), o -> o.ifMatch(v1)),
                () -> photos.downloadTo("a", folder.resolve("a"), o -> o.ifMatch(v1)),
                () -> photos.open("a", o -> o.ifMatch(v1)),
                () -> photos.openDownload("a", o -> o.ifMatch(v1)),
                () -> photos.reactive().open("a", o -> o.ifMatch(v1)).blockLast(),
                () -> photos.reactive().openDownload("a", o -> o.ifMatch(v1)).block());
        for (Runnable read : reads) {
            assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(read::run);
        }
        assertThat(folder.resolve("a")).hasBinaryContent(content);
        assertThatIllegalArgumentException().isThrownBy(() -> photos.download("a", o -> o.ifMatch("")));
    }

    @Test
    @DisplayName("TRANSFER-2: a cache that ignores the condition gives no other version to what is bound to one")
    void ignoredConditions() throws IOException {
        stored.changeTo(changed, "\"v2\"");
        blobs.respond(request -> {
            Map<String, String> fewer = new HashMap<>(request.headers());
            fewer.remove("if-match");
            return request.method().equals("PUT")
                    ? BlobStubResponse.of(200)
                    : stored.apply(
                            new StubRequest(request.method(), request.path(), request.query(), fewer, request.body()));
        });
        String v1 = "\"v1\"";
        List<Runnable> reads = List.of(
                () -> photos.download("a", o -> o.ifMatch(v1)),
                () -> photos.download("a", o -> o.ifMatch(v1).range(3, 5)),
                () -> photos.download("a", o -> o.ifMatch(v1).range(900_000, 5)),
                () -> photos.downloadTo("a", new ByteArrayOutputStream(), o -> o.ifMatch(v1)),
                () -> photos.downloadTo("a", folder.resolve("a"), o -> o.ifMatch(v1)),
                () -> photos.open("a", o -> o.ifMatch(v1)),
                () -> photos.openDownload("a", o -> o.ifMatch(v1)),
                () -> photos.reactive().open("a", o -> o.ifMatch(v1)).blockLast(),
                () -> photos.reactive().openDownload("a", o -> o.ifMatch(v1)).block(),
                () -> photos.setMetadata("a", Map.of("owner", "me"), v1));
        for (Runnable read : reads) {
            assertThatExceptionOfType(PreconditionFailedException.class)
                    .isThrownBy(read::run)
                    .withMessageContaining("\"v2\"")
                    .withMessageContaining("ignore");
        }
        assertThat(Files.list(folder)).isEmpty();
        assertThat(blobs.requested("PUT", "metadata")).isEmpty();

        assertThat(photos.download("a", o -> o.ifMatch("v2"))).isEqualTo(changed);
        stored.etag("W/\"v2\"");
        assertThat(photos.download("a", o -> o.ifMatch("v2"))).isEqualTo(changed);
    }

    @Test
    @DisplayName("a cached part behind the end has the facts and no bytes")
    void cachedPartsBehindTheEnd() throws IOException {
        for (int i = 0; i < 2; i++) {
            try (BlobDownload part =
                    cached.openDownload("a", content.length + 1L, 50).get()) {
                assertThat(part.length()).isZero();
                assertThat(part.info().size()).isEqualTo(content.length);
                assertThat(part.stream().readAllBytes()).isEmpty();
            }
        }
        assertThat(cached.range("a", content.length, 50).get()).isEmpty();
        ReactiveBlobDownload part =
                cached.reactive().openDownload("a", content.length, 50).block().get();
        assertThat(all(part.stream())).isEmpty();

        stored.changeTo(new byte[0], "\"v0\"");
        assertThat(cached.range("a", 0, 50).get()).isEmpty();
    }

    @Test
    @DisplayName("TRANSFER-2: an append blob that is made again and shorter while it is read is another version")
    void shorterAppendBlob() throws IOException {
        stored.type("AppendBlob");
        blobs.respond(request -> stored.apply(request).with("x-ms-creation-time", "Thu, 29 Feb 2024 11:00:00 GMT"));
        try (BlobDownload opened =
                photos.openDownload("a", o -> o.rangeSize(64 << 10).parallelism(1))) {
            stored.changeTo(new byte[10], "\"v2\"");
            assertThatExceptionOfType(PreconditionFailedException.class)
                    .isThrownBy(() -> opened.stream().readAllBytes());
        }
    }

    @Test
    @DisplayName("TRANSFER-2: a bound download resumes its version only")
    void resumesOneVersion() throws IOException {
        blobs.respond(request -> {
            String range = String.valueOf(request.header("x-ms-range"));
            return range.startsWith("bytes=655360-")
                    ? StubBlobs.BlobStubResponse.refusal(400, "TestFailed")
                    : stored.apply(request);
        });
        Path target = folder.resolve("b");
        assertThatExceptionOfType(io.stowline.error.BadRequestException.class)
                .isThrownBy(() -> photos.downloadTo(
                        "a", target, o -> o.rangeSize(64 << 10).parallelism(1)));
        blobs.respond(stored);

        assertThat(photos.downloadTo("a", target, o -> o.rangeSize(64 << 10).ifMatch("\"v1\""))
                        .bytesResumed())
                .isEqualTo(655_360);
        assertThat(target).hasBinaryContent(content);
        assertThat(Files.list(folder)).containsExactly(target);
    }

    /** Gives the ranges before this one, and then no more. */
    private void breaksAt(int offset) {
        blobs.respond(request -> String.valueOf(request.header("x-ms-range")).startsWith("bytes=" + offset + "-")
                ? StubBlobs.BlobStubResponse.refusal(400, "TestFailed")
                : stored.apply(request));
    }

    @Test
    @DisplayName("TRANSFER-2: another endpoint of the account goes on with what a download has left")
    void resumesAtAnotherEndpoint() throws IOException {
        Path target = folder.resolve("b");
        breaksAt(655_360);
        assertThatExceptionOfType(io.stowline.error.BadRequestException.class)
                .isThrownBy(() -> photos.downloadTo(
                        "a", target, o -> o.rangeSize(64 << 10).parallelism(1)));

        try (StubBlobs other = new StubBlobs(stored)) {
            assertThat(other.container()
                            .downloadTo("a", target, o -> o.rangeSize(64 << 10))
                            .bytesResumed())
                    .isEqualTo(655_360);
        }
        assertThat(target).hasBinaryContent(content);
        assertThat(Files.list(folder)).containsExactly(target);
    }

    @Test
    @DisplayName("TRANSFER-2: a state file that no download has written is discarded, however long it is")
    void discardsAGiantState() throws IOException {
        Path target = folder.resolve("b");
        breaksAt(655_360);
        assertThatExceptionOfType(io.stowline.error.BadRequestException.class)
                .isThrownBy(() -> photos.downloadTo(
                        "a", target, o -> o.rangeSize(64 << 10).parallelism(1)));
        blobs.respond(stored);
        Path state;
        try (Stream<Path> files = Files.list(folder)) {
            state = files.filter(file -> file.toString().endsWith(".state"))
                    .findFirst()
                    .orElseThrow();
        }
        try (RandomAccessFile sparse = new RandomAccessFile(state.toFile(), "rw")) {
            sparse.setLength(3L << 30);
        }

        assertThat(photos.downloadTo("a", target, o -> o.rangeSize(64 << 10)).bytesResumed())
                .isZero();
        assertThat(target).hasBinaryContent(content);
        assertThat(Files.list(folder)).containsExactly(target);
    }

    @Test
    @DisplayName("CACHE-1: the facts of a cached download are those of the copy that is read")
    void opensCachedCopies() throws IOException {
        for (int i = 0; i < 2; i++) {
            try (BlobDownload opened = cached.openDownload("a").get()) {
                assertThat(opened.info().etag()).isEqualTo("\"v1\"");
                stored.changeTo(changed, "\"v2\"");
                assertThat(opened.length()).isEqualTo(content.length);
                assertThat(opened.stream().readAllBytes()).isEqualTo(content);
            }
            stored.changeTo(content, "\"v1\"");
        }
        stored.changeTo(changed, "\"v2\"");
        ReactiveBlobDownload opened =
                cached.reactive().openDownload("a").block().get();
        assertThat(opened.info().etag()).isEqualTo("\"v2\"");
        assertThat(all(opened.stream())).isEqualTo(changed);

        try (BlobDownload part = cached.openDownload("a", 100, 50).get()) {
            assertThat(part.info().size()).isEqualTo(changed.length);
            assertThat(part.info().etag()).isEqualTo("\"v2\"");
            assertThat(part.offset()).isEqualTo(100);
            assertThat(part.stream().readAllBytes()).isEqualTo(Arrays.copyOfRange(changed, 100, 150));
        }
        ReactiveBlobDownload part =
                cached.reactive().openDownload("a", 100, 50).block().get();
        assertThat(all(part.stream())).isEqualTo(Arrays.copyOfRange(changed, 100, 150));

        cached.openDownload("a").get().close();
        blobs.respond(request -> StubBlobs.BlobStubResponse.refusal(404, "BlobNotFound"));
        assertThat(cached.openDownload("a").value()).isEmpty();
        assertThat(cached.reactive().openDownload("a", 1, 5).block().value()).isEmpty();
    }
}
