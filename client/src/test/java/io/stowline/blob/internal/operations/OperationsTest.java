package io.stowline.blob.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.retry.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The requests of the operations without content, and their handling of refusals. */
@Timeout(60)
class OperationsTest {

    private final StoredBlob stored = new StoredBlob(new byte[] {1, 2, 3});
    private final StubBlobs blobs = new StubBlobs(request -> request.query().contains("restype=container")
            ? BlobStubResponse.of(200).with("x-ms-meta-owner", "me").with("x-ms-meta-stowlinewrite", "7")
            : stored.apply(request));
    private final BlobContainer photos = blobs.container();

    @AfterEach
    void close() {
        blobs.close();
    }

    @Test
    @DisplayName("RETRY-2: a container is made again and again while the old one is being deleted")
    void waitsForTheOldContainer() {
        AtomicInteger requested = new AtomicInteger();
        blobs.respond(request -> requested.getAndIncrement() < 2
                ? BlobStubResponse.refusal(409, "ContainerBeingDeleted")
                : BlobStubResponse.of(201));
        long begun = System.nanoTime();
        photos.withRetry(settings -> settings.backoff(Backoff.fixed(Duration.ofMillis(150))))
                .create();

        assertThat(blobs.requested()).hasSize(3);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    }

    @Test
    void tellsContainersApartFromOtherConflicts() {
        blobs.respond(request -> BlobStubResponse.refusal(409, "ContainerAlreadyExists"));
        assertThat(photos.createIfMissing()).isFalse();
        assertThatExceptionOfType(ConflictException.class).isThrownBy(photos::create);
        blobs.respond(request -> BlobStubResponse.refusal(409, "ContainerDisabled"));
        assertThatExceptionOfType(ConflictException.class).isThrownBy(photos::createIfMissing);
        blobs.respond(request -> BlobStubResponse.refusal(404, "ContainerNotFound"));
        assertThat(photos.exists()).isFalse();
        assertThat(photos.dropIfExists()).isFalse();
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(photos::drop);
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(photos::info);
    }

    @Test
    @DisplayName("OUTCOME-3: a missing blob is a response, a missing container is an error")
    void tellsBlobsApartFromTheirContainer() {
        blobs.respond(request -> BlobStubResponse.refusal(404, "BlobNotFound"));
        assertThat(photos.exists("a")).isFalse();
        assertThat(photos.find("a")).isEmpty();
        assertThat(photos.deleteIfExists("a")).isFalse();
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> photos.info("a"));
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> photos.delete("a"));

        blobs.respond(request -> BlobStubResponse.refusal(404, "ContainerNotFound"));
        for (Consumer<BlobContainer> verb : List.<Consumer<BlobContainer>>of(
                container -> container.exists("a"),
                container -> container.find("a"),
                container -> container.deleteIfExists("a"))) {
            assertThatExceptionOfType(NotFoundException.class)
                    .isThrownBy(() -> verb.accept(photos))
                    .satisfies(e -> assertThat(e.failure().resource()).isEqualTo("photos/a"));
        }
    }

    @Test
    @DisplayName("OUTCOME-5: no verb shows the mark of a write")
    void hidesTheMark() {
        assertThat(photos.info("a").metadata()).isEqualTo(Map.of("owner", "me"));
        assertThat(photos.downloadTo("a", java.io.OutputStream.nullOutputStream())
                        .metadata())
                .isEqualTo(Map.of("owner", "me"));
        assertThat(photos.info().metadata()).isEqualTo(Map.of("owner", "me"));
    }

    @Test
    void changesAndRemovesOneVersionOnly() {
        blobs.respond(request -> request.method().equals("HEAD")
                ? BlobStubResponse.of(200).with("x-ms-blob-type", "BlockBlob").with("ETag", "\"v1\"")
                : BlobStubResponse.of(request.method().equals("DELETE") ? 202 : 200));
        assertThat(photos.setMetadata("a", Map.of("owner", "me"), "v1").etag()).isEqualTo("\"e1\"");
        photos.delete("a", "\"v1\"");
        photos.setMetadata("a", Map.of());
        photos.delete("a");

        assertThat(blobs.requested())
                .extracting(StubRequest::method)
                .containsExactly("HEAD", "PUT", "DELETE", "HEAD", "PUT", "DELETE");
        assertThat(blobs.requested())
                .extracting(a -> a.header("If-Match"))
                .containsExactly("\"v1\"", "\"v1\"", "\"v1\"", null, null, null);
        assertThat(blobs.requested().get(1).header("x-ms-meta-owner")).isEqualTo("me");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> photos.delete("a", ""))
                .withMessageContaining("ETag is empty");
    }

    @Test
    void setsHeadersOnTheVersionThatItReadAndKeepsTheOthers() {
        blobs.respond(request -> BlobStubResponse.of(200)
                .with("ETag", "\"v7\"")
                .with("x-ms-blob-type", "BlockBlob")
                .with("Content-Type", "text/plain")
                .with("Content-Language", "en")
                .with("Content-MD5", "AAAAAAAAAAAAAAAAAAAAAA=="));
        photos.setHeaders("a", with -> with.cacheControl("no-cache").contentLanguage(null));

        StubRequest set = blobs.requested().get(1);
        assertThat(set.query()).contains("comp=properties");
        assertThat(set.header("If-Match")).isEqualTo("\"v7\"");
        assertThat(set.header("x-ms-blob-cache-control")).isEqualTo("no-cache");
        assertThat(set.header("x-ms-blob-content-type")).isEqualTo("text/plain");
        assertThat(set.header("x-ms-blob-content-md5")).isEqualTo("AAAAAAAAAAAAAAAAAAAAAA==");
        assertThat(set.header("x-ms-blob-content-language")).isNull();
    }

    @Test
    void aConditionOfAReadFailsAsOne() {
        blobs.respond(request -> BlobStubResponse.refusal(304, "ConditionNotMet"));

        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> photos.info("a"))
                .satisfies(e -> assertThat(e.failure().status()).isEqualTo(304));
    }

    @Test
    @DisplayName("MAP-3: bad names and metadata are refused before anything is sent")
    void refusesBadInput() {
        for (Runnable call : List.<Runnable>of(
                () -> photos.exists(""),
                () -> photos.find("a/../b"),
                () -> photos.delete("x".repeat(1_025)),
                () -> photos.download(""),
                () -> photos.open(""),
                () -> photos.downloadTo("", java.io.OutputStream.nullOutputStream()),
                () -> photos.upload(new byte[0], ""),
                () -> photos.appendBlob(""),
                () -> photos.setMetadata(Map.of("a b", "x")),
                () -> photos.setMetadata("a", Map.of("a b", "x")),
                () -> photos.upload(new byte[0], "a", with -> with.metadata(Map.of("a", "x".repeat(8_192)))),
                () -> photos.upload(new byte[0], "a", with -> with.contentType("a\nb")),
                () -> photos.upload(new byte[0], "a", with -> with.ifMatch("")),
                () -> photos.upload(new byte[0], "a", with -> with.blockSize(0)),
                () -> photos.upload(new byte[0], "a", with -> with.blockSize(2_097_152_001)),
                () -> photos.upload(new byte[0], "a", with -> with.parallelism(0)))) {
            assertThatIllegalArgumentException().isThrownBy(call::run);
        }
        assertThat(blobs.requested()).isEmpty();
    }
}
