package io.stowline.blob.internal.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.caching.Freshness;
import io.stowline.error.ProtocolException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses to ranges that have no bytes, or the whole blob, and ranges at the ends of what there is. */
@Timeout(60)
class RangesTest {

    private final StoredBlob stored = new StoredBlob(new byte[0]);
    private final StubBlobs blobs = new StubBlobs(stored);
    private final BlobContainer photos = blobs.container();

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

    /** Something before the service that gives the whole blob for each range. */
    private static Function<StubRequest, BlobStubResponse> ignoringRanges(byte[] content) {
        StoredBlob whole = new StoredBlob(content, null);
        return request -> {
            BlobStubResponse head =
                    BlobStubResponse.of(200).with("ETag", "\"v1\"").with("x-ms-blob-type", "BlockBlob");
            return request.method().equals("GET") ? head.body(content) : whole.apply(request);
        };
    }

    private void readsEverywhere(byte[] content) throws IOException {
        int size = content.length;
        assertThat(photos.download("a")).isEqualTo(content);
        assertThat(photos.download("a", o -> o.rangeSize(64 << 10))).isEqualTo(content);
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        BlobInfo read = photos.downloadTo("a", copy, o -> o.rangeSize(64 << 10));
        assertThat(copy.toByteArray()).isEqualTo(content);
        assertThat(read.size()).isEqualTo(size);
        photos.downloadTo("a", folder.resolve("a"), o -> o.rangeSize(64 << 10));
        assertThat(folder.resolve("a")).hasBinaryContent(content);
        try (InputStream in = photos.open("a", o -> o.rangeSize(64 << 10))) {
            assertThat(in.readAllBytes()).isEqualTo(content);
        }
        for (int from : new int[] {0, size / 2, size - 1, size, size + 1}) {
            int begin = Math.min(Math.max(from, 0), size);
            int end = Math.min(begin + 7, size);
            assertThat(photos.download("a", o -> o.range(Math.max(from, 0), 7)))
                    .as("from " + from)
                    .isEqualTo(Arrays.copyOfRange(content, begin, Math.max(begin, end)));
        }
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-2: behind something that ignores ranges each read takes its bytes from the whole")
    void takesItsBytesFromTheWhole() throws IOException {
        byte[] content = bytes(300_000);
        blobs.respond(ignoringRanges(content));

        readsEverywhere(content);
        try (SeekableByteChannel channel = photos.channel("a")) {
            ByteBuffer some = ByteBuffer.allocate(10);
            channel.position(200_000).read(some);
            assertThat(some.array()).isEqualTo(Arrays.copyOfRange(content, 200_000, 200_010));
        }
        assertThat(photos.cached(Freshness.fresh(Duration.ofSeconds(1)))
                        .range("a", 5, 10)
                        .get())
                .isEqualTo(Arrays.copyOfRange(content, 5, 15));
    }

    @Test
    @DisplayName("TRANSFER-2: a whole that breaks off is resumed where the range broke off")
    void resumesInTheWhole() {
        byte[] content = bytes(300_000);
        AtomicInteger cuts = new AtomicInteger(3);
        blobs.respond(request -> {
            BlobStubResponse whole = ignoringRanges(content).apply(request);
            return cuts.getAndDecrement() > 0 ? whole.cutAfter(100_000 + 20_000 * (3 - cuts.get())) : whole;
        });

        assertThat(photos.download("a", o -> o.range(90_000, 100_000)))
                .isEqualTo(Arrays.copyOfRange(content, 90_000, 190_000));
    }

    /** A response in one chunk, behind which the connection breaks off. */
    private static BlobStubResponse withoutItsEnd(BlobStubResponse whole) {
        byte[] head = (Integer.toHexString(whole.body().length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        byte[] chunk = Arrays.copyOf(head, head.length + whole.body().length);
        System.arraycopy(whole.body(), 0, chunk, head.length, whole.body().length);
        BlobStubResponse sent = whole.with("Content-Length", BlobStubResponse.ABSENT)
                .with("Transfer-Encoding", "chunked")
                .body(whole.body().length == 0 ? new byte[0] : chunk);
        return new BlobStubResponse(sent.status(), sent.headers(), sent.body(), sent.length() + 1, false);
    }

    @ParameterizedTest
    @DisplayName("TRANSFER-2: a body whose end is missing behind its last byte is resumed by a range that has a byte")
    @ValueSource(ints = {1, 1_000, 70_000, 300_000})
    void resumesBehindTheLastByte(int size) throws IOException {
        byte[] content = bytes(size);
        StoredBlob stored = new StoredBlob(content);
        AtomicInteger cuts = new AtomicInteger();
        blobs.respond(request -> {
            BlobStubResponse whole = stored.apply(request);
            boolean faulty = request.method().equals("GET") && cuts.incrementAndGet() % 2 == 1;
            return faulty ? withoutItsEnd(whole) : whole;
        });

        assertThat(photos.download("a")).isEqualTo(content);
        assertThat(photos.download("a", o -> o.rangeSize(64 << 10))).isEqualTo(content);
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        photos.downloadTo("a", copy);
        assertThat(copy.toByteArray()).isEqualTo(content);
        try (InputStream in = photos.open("a")) {
            assertThat(in.readAllBytes()).isEqualTo(content);
        }
        assertThat(blobs.memory().now()).isZero();
    }

    @ParameterizedTest
    @DisplayName("TRANSFER-2: a status that no read has is tried again, and none of its bytes is taken")
    @ValueSource(ints = {201, 202, 203, 204})
    void triesOtherStatusesAgain(int status) {
        byte[] content = bytes(1_000);
        StoredBlob stored = new StoredBlob(content);
        AtomicInteger others = new AtomicInteger(1);
        blobs.respond(request -> {
            BlobStubResponse whole = stored.apply(request);
            BlobStubResponse other = new BlobStubResponse(
                    status, whole.headers(), new byte[status == 204 ? 0 : 1_000], status == 204 ? 0 : 1_000, false);
            return others.getAndDecrement() > 0 ? other : whole;
        });

        assertThat(photos.download("a")).isEqualTo(content);
        assertThat(blobs.requested()).hasSize(2);
    }

    @Test
    @DisplayName("a response with content that lacks the ETag is an error that names it")
    void namesTheMissingHeader() {
        StoredBlob full = new StoredBlob(bytes(100));
        blobs.respond(request -> full.apply(request).without("ETag"));

        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> photos.download("a"))
                .withMessageContaining("lacks the header ETag");
    }

    @Test
    @DisplayName(
            "TRANSFER-2: a whole that is much longer than the range is an error that names the reason and the way out")
    void namesWhatIgnoresRanges() {
        blobs.respond(request -> {
            BlobStubResponse whole = ignoringRanges(new byte[100]).apply(request);
            return new BlobStubResponse(whole.status(), whole.headers(), whole.body(), 100_000_000, false);
        });

        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> photos.download("a", o -> o.range(5, 10)))
                .withMessageContaining("requested 10 bytes from 5 on, and got all 100000000 bytes of the blob")
                .withMessageContaining("a retry cannot help; use the endpoint of the account");
        assertThat(blobs.requested()).hasSize(1);
    }

    @Test
    @DisplayName("TRANSFER-2: an empty blob behind something that ignores ranges is empty to each read")
    void readsAnEmptyWhole() throws IOException {
        blobs.respond(ignoringRanges(new byte[0]));

        readsEverywhere(new byte[0]);
    }

    @Test
    @DisplayName("TRANSFER-2: a range that begins at the end has no bytes, whatever the status of the response")
    void readsNothingAtTheEnd() {
        blobs.respond(request -> BlobStubResponse.of(206)
                .with("ETag", "\"v1\"")
                .with("x-ms-blob-type", "AppendBlob")
                .with("Content-Range", "bytes 1000-999/1000"));

        assertThat(photos.download("a", o -> o.range(1_000, 5))).isEmpty();
        assertThat(photos.reactive()
                        .open("a", o -> o.range(1_000, 5))
                        .collectList()
                        .block())
                .allMatch(part -> !part.hasRemaining());
        assertThat(photos.cached(Freshness.fresh(Duration.ofSeconds(1)))
                        .range("a", 1_000, 5)
                        .get())
                .isEmpty();
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("a range at the end of all numbers is one that the service can read")
    void neverOverflows() {
        stored.changeTo(new byte[10], "\"v2\"");

        blobs.respond(request -> {
            String range = request.header("x-ms-range");
            return range == null
                    ? stored.apply(request)
                    : range.equals("bytes=9223372036854775806-9223372036854775807")
                            ? BlobStubResponse.refusal(416, "InvalidRange")
                            : BlobStubResponse.refusal(400, "InvalidHeaderValue");
        });
        assertThat(photos.download("a", o -> o.range(Long.MAX_VALUE - 1, 5))).isEmpty();
        assertThat(photos.download("a", o -> o.range(Long.MAX_VALUE - 1, 2))).isEmpty();
    }

    @Test
    @DisplayName("a response without an ETag, such as a page of a gateway, is an error that says so")
    void namesAMissingETag() {
        blobs.respond(request -> stored.apply(request).without("ETag"));

        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> photos.channel("a"))
                .withMessageContaining("it has no ETag");
    }
}
