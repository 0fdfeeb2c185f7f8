package io.stowline.blob.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.storage.blob.models.AccessTier;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobRevision;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.ConflictException;
import io.stowline.transport.ReadOrigin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots and versions on the wire. */
@Timeout(60)
class RevisionOperationsTest {

    private static final String TIME = "2026-05-01T10:20:30.1234567Z";
    private static final String ENCODED = "2026-05-01T10%3A20%3A30.1234567Z";

    private final StubBlobs blobs = new StubBlobs(requested -> BlobStubResponse.of(202));
    private final BlobContainer photos = blobs.container();

    @AfterEach
    void close() {
        blobs.close();
    }

    private StubRequest last() {
        return blobs.requested().get(blobs.requested().size() - 1);
    }

    @Test
    @DisplayName("B6: a snapshot is taken and read by its id")
    void snapshots() {
        blobs.respond(requested -> BlobStubResponse.of(201).with("x-ms-snapshot", TIME));
        BlobRevision taken = photos.snapshot("a b");
        assertThat(last().query()).contains("comp=snapshot");
        assertThat(taken.id()).isEqualTo(TIME);
        assertThat(taken.isSnapshot()).isTrue();
        assertThat(taken.listed()).isEmpty();
        assertThat(taken).hasToString("BlobRevision[photos/a b?snapshot=" + ENCODED + "]");
        assertThat(photos.reactive().snapshot("a b").block().id()).isEqualTo(TIME);
    }

    @Test
    @DisplayName("B6: all reads of a revision read the revision, in all their requests")
    void reads(@TempDir Path folder) throws IOException {
        byte[] content = new byte[100];
        blobs.respond(new StoredBlob(content).md5(null));
        for (BlobRevision kept : List.of(photos.snapshotOf("a", TIME), photos.versionOf("a", TIME))) {
            String parameter = kept.isSnapshot() ? "snapshot=" : "versionid=";
            blobs.requested().clear();
            assertThat(kept.download()).isEqualTo(content);
            assertThat(kept.download(o -> o.range(10, 20))).hasSize(20);
            assertThat(kept.downloadTo(folder.resolve("a"), o -> o.rangeSize(64 << 10))
                            .blob()
                            .size())
                    .isEqualTo(100);
            try (InputStream in = kept.open()) {
                assertThat(in.readAllBytes()).isEqualTo(content);
            }
            assertThat(kept.info()).extracting(BlobInfo::name).isEqualTo("a");
            assertThat(kept.reactive().download().block()).isEqualTo(content);
            assertThat(kept.reactive().open().map(part -> part.remaining()).blockLast())
                    .isEqualTo(100);
            assertThat(blobs.requested())
                    .hasSizeGreaterThanOrEqualTo(7)
                    .allSatisfy(requested -> assertThat(requested.query()).contains(parameter + ENCODED));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> photos.versionOf("a", ""));
    }

    @Test
    @DisplayName("B6: properties say tier and version, a download says the version, and a revision says both")
    void tiersAndVersions(@TempDir Path folder) {
        StoredBlob stored = new StoredBlob(new byte[100]);
        blobs.respond(requested -> {
            BlobStubResponse response = stored.apply(requested).with("x-ms-version-id", TIME);
            return requested.method().equals("HEAD") ? response.with("x-ms-access-tier", "Cool") : response;
        });
        BlobInfo facts = photos.info("a");
        assertThat(facts.tier()).isEqualTo(AccessTier.COOL);
        assertThat(facts.versionId()).isEqualTo(TIME);
        assertThat(facts.withOrigin(ReadOrigin.primary())).isEqualTo(facts);
        BlobInfo read = photos.downloadTo("a", folder.resolve("a"));
        assertThat(read.tier()).isNull();
        assertThat(read.versionId()).isEqualTo(TIME);

        blobs.respond(requested -> BlobStubResponse.of(200)
                .with("Content-Type", "application/xml")
                .body(("<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Blobs>"
                                + item("a", "<VersionId>3</VersionId>")
                                        .replace("</Properties>", "<AccessTier>Cold</AccessTier></Properties>")
                                + "</Blobs><NextMarker/></EnumerationResults>")
                        .getBytes(StandardCharsets.UTF_8)));
        try (Stream<BlobRevision> all = photos.revisions("a")) {
            assertThat(all.map(found -> found.listed().orElseThrow()))
                    .singleElement()
                    .satisfies(info -> assertThat(info.tier()).isEqualTo(AccessTier.COLD))
                    .satisfies(info -> assertThat(info.versionId()).isEqualTo("3"));
        }
    }

    @Test
    @DisplayName("B6: the revisions of a blob are listed, and those of other blobs are not")
    void lists() {
        blobs.respond(requested -> BlobStubResponse.of(200)
                .with("Content-Type", "application/xml")
                .body(("<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Blobs>"
                                + item("a", "<Snapshot>" + TIME + "</Snapshot>")
                                + item("a", "<Snapshot>2</Snapshot><Deleted>true</Deleted>")
                                + item("a", "<VersionId>3</VersionId>")
                                + item("a", "<VersionId>4</VersionId><IsCurrentVersion>true</IsCurrentVersion>")
                                + item("a", "")
                                + item("ab", "<VersionId>5</VersionId>")
                                + "</Blobs><NextMarker>more</NextMarker></EnumerationResults>")
                        .getBytes(StandardCharsets.UTF_8)));
        List<BlobRevision> found;
        try (Stream<BlobRevision> all = photos.revisions("a")) {
            found = all.toList();
        }
        assertThat(found).extracting(BlobRevision::id).containsExactly(TIME, "2", "3", "4");
        assertThat(found).extracting(BlobRevision::isSnapshot).containsExactly(true, true, false, false);
        assertThat(found).extracting(BlobRevision::deleted).containsExactly(false, true, false, false);
        assertThat(found).extracting(BlobRevision::current).containsExactly(false, false, false, true);
        assertThat(found.get(0).listed()).get().extracting(BlobInfo::size).isEqualTo(7L);
        assertThat(blobs.requested()).hasSize(1);
        assertThat(last().query())
                .contains("include=")
                .contains("snapshots")
                .contains("versions")
                .contains("deleted")
                .contains("prefix=a");
    }

    private static String item(String name, String more) {
        return "<Blob><Name>" + name + "</Name>" + more
                + "<Properties><Last-Modified>Thu, 29 Feb 2024 12:00:00 GMT</Last-Modified><Etag>0x1</Etag>"
                + "<Content-Length>7</Content-Length><BlobType>BlockBlob</BlobType></Properties></Blob>";
    }

    @Test
    @DisplayName("B6: blobs are deleted with their snapshots, without them, and brought back")
    void deletes() {
        photos.deleteWithSnapshots("a");
        assertThat(last().header("x-ms-delete-snapshots")).isEqualTo("include");
        photos.deleteSnapshots("a");
        assertThat(last().header("x-ms-delete-snapshots")).isEqualTo("only");
        photos.snapshotOf("a", TIME).delete();
        assertThat(last().query()).contains("snapshot=" + ENCODED);
        assertThat(last().method()).isEqualTo("DELETE");

        blobs.respond(requested -> BlobStubResponse.of(200));
        photos.undelete("a");
        assertThat(last().query()).contains("comp=undelete");

        blobs.respond(requested -> BlobStubResponse.refusal(409, "SnapshotsPresent"));
        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> photos.delete("a"));
    }
}
