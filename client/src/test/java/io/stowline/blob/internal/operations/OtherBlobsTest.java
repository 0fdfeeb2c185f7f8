package io.stowline.blob.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.ConflictException;
import java.io.ByteArrayInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blobs of another type than a verb writes, or with a key that the client does not have. */
@Timeout(60)
class OtherBlobsTest {

    private final StubBlobs blobs = new StubBlobs(OtherBlobsTest::ofOtherType);
    private final BlobContainer photos = blobs.container();

    @AfterEach
    void close() {
        blobs.close();
    }

    private static BlobStubResponse ofOtherType(StubRequest request) {
        if (request.method().equals("HEAD")) {
            return BlobStubResponse.of(200).with("x-ms-blob-type", "PageBlob");
        }
        boolean blocks = request.query().contains("comp=block");
        return blocks
                ? BlobStubResponse.refusal(409, "InvalidBlobType")
                : request.header("If-None-Match") == null
                        ? BlobStubResponse.of(201).with("Content-MD5", "AAAAAAAAAAAAAAAAAAAAAA==")
                        : BlobStubResponse.refusal(409, "BlobAlreadyExists");
    }

    @Test
    @DisplayName(
            "an upload in blocks over a blob of another type names the reason and the way out, and leaves the blob")
    void namesTheTypeOfABlobThatTakesNoBlocks() {
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() ->
                        photos.upload(new byte[300], "a", o -> o.overwrite().blockSize(100)))
                .withMessageContaining("an append or page blob, to which no blocks can be sent")
                .withMessageContaining("blockSize of at least the content");
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> photos.upload(new ByteArrayInputStream(new byte[300]), "a", o -> o.overwrite()
                        .blockSize(100)))
                .withMessageContaining("delete it first");
        assertThat(blobs.requested()).noneMatch(request -> request.method().equals("DELETE"));
    }

    @Test
    @DisplayName("createIfMissing of an append blob does not take a blob of another type for one")
    void refusesToAppendToOtherTypes() {
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> photos.appendBlob("a").createIfMissing())
                .withMessageContaining("there is a PageBlob of this name")
                .satisfies(e -> assertThat(e.failure().status())
                        .as("that of the response")
                        .isEqualTo(200))
                .satisfies(e -> assertThat(e.failure().errorCode()).isNull());

        blobs.respond(request -> request.method().equals("HEAD")
                ? BlobStubResponse.of(200).with("x-ms-blob-type", "AppendBlob")
                : ofOtherType(request));
        assertThat(photos.appendBlob("a").createIfMissing()).isFalse();
        blobs.respond(request -> request.method().equals("HEAD")
                ? BlobStubResponse.refusal(403, "AuthorizationPermissionMismatch")
                : ofOtherType(request));
        assertThat(photos.appendBlob("a").createIfMissing()).isFalse();
    }

    @Test
    @DisplayName("a blob with a key of its writer's exists")
    void findsBlobsWithAnotherKey() {
        blobs.respond(request -> BlobStubResponse.refusal(409, "BlobUsesCustomerSpecifiedEncryption"));

        assertThat(photos.exists("a")).isTrue();
        assertThat(photos.reactive().exists("a").block()).isTrue();
        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> photos.find("a"));
        blobs.respond(request -> BlobStubResponse.refusal(409, "AnotherCode"));
        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> photos.exists("a"));
    }
}
