package io.stowline.blob.internal.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.caching.Freshness;
import io.stowline.error.ConflictException;
import io.stowline.error.PreconditionFailedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses to HEAD without {@code Content-Length}, as proxies before the service give them. */
@Timeout(60)
class MissingLengthTest {

    private static final byte[] CONTENT = "0123456789".repeat(15_000).getBytes(StandardCharsets.UTF_8);

    private final StoredBlob stored = new StoredBlob(CONTENT);
    private final StubBlobs blobs = new StubBlobs(this::response);
    private final BlobContainer photos = blobs.container();

    @AfterEach
    void close() {
        blobs.close();
    }

    private BlobStubResponse response(StubRequest request) {
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
    void facts() {
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
    void channel(String type) throws IOException {
        stored.type(type);
        assertThat(channelled()).isEqualTo(CONTENT);
    }

    @Test
    @DisplayName("WORLD-2: an empty blob without a length is empty")
    void empty() throws IOException {
        stored.changeTo(new byte[0], "\"v0\"");
        assertThat(channelled()).isEmpty();
        assertThat(photos.download("a")).isEmpty();
    }

    @Test
    @DisplayName("WORLD-3: the target of a copy without content and without a length is no empty blob")
    void copyTarget() {
        stored.changeTo(new byte[0], "\"v0\"");
        stored.copyStatus("failed");
        assertThatExceptionOfType(ConflictException.class).isThrownBy(this::channelled);

        stored.changeTo(CONTENT, "\"v1\"");
        assertThat(photos.download("a")).isEqualTo(CONTENT);
    }

    @Test
    @DisplayName("TRANSFER-2: a blob that changes before its length is known is no mixture of two versions")
    void changes() {
        blobs.respond(request -> {
            BlobStubResponse given = response(request);
            stored.changeTo(new byte[0], "\"v2\"");
            return given;
        });
        assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(this::channelled);
    }

    @Test
    @DisplayName("WORLD-2, OUTCOME-6: an append finds the end of its blob where the facts lack it")
    void append() {
        stored.type("AppendBlob");
        assertThat(photos.appendBlob("a").append(new byte[] {1}).offset()).isEqualTo(CONTENT.length);
    }
}
