package io.stowline.blob.internal.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobRevision;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.AuthenticationException;
import io.stowline.error.ServerErrorException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Promotions of snapshots and versions, on the wire. */
@Timeout(60)
class PromotionTest {

    private static final String TIME = "2026-05-01T10:20:30.1234567Z";
    private static final String ENCODED = "2026-05-01T10%3A20%3A30.1234567Z";

    private final StoredBlob stored = new StoredBlob(new byte[100]);
    private final StubBlobs blobs = new StubBlobs(this::takes);
    private final BlobContainer photos = blobs.container();
    private final BlobRevision version = photos.versionOf("a b", TIME);

    @AfterEach
    void close() {
        blobs.close();
    }

    private BlobStubResponse takes(StubRequest requested) {
        return requested.method().equals("PUT") ? BlobStubResponse.of(201) : stored.apply(requested);
    }

    private List<StubRequest> puts() {
        return blobs.requested().stream()
                .filter(requested -> requested.method().equals("PUT"))
                .toList();
    }

    private static boolean isInOneStep(StubRequest requested) {
        return requested.header("x-ms-blob-type") != null;
    }

    @ParameterizedTest
    @CsvSource({"versionid, bv", "snapshot, bs"})
    @DisplayName("B6, COPY-1: a block blob is promoted in one step, with headers and metadata, whatever is there")
    void inOneStep(String parameter, String resource) {
        (parameter.equals("snapshot") ? photos.snapshotOf("a b", TIME) : version).promote();

        assertThat(blobs.requested().get(0).query()).contains(parameter + "=" + ENCODED);
        assertThat(puts()).singleElement().satisfies(put -> {
            assertThat(put.path()).endsWith("/photos/a%20b");
            assertThat(put.query()).doesNotContain(parameter);
            assertThat(put.header("x-ms-blob-type")).isEqualTo("BlockBlob");
            assertThat(put.header("x-ms-copy-source"))
                    .contains("/acct/photos/a%20b?" + parameter + "=" + ENCODED)
                    .contains("sr=" + resource)
                    .contains("sp=r");
            assertThat(put.header("x-ms-source-if-match")).isEqualTo("\"v1\"");
            assertThat(put.header("x-ms-meta-owner")).isEqualTo("me");
            assertThat(put.header("x-ms-meta-stowlinewrite")).isNotEqualTo("7");
            assertThat(put.header("If-None-Match")).isNull();
            assertThat(put.header("If-Match")).isNull();
        });
        version.reactive().promote().block();
        assertThat(puts()).hasSize(2);
    }

    @Test
    @DisplayName("COPY-1: a long block blob is promoted in blocks, and becomes the present state by the commit")
    void inBlocks() {
        blobs.respond(requested -> requested.method().equals("HEAD")
                ? takes(requested).with("Content-Length", Long.toString((256L << 20) + 1))
                : requested.method().equals("GET") ? BlobStubResponse.refusal(404, "BlobNotFound") : takes(requested));
        version.promote();
        assertThat(blobs.requested("PUT", "block&")).hasSize(2).allSatisfy(block -> assertThat(
                        block.header("x-ms-copy-source"))
                .contains("versionid="));
        assertThat(blobs.requested("PUT", "blocklist")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 404, 409, 412})
    @DisplayName("COPY-1: a promotion that is refused sends nothing that could empty the present state")
    void isRefused(int status) {
        blobs.respond(requested -> requested.method().equals("PUT")
                ? BlobStubResponse.refusal(status, "CannotVerifyCopySource")
                : takes(requested));
        assertThat(catchThrowable(version::promote)).isNotNull();
        assertThat(puts()).singleElement().satisfies(put -> assertThat(isInOneStep(put))
                .isTrue());

        blobs.respond(this::takes);
        version.promote();
        assertThat(puts()).hasSize(2);
    }

    @Test
    @DisplayName("COPY-3: the signature for a revision is in no error")
    void secretStays() {
        blobs.respond(requested -> requested.method().equals("PUT")
                ? BlobStubResponse.refusal(403, "CannotVerifyCopySource")
                        .with("Content-Type", "application/xml")
                        .body(("<?xml version=\"1.0\"?><Error><Code>CannotVerifyCopySource</Code><Message>"
                                        + requested.header("x-ms-copy-source").replace("&", "&amp;")
                                        + "</Message></Error>")
                                .getBytes(StandardCharsets.UTF_8))
                : takes(requested));
        assertThatExceptionOfType(AuthenticationException.class)
                .isThrownBy(version::promote)
                .satisfies(e -> {
                    String source = puts().get(0).header("x-ms-copy-source");
                    String signature = source.replaceAll(".*[?&]sig=([^&]+).*", "$1");
                    assertThat(e.toString() + e.failure()).doesNotContain(signature);
                });
    }

    private void inPlace() {
        assertThat(puts().get(puts().size() - 1)).satisfies(copy -> {
            assertThat(isInOneStep(copy)).isFalse();
            assertThat(copy.query()).doesNotContain("versionid");
            assertThat(copy.path()).endsWith("/photos/a%20b");
            assertThat(copy.header("x-ms-copy-source"))
                    .startsWith("http://127.0.0.1:")
                    .endsWith("/acct/photos/a%20b?versionid=" + ENCODED);
        });
    }

    @Test
    @DisplayName("B6: a page blob, an append blob and an archived one are promoted in place, which may take its time")
    void ofAnotherType() {
        for (String type : List.of("PageBlob", "AppendBlob", "archived")) {
            blobs.requested().clear();
            boolean archived = type.equals("archived");
            stored.type(archived ? "BlockBlob" : type);
            blobs.respond(requested -> requested.method().equals("PUT")
                    ? BlobStubResponse.of(202).with("x-ms-copy-status", "success")
                    : stored.apply(requested).with("x-ms-access-tier", archived ? "Archive" : "Hot"));
            version.promote();
            assertThat(puts()).hasSize(1);
            inPlace();
        }
    }

    private BlobStubResponse withoutOneStep(StubRequest requested, String started, String shown) {
        if (!requested.method().equals("PUT")) {
            return stored.apply(requested).with("x-ms-copy-status", shown);
        }
        return isInOneStep(requested)
                ? BlobStubResponse.refusal(501, "APINotImplemented")
                : BlobStubResponse.of(202).with("x-ms-copy-status", started);
    }

    @Test
    @DisplayName("B6: where the service has no copy in one step, the copy in place is waited for, and its end counts")
    void withoutOneStep() {
        blobs.respond(requested -> withoutOneStep(requested, "success", "success"));
        version.promote();
        inPlace();

        AtomicInteger read = new AtomicInteger();
        blobs.respond(requested -> withoutOneStep(
                requested,
                "pending",
                requested.method().equals("HEAD") && read.incrementAndGet() <= 2 ? "pending" : "success"));
        version.promote();
        assertThat(read).hasValue(3);

        blobs.respond(requested -> withoutOneStep(requested, "pending", "failed"));
        assertThatExceptionOfType(ServerErrorException.class)
                .isThrownBy(version::promote)
                .withMessageContaining("failed")
                .satisfies(e -> assertThat(e.failure().clientRequestId())
                        .isEqualTo(blobs.requested()
                                .get(blobs.requested().size() - 1)
                                .header("x-ms-client-request-id")));
    }
}
