package io.stowline.blob.internal.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobDownload;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.caching.Freshness;
import io.stowline.error.ConflictException;
import io.stowline.error.PreconditionFailedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Responses for one blob without its type and time, or without its length, as gateways before the service give them. */
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

    private BlobStubResponse withoutLength(StubRequest request) {
        if (request.method().equals("PUT")) {
            return request.header("x-ms-blob-condition-appendpos").equals(Integer.toString(CONTENT.length))
                    ? BlobStubResponse.of(201).with("x-ms-blob-append-offset", Integer.toString(CONTENT.length))
                    : BlobStubResponse.refusal(412, "AppendPositionConditionNotMet");
        }
        BlobStubResponse whole = stored.apply(request);
        return request.method().equals("HEAD") ? whole.with("Content-Length", BlobStubResponse.ABSENT) : whole;
    }

    @Test
    @DisplayName("WORLD-2, WORLD-3: a length that the response lacks is -1 in the facts of a blob, and not 0")
    void factsWithoutLength() {
        blobs.respond(this::withoutLength);
        assertThat(photos.info("a").size()).isEqualTo(-1);
        assertThat(photos.find("a").orElseThrow().size()).isEqualTo(-1);
        assertThat(photos.cached(Freshness.fresh(Duration.ofMinutes(1)))
                        .info("a")
                        .get()
                        .size())
                .isEqualTo(-1);
    }

    private byte[] channelled() throws IOException {
        try (SeekableByteChannel channel = photos.channel("a");
                InputStream in = Channels.newInputStream(channel)) {
            byte[] all = in.readAllBytes();
            assertThat(channel.size()).isEqualTo(all.length);
            return all;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"BlockBlob", "AppendBlob"})
    @DisplayName("WORLD-2, WORLD-3: a channel takes the length from a range where the facts lack it")
    void channelWithoutLength(String type) throws IOException {
        blobs.respond(this::withoutLength);
        stored.type(type);
        assertThat(channelled()).isEqualTo(CONTENT);
    }

    @Test
    @DisplayName("WORLD-2: an empty blob without a length is empty")
    void emptyWithoutLength() throws IOException {
        blobs.respond(this::withoutLength);
        stored.changeTo(new byte[0], "\"v0\"");
        assertThat(channelled()).isEmpty();
        assertThat(photos.download("a")).isEmpty();
    }

    @Test
    @DisplayName("WORLD-3: the target of a copy without content and without a length is no empty blob")
    void copyTargetWithoutLength() {
        blobs.respond(this::withoutLength);
        stored.changeTo(new byte[0], "\"v0\"");
        stored.copyStatus("failed");
        assertThatExceptionOfType(ConflictException.class).isThrownBy(this::channelled);

        stored.changeTo(CONTENT, "\"v1\"");
        assertThat(photos.download("a")).isEqualTo(CONTENT);
    }

    @Test
    @DisplayName("TRANSFER-2: a blob that changes before its length is known is no mixture of two versions")
    void changesBeforeItsLength() {
        blobs.respond(request -> {
            BlobStubResponse given = withoutLength(request);
            stored.changeTo(new byte[0], "\"v2\"");
            return given;
        });
        assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(this::channelled);
    }

    @Test
    @DisplayName("WORLD-2, OUTCOME-6: an append finds the end of its blob where the facts lack it")
    void appendWithoutLength() {
        blobs.respond(this::withoutLength);
        stored.type("AppendBlob");
        assertThat(photos.appendBlob("a").append(new byte[] {1}).offset()).isEqualTo(CONTENT.length);
    }
}
