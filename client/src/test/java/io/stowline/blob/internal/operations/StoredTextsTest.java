package io.stowline.blob.internal.operations;

import static io.stowline.blob.BlobTagFilter.tag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobRevision;
import io.stowline.blob.BlobTagFilter;
import io.stowline.blob.BlobTree;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Metadata and tags with empty values, which other writers may store and which are null in the SDK's models. */
@Timeout(60)
class StoredTextsTest {

    private final StubBlobs blobs = new StubBlobs(StoredTextsTest::response);
    private final BlobContainer photos = blobs.container();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        blobs.close();
    }

    private static BlobStubResponse response(StubRequest request) {
        if (request.is("GET", "list")) {
            return xml("<EnumerationResults><Blobs>"
                    + blob("a", "<State>new</State><Empty/><stowlinewrite/><stowlinemodified/>") + blob("b", "")
                    + "</Blobs><NextMarker/></EnumerationResults>");
        }
        if (request.is("GET", "blobs")) {
            return xml("<EnumerationResults><Blobs><Blob><Name>a</Name><ContainerName>photos</ContainerName>"
                    + "<Tags><TagSet><Tag><Key>state</Key><Value/></Tag></TagSet></Tags></Blob></Blobs>"
                    + "<NextMarker/></EnumerationResults>");
        }
        if (request.is("GET", "tags")) {
            return xml(
                    "<Tags><TagSet><Tag><Key>state</Key><Value/></Tag><Tag><Key>b</Key><Value>c</Value></Tag></TagSet></Tags>");
        }
        return BlobStubResponse.of(200)
                .with("x-ms-blob-type", "BlockBlob")
                .with("x-ms-meta-Empty", "")
                .with("x-ms-meta-State", "new");
    }

    private static BlobStubResponse xml(String content) {
        return BlobStubResponse.of(200)
                .with("Content-Type", "application/xml")
                .body(("<?xml version=\"1.0\" encoding=\"utf-8\"?>" + content).getBytes(StandardCharsets.UTF_8));
    }

    private static String blob(String name, String metadata) {
        return "<Blob><Name>" + name
                + "</Name><Snapshot>2024-02-29T12:00:00.0000000Z</Snapshot><Properties><Last-Modified>Thu,"
                + " 29 Feb 2024 12:00:00"
                + " GMT</Last-Modified><Etag>0x8D1</Etag><Content-Length>0</Content-Length>"
                + "<BlobType>BlockBlob</BlobType></Properties><Metadata>" + metadata + "</Metadata></Blob>";
    }

    @Test
    @DisplayName("an empty metadata value breaks no listing, no transfer and no walk of revisions")
    void listsEmptyValues() {
        try (Stream<BlobInfo> all = photos.stream()) {
            assertThat(all.findFirst().orElseThrow().metadata())
                    .containsExactlyInAnyOrderEntriesOf(Map.of("State", "new", "Empty", ""));
        }
        try (Stream<BlobTree.Entry> all = photos.entries("", "/")) {
            assertThat(all.map(BlobTree.Entry::name)).containsExactly("a", "b");
        }
        try (Stream<BlobRevision> all = photos.revisions("a")) {
            assertThat(all.findFirst().orElseThrow().listed().orElseThrow().metadata())
                    .containsEntry("Empty", "");
        }
        assertThat(photos.downloadDirectory("", folder, o -> o.dryRun()).join().transferred())
                .isEqualTo(2);
        assertThat(photos.info("a").metadata()).containsEntry("Empty", "");
        assertThat(photos.info().metadata()).containsEntry("State", "new");
    }

    @Test
    @DisplayName("an empty tag value is an empty text")
    void readsEmptyTags() {
        assertThat(photos.tags("a")).isEqualTo(Map.of("state", "", "b", "c"));
        try (Stream<BlobTagFilter.Match> all = photos.findByTags(tag("b").equalTo("c"))) {
            assertThat(all.map(BlobTagFilter.Match::tags)).containsExactly(Map.of("state", ""));
        }
    }

    @Test
    @DisplayName("a change of one metadata value keeps what another writer has stored, which new metadata may not have")
    void keepsWhatIsStored() {
        blobs.respond(request -> BlobStubResponse.of(200)
                .with("x-ms-blob-type", "BlockBlob")
                .with("x-ms-meta-my-name", "old")
                .with("x-ms-meta-Empty", "")
                .with("x-ms-meta-State", "new"));
        Map<String, String> changed = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        changed.putAll(photos.info("a").metadata());
        changed.put("state", "done");
        String etag = photos.info("a").etag();

        photos.setMetadata("a", changed);
        photos.setMetadata("a", changed, etag);
        photos.setMetadata(changed);
        assertThat(blobs.requested("PUT", "metadata")).hasSize(3).allSatisfy(put -> {
            assertThat(put.header("x-ms-meta-my-name")).isEqualTo("old");
            assertThat(put.header("x-ms-meta-empty")).isEmpty();
            assertThat(put.header("x-ms-meta-state")).isEqualTo("done");
        });

        int requested = blobs.requested().size();
        changed.put("my-name", "other");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> photos.setMetadata("a", changed))
                .withMessageContaining("'my-name' must be an identifier");
        changed.put("my-name", "old");
        changed.put("Empty2", "");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> photos.setMetadata("a", changed, etag))
                .withMessageContaining("'Empty2' is empty");
        assertThat(blobs.requested()).hasSize(requested + 2);
        changed.put("stowlinewrite", "x");
        assertThatIllegalArgumentException().isThrownBy(() -> photos.setMetadata("a", changed));
        assertThat(blobs.requested()).hasSize(requested + 2);
        blobs.respond(request -> BlobStubResponse.refusal(403, "AuthorizationPermissionMismatch"));
        changed.remove("stowlinewrite");
        assertThatIllegalArgumentException().isThrownBy(() -> photos.setMetadata("a", changed));
    }

    @Test
    @DisplayName("metadata that were read find a name in any case, and a name that a copy has twice is named with both"
            + " spellings")
    void findsNamesInAnyCase() {
        Map<String, String> read = photos.info("a").metadata();
        assertThat(read.get("state")).isEqualTo("new");
        assertThat(read.containsKey("EMPTY")).isTrue();
        assertThat(read).isEqualTo(Map.copyOf(read)).hasSameHashCodeAs(Map.copyOf(read));

        Map<String, String> changed = new HashMap<>(read);
        changed.remove("Empty");
        changed.put("state", "old");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> photos.setMetadata("a", changed))
                .withMessageContaining("there twice")
                .withMessageContaining("'State'")
                .withMessageContaining("'state'")
                .withMessageContaining("CASE_INSENSITIVE_ORDER");
        Map<String, String> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        sorted.putAll(read);
        sorted.put("state", "old");
        assertThat(sorted).hasSize(2);
    }
}
