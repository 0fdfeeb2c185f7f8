package io.stowline.blob.internal.operations;

import static io.stowline.blob.BlobTagFilter.tag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.storage.blob.models.AccessTier;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobTagFilter.Match;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.AuthenticationException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.outcome.Evidence;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Tags and tiers on the wire. */
@Timeout(60)
class TagOperationsTest {

    private static final int RANGE = 64 << 10;

    private final StubBlobs blobs = new StubBlobs(requested -> BlobStubResponse.of(204));
    private final BlobContainer photos = blobs.container();

    @AfterEach
    void close() {
        blobs.close();
    }

    private static BlobStubResponse xml(String body) {
        return BlobStubResponse.of(200)
                .with("Content-Type", "application/xml")
                .body(("<?xml version=\"1.0\" encoding=\"utf-8\"?>" + body).getBytes(StandardCharsets.UTF_8));
    }

    private static BlobStubResponse tags(String name, String value) {
        return xml("<Tags><TagSet><Tag><Key>" + name + "</Key><Value>" + value + "</Value></Tag></TagSet></Tags>");
    }

    private StubRequest only() {
        assertThat(blobs.requested()).hasSize(1);
        return blobs.requested().get(0);
    }

    @Test
    @DisplayName("B6: tags and tier travel with an upload, in one request and with the commit of blocks")
    void uploads() {
        blobs.respond(requested -> requested.method().equals("PUT")
                ? BlobStubResponse.of(201)
                : BlobStubResponse.refusal(404, "BlobNotFound"));
        for (int size : List.of(10, 11)) {
            photos.upload(new byte[size], "a", o -> o.blockSize(10)
                    .tags(Map.of("state", "in work", "a", "1"))
                    .tier(AccessTier.COOL)
                    .overwrite()
                    .ifTags(tag("state").notEqualTo("done")));
        }
        List<StubRequest> made = List.of(
                blobs.requested("PUT", "").get(0),
                blobs.requested("PUT", "blocklist").get(0));
        assertThat(made).allSatisfy(put -> {
            assertThat(put.header("x-ms-tags")).isEqualTo("a=1&state=in%20work");
            assertThat(put.header("x-ms-access-tier")).isEqualTo("Cool");
            assertThat(put.header("x-ms-if-tags")).isEqualTo("\"state\" <> 'done'");
            assertThat(put.header("If-None-Match")).isNull();
        });
    }

    @Test
    @DisplayName("OUTCOME-5: an upload with a condition on tags, whose response was lost, is known again by its mark")
    void recoversAnUpload() {
        AtomicInteger puts = new AtomicInteger();
        blobs.respond(requested -> {
            if (requested.method().equals("HEAD")) {
                return BlobStubResponse.of(200)
                        .with("x-ms-blob-type", "BlockBlob")
                        .with("x-ms-creation-time", "Thu, 29 Feb 2024 12:00:00 GMT")
                        .with(
                                "x-ms-meta-stowlinewrite",
                                blobs.requested("PUT", "").get(0).header("x-ms-meta-stowlinewrite"));
            }
            return puts.getAndIncrement() == 0
                    ? BlobStubResponse.of(201).body(new byte[10]).cutAfter(1)
                    : BlobStubResponse.refusal(412, "ConditionNotMet");
        });
        BlobWriteResult made = photos.upload(
                new byte[1], "a", o -> o.overwrite().ifTags(tag("state").equalTo("draft")));
        assertThat(made.evidence()).isEqualTo(Evidence.MARKER);
    }

    @Test
    void refusesAConditionOnNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> photos.upload(new byte[1], "a", o -> o.ifTags(tag("a").equalTo("1"))))
                .withMessageContaining("set overwrite() or ifMatch");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> photos.upload(new byte[1], "a", o -> o.tags(Map.of("a", "100%"))));
        assertThat(blobs.requested()).isEmpty();
    }

    @Test
    @DisplayName("B6: tags are set and read")
    void setsAndReads() {
        photos.setTags("a b", Map.of("state", "done"));
        assertThat(only().query()).contains("comp=tags");
        assertThat(only().path()).endsWith("/photos/a%20b");
        assertThat(new String(only().body(), StandardCharsets.UTF_8))
                .contains("<Tag><Key>state</Key><Value>done</Value></Tag>");
        assertThat(only().header("x-ms-if-tags")).isNull();

        blobs.respond(requested -> tags("state", "done"));
        assertThat(photos.tags("a b")).isEqualTo(Map.of("state", "done"));
        blobs.respond(requested -> BlobStubResponse.refusal(404, "BlobNotFound"));
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> photos.tags("a b"));
    }

    @Test
    @DisplayName("B6: a condition on tags is a condition of the request")
    void conditions() {
        blobs.respond(requested -> BlobStubResponse.refusal(412, "ConditionNotMet"));
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> photos.setTags("a", Map.of(), tag("n").atLeast("1")));
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> photos.delete("a", tag("n").atLeast("1")));
        assertThat(blobs.requested()).hasSize(2).allSatisfy(requested -> assertThat(requested.header("x-ms-if-tags"))
                .isEqualTo("\"n\" >= '1'"));
    }

    @TestFactory
    @DisplayName(
            "B6, TRANSFER-2: a download with a condition on tags sends it with its first request, and with no other")
    Stream<DynamicTest> downloads(@TempDir Path folder) {
        UnaryOperator<DownloadSettings.Builder> done = with ->
                with.rangeSize(RANGE).ifTags(tag("state").equalTo("done").or(tag("n").atLeast("1")));
        StoredBlob stored = new StoredBlob(new byte[2 * RANGE + 1]);
        Map<String, Executable> reads = new LinkedHashMap<>();
        reads.put("memory", () -> photos.download("a", done));
        reads.put("file", () -> photos.downloadTo("a", folder.resolve("a"), done));
        reads.put("stream", () -> photos.downloadTo("a", OutputStream.nullOutputStream(), done));
        reads.put("open", () -> {
            try (InputStream in = photos.open("a", done)) {
                in.readAllBytes();
            }
        });
        reads.put("flux", () -> photos.reactive().open("a", done).blockLast());
        return reads.entrySet().stream()
                .map(read -> DynamicTest.dynamicTest(read.getKey(), () -> {
                    blobs.requested().clear();
                    blobs.respond(stored);
                    read.getValue().execute();
                    assertThat(blobs.requested()).hasSize(3);
                    assertThat(blobs.requested())
                            .filteredOn(requested -> requested.header("x-ms-if-tags") != null)
                            .singleElement()
                            .satisfies(first -> {
                                assertThat(first.header("x-ms-if-tags"))
                                        .isEqualTo("\"state\" = 'done' OR \"n\" >= '1'");
                                assertThat(first.header("x-ms-range")).startsWith("bytes=0-");
                            });

                    blobs.respond(requested -> BlobStubResponse.refusal(412, "ConditionNotMet"));
                    assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(read.getValue()::execute);
                    assertThat(blobs.memory().now()).isZero();
                }));
    }

    @Test
    @DisplayName("TRANSFER-2: a resumed download looks at the tags first; where they are others its part stays")
    void resumedDownloads(@TempDir Path folder) throws IOException {
        StoredBlob stored = new StoredBlob(new byte[2 * RANGE + 1]);
        UnaryOperator<DownloadSettings.Builder> done =
                with -> with.rangeSize(RANGE).parallelism(1).ifTags(tag("state").equalTo("done"));
        blobs.respond(requested -> requested.header("x-ms-range").startsWith("bytes=" + RANGE + "-")
                ? BlobStubResponse.refusal(403, "AuthorizationFailure")
                : stored.apply(requested));
        assertThatExceptionOfType(AuthenticationException.class)
                .isThrownBy(() -> photos.downloadTo("a", folder.resolve("a"), done));
        blobs.requested().clear();

        blobs.respond(requested -> BlobStubResponse.refusal(412, "ConditionNotMet"));
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> photos.downloadTo("a", folder.resolve("a"), done));
        assertThat(only().method()).isEqualTo("HEAD");
        assertThat(only().header("x-ms-if-tags")).isEqualTo("\"state\" = 'done'");

        blobs.respond(stored);
        assertThat(photos.downloadTo("a", folder.resolve("a"), done).bytesResumed())
                .isEqualTo(RANGE);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(folder.resolve("a"));
        }
    }

    @Test
    @DisplayName("B6: an empty blob, which has no range, is read on the same condition")
    void emptyBlobs() {
        blobs.respond(new StoredBlob(new byte[0]));
        assertThat(photos.download("a", with -> with.ifTags(tag("n").atLeast("1"))))
                .isEmpty();
        assertThat(blobs.requested()).hasSize(2).allSatisfy(requested -> assertThat(requested.header("x-ms-if-tags"))
                .isEqualTo("\"n\" >= '1'"));
    }

    @Test
    @DisplayName("OUTCOME-5: tags with a condition whose response was lost are read back")
    void readsTagsBack() {
        AtomicInteger sent = new AtomicInteger();
        blobs.respond(requested -> requested.method().equals("GET")
                ? tags("state", "done")
                : sent.getAndIncrement() == 0
                        ? BlobStubResponse.refusal(500, "InternalError")
                        : BlobStubResponse.refusal(412, "ConditionNotMet"));
        photos.setTags("a", Map.of("state", "done"), tag("state").equalTo("draft"));
        assertThat(blobs.requested("GET", "tags")).hasSize(1);

        sent.set(0);
        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> photos.setTags(
                        "a", Map.of("state", "other"), tag("state").equalTo("draft")))
                .withMessageContaining("other tags");
    }

    @Test
    @DisplayName("B6: blobs are found by tags, page by page")
    void finds() {
        blobs.respond(requested -> {
            String found = requested.query().contains("marker=next") ? "b" : "a";
            return xml("<EnumerationResults ServiceEndpoint=\"http://x/\"><Where>w</Where><Blobs><Blob><Name>" + found
                    + "</Name><ContainerName>photos</ContainerName><Tags><TagSet><Tag><Key>state</Key><Value>done</Value>"
                    + "</Tag></TagSet></Tags></Blob></Blobs><NextMarker>" + (found.equals("a") ? "next" : "")
                    + "</NextMarker></EnumerationResults>");
        });
        assertThat(photos.findByTags(tag("state").equalTo("done")))
                .containsExactly(new Match("a", Map.of("state", "done")), new Match("b", Map.of("state", "done")));
        assertThat(blobs.requested()).hasSize(2).allSatisfy(requested -> assertThat(requested.query())
                .contains("comp=blobs")
                .contains("restype=container")
                .contains("where=%22state%22"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> photos.findByTags(tag("state").notEqualTo("done")));
    }

    @Test
    @DisplayName("B6: a blob moves to another tier")
    void tiers() {
        blobs.respond(requested -> BlobStubResponse.of(202));
        photos.setTier("a", AccessTier.ARCHIVE);
        assertThat(only().query()).contains("comp=tier");
        assertThat(only().header("x-ms-access-tier")).isEqualTo("Archive");
    }
}
