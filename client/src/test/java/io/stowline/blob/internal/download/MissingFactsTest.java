package io.stowline.blob.internal.download;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobDownload;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.caching.Freshness;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Responses for one blob without its type and time, as gateways before the service give them. */
@Timeout(60)
class MissingFactsTest {

    private static final byte[] CONTENT = "0123456789".repeat(15_000).getBytes(StandardCharsets.UTF_8);

    private final StoredBlob stored = new StoredBlob(CONTENT);
    private final StubBlobs blobs = new StubBlobs(this::response);
    private final BlobContainer photos = blobs.container();

    @AfterEach
    void close() {
        blobs.close();
    }

    private BlobStubResponse response(StubRequest requested) {
        BlobStubResponse whole = requested.method().equals("PUT") ? BlobStubResponse.of(201) : stored.apply(requested);
        return whole.without("x-ms-blob-type").without("Last-Modified");
    }

    /** A read of the blob that gives its bytes. */
    private record Read(String name, ReadCall call) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** The call of a verb that reads a blob. */
    private interface ReadCall {
        byte[] of(BlobContainer photos, Path folder) throws IOException;
    }

    static Stream<Read> reads() {
        return Stream.of(
                new Read("download", (photos, folder) -> photos.download("a")),
                new Read("downloadTo file", (photos, folder) -> {
                    photos.downloadTo("a", folder.resolve("a"));
                    return Files.readAllBytes(folder.resolve("a"));
                }),
                new Read("downloadTo stream", (photos, folder) -> {
                    ByteArrayOutputStream out = new ByteArrayOutputStream();
                    photos.downloadTo("a", out, with -> with.rangeSize(64 << 10));
                    return out.toByteArray();
                }),
                new Read("channel", (photos, folder) -> {
                    try (var channel = photos.channel("a")) {
                        ByteBuffer all = ByteBuffer.allocate(CONTENT.length);
                        while (all.hasRemaining() && channel.read(all) >= 0) {}
                        return all.array();
                    }
                }),
                new Read("openDownload", (photos, folder) -> {
                    try (BlobDownload open = photos.openDownload("a");
                            InputStream in = open.stream()) {
                        assertThat(open.info().type()).isNull();
                        return in.readAllBytes();
                    }
                }),
                new Read("cached", (photos, folder) -> photos.cached(Freshness.fresh(Duration.ofMinutes(1)))
                        .download("a")
                        .get()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("reads")
    @DisplayName("WORLD-2: a read needs neither the type nor the time of a blob")
    void read(Read read, @TempDir Path folder) throws IOException {
        assertThat(read.call.of(photos, folder)).isEqualTo(CONTENT);
    }

    @Test
    @DisplayName("WORLD-2: facts without a type and a time are given as they are")
    void facts() {
        assertThat(photos.exists("a")).isTrue();
        BlobInfo info = photos.find("a").orElseThrow();
        assertThat(info.size()).isEqualTo(CONTENT.length);
        assertThat(info.etag()).isEqualTo("\"v1\"");
        assertThat(info.type()).isNull();
        assertThat(info.lastModified()).isEqualTo(Instant.EPOCH);
        assertThat(photos.cached(Freshness.fresh(Duration.ofMinutes(1)))
                        .info("a")
                        .get()
                        .type())
                .isNull();
    }

    @Test
    @DisplayName("WORLD-2: a container needs neither an ETag nor a time to be there")
    void container() {
        blobs.respond(request -> BlobStubResponse.of(200)
                .without("ETag")
                .without("Last-Modified")
                .with("x-ms-meta-a", "b"));

        assertThat(photos.exists()).isTrue();
        assertThat(photos.info().metadata()).containsEntry("a", "b");
    }

    @Test
    @DisplayName("WORLD-2: an upload needs no time in its response")
    void upload() {
        assertThat(photos.upload(CONTENT, "a").etag()).isEqualTo("\"e1\"");
    }
}
