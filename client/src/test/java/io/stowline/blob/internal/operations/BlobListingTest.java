package io.stowline.blob.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.BlobType;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobTree;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.ClosedException;
import io.stowline.error.NotFoundException;
import io.stowline.error.ProtocolException;
import io.stowline.error.ThrottledException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests of a listing, and its way through the service's pages. */
@Timeout(60)
class BlobListingTest {

    private static final Pattern MARKER = Pattern.compile("marker=m(\\d+)");

    private final StubBlobs blobs = new StubBlobs(request -> page(request, 10));
    private final BlobContainer photos = blobs.container();

    @AfterEach
    void close() {
        blobs.close();
    }

    /** Page n has the blobs 2n and 2n + 1, every third page has none. */
    private static BlobStubResponse page(StubRequest request, int pages) {
        Matcher marker = MARKER.matcher(request.query());
        int n = marker.find() ? Integer.parseInt(marker.group(1)) : 0;
        String items = n % 3 == 1 ? "" : blob(2 * n) + blob(2 * n + 1);
        if (request.query().contains("prefix=b%20x")) {
            items = items.replace("<Name>", "<Name>b x");
        }
        String next = n + 1 < pages ? "<NextMarker>m" + (n + 1) + "</NextMarker>" : "<NextMarker />";
        return xml("<Blobs>" + items + "</Blobs>" + next);
    }

    private static String blob(int n) {
        return "<Blob><Name>b" + n + "</Name><Properties><Creation-Time>Thu, 29 Feb 2024 12:00:00 GMT</Creation-Time>"
                + "<Last-Modified>Thu, 29 Feb 2024 12:00:00 GMT</Last-Modified><Etag>0x8D" + n + "</Etag>"
                + "<Content-Length>" + n + "</Content-Length><Content-Type>text/plain</Content-Type>"
                + "<Content-MD5>AAAAAAAAAAAAAAAAAAAAAA==</Content-MD5><BlobType>BlockBlob</BlobType></Properties>"
                + "<Metadata><owner>me</owner><stowlinewrite>7</stowlinewrite></Metadata></Blob>";
    }

    private static BlobStubResponse xml(String content) {
        return BlobStubResponse.of(200)
                .with("Content-Type", "application/xml")
                .body(("<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults ServiceEndpoint=\"http://x\" "
                                + "ContainerName=\"photos\">" + content + "</EnumerationResults>")
                        .getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @DisplayName(
            "MAP-5: a page whose marker is the one that it was asked for with ends the listing with a protocol error")
    void unchangedMarker() {
        try (StubBlobs endless = new StubBlobs(request -> xml("<Blobs></Blobs><NextMarker>m1</NextMarker>"));
                Stream<BlobInfo> all = endless.container().stream()) {
            assertThatThrownBy(all::count)
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("would never end");
        }
    }

    @Test
    @DisplayName("MAP-5: a page that repeats the last blob of the page before adds nothing for a transfer")
    void repeatedBlob() {
        try (StubBlobs stub = new StubBlobs(request -> xml(
                request.query().contains("marker=m1")
                        ? "<Blobs>" + blob(1) + blob(2) + "</Blobs><NextMarker />"
                        : "<Blobs>" + blob(0) + blob(1) + "</Blobs><NextMarker>m1</NextMarker>"))) {
            assertThat(new BlobListing(stub.scope())
                            .listed("")
                            .map(ListedBlob::name)
                            .collectList()
                            .block())
                    .containsExactly("b0", "b1", "b2");
        }
    }

    @Test
    @DisplayName("RETRY-7: a page that is refused after its exchange is named by both request ids")
    void namesTheRequestOfAPage() {
        for (String page : List.of(
                "<Blobs></Blobs><NextMarker>m1</NextMarker>",
                "<Blobs><BlobPrefix><Name>a</Name></BlobPrefix></Blobs>")) {
            try (StubBlobs stub = new StubBlobs(request -> xml(page));
                    Stream<BlobTree.Entry> level = stub.container().entries("a", "/")) {
                assertThatThrownBy(level::count).isInstanceOfSatisfying(ProtocolException.class, e -> assertThat(
                                List.of(e.failure().requestId(), e.failure().clientRequestId()))
                        .containsExactly(
                                "r-1",
                                stub.requested()
                                        .get(stub.requested().size() - 1)
                                        .header("x-ms-client-request-id")));
            }
        }
    }

    @Test
    @DisplayName("MAP-5: a listing whose markers come again after others ends with a protocol error")
    void markersInACircle() {
        AtomicInteger requested = new AtomicInteger();
        try (StubBlobs endless = new StubBlobs(request ->
                        xml("<Blobs></Blobs><NextMarker>m" + requested.incrementAndGet() % 2 + "</NextMarker>"));
                Stream<BlobInfo> all = endless.container().stream()) {
            assertThatThrownBy(all::count)
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("would never end");
            assertThat(requested).hasValueLessThan(10);
        }
    }

    @ParameterizedTest
    @DisplayName("MAP-5: a page with names that do not begin with the prefix ends the listing with a protocol error")
    @ValueSource(strings = {"b1", "c", "b0/"})
    void foreignNames(String prefix) {
        try (Stream<BlobInfo> all = photos.stream(prefix)) {
            assertThatThrownBy(all::count)
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("does not begin with the prefix");
        }
        try (Stream<BlobTree.Entry> all = photos.tree(prefix).walk()) {
            assertThatThrownBy(all::count).isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    @DisplayName("MAP-5: pages are followed to the last, empty ones too, and every one repeats the question")
    void followsPages() {
        try (Stream<BlobInfo> all = photos.stream("b x")) {
            assertThat(all.map(BlobInfo::name))
                    .hasSize(14)
                    .startsWith("b xb0", "b xb1", "b xb4")
                    .endsWith("b xb18", "b xb19");
        }
        assertThat(blobs.requested()).hasSize(10).allSatisfy(page -> assertThat(page.query())
                .contains("restype=container")
                .contains("comp=list")
                .contains("prefix=b%20x")
                .contains("include=copy%2Cmetadata")
                .contains("timeout=30"));
    }

    @ParameterizedTest
    @DisplayName("a listing whose reader pauses keeps no close waiting, and ends when its reader goes on")
    @ValueSource(ints = {1, 2, 3})
    void pausedReader(int read) {
        try (Stream<BlobInfo> all = photos.stream();
                Stream<BlobTree.Entry> walk = photos.tree("").walk()) {
            Iterator<BlobInfo> listed = all.iterator();
            Iterator<BlobTree.Entry> walked = walk.iterator();
            for (int i = 0; i < read; i++) {
                listed.next();
                walked.next();
            }

            assertThat(blobs.closing()).succeedsWithin(Duration.ofSeconds(20));

            assertThatThrownBy(() -> listed.forEachRemaining(item -> {})).isInstanceOf(ClosedException.class);
            assertThatThrownBy(() -> walked.forEachRemaining(item -> {})).isInstanceOf(ClosedException.class);
        }
    }

    @Test
    @DisplayName("MAP-5: a folder that has itself as a folder ends the walk with a protocol error")
    void folderInItself() {
        try (StubBlobs circle =
                        new StubBlobs(request -> xml("<Blobs><BlobPrefix><Name>a/</Name></BlobPrefix></Blobs>"));
                Stream<BlobTree.Entry> walk = circle.container().tree("").walk()) {
            assertThatThrownBy(walk::count)
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("a folder in itself");
        }
    }

    @Test
    @DisplayName("MAP-5: folders in folders without an end end the walk with a protocol error")
    void foldersWithoutAnEnd() {
        Pattern requested = Pattern.compile("prefix=([^&]*)");
        try (StubBlobs deeper = new StubBlobs(request -> {
                    Matcher prefix = requested.matcher(request.query());
                    String name = (prefix.find() ? prefix.group(1).replace("%2F", "/") : "") + "a".repeat(63) + "/";
                    return xml("<Blobs><BlobPrefix><Name>" + name + "</Name></BlobPrefix></Blobs>");
                });
                Stream<BlobTree.Entry> walk = deeper.container().tree("").walk()) {
            assertThatThrownBy(walk::count)
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("1024 characters");
        }
    }

    @Test
    @DisplayName("MAP-5: whoever stops reading stops the requests, and nothing is asked before the first is read")
    void stopsWithTheReader() {
        Stream<BlobInfo> all = photos.stream();
        assertThat(blobs.requested()).isEmpty();
        try (all) {
            assertThat(all.limit(3).map(BlobInfo::name)).containsExactly("b0", "b1", "b4");
        }
        photos.exists();

        assertThat(blobs.requested("GET", "list")).hasSizeLessThanOrEqualTo(5);
    }

    @Test
    void readsTheFacts() {
        try (Stream<BlobInfo> all = photos.stream()) {
            assertThat(all.skip(1).findFirst())
                    .contains(new BlobInfo(
                            "b1",
                            1,
                            "\"0x8D1\"",
                            Instant.parse("2024-02-29T12:00:00Z"),
                            BlobType.BLOCK_BLOB,
                            BlobHeaders.none().toBuilder()
                                    .contentType("text/plain")
                                    .build(),
                            "AAAAAAAAAAAAAAAAAAAAAA==",
                            Map.of("owner", "me")));
        }
    }

    private static String blob(String name, String properties, String version) {
        return "<Blob><Name>" + name + "</Name>" + version
                + "<Properties><Last-Modified>Thu, 29 Feb 2024 12:00:00 GMT</Last-Modified><Etag>0x8D1</Etag>"
                + "<Content-Length>1</Content-Length><BlobType>BlockBlob</BlobType>" + properties
                + "</Properties></Blob>";
    }

    @Test
    @DisplayName("B6: a listing, flat or by hierarchy, says tier and version where the service does")
    void readsTiersAndVersions() {
        blobs.respond(request -> xml("<Blobs>"
                + blob("a", "<AccessTier>Hot</AccessTier><AccessTierInferred>true</AccessTierInferred>", "")
                + blob(
                        "b",
                        "<AccessTier>Archive</AccessTier><AccessTierChangeTime>Thu, 29 Feb 2024 12:00:00 GMT"
                                + "</AccessTierChangeTime>",
                        "<VersionId>2024-02-29T12:00:00.1234567Z</VersionId><IsCurrentVersion>true</IsCurrentVersion>")
                + blob("c", "", "<VersionId></VersionId>")
                + blob("d", "<AccessTier>Frosty</AccessTier>", "") + "</Blobs><NextMarker/>"));

        List<BlobInfo> found;
        List<BlobInfo> level;
        try (Stream<BlobInfo> all = photos.stream();
                Stream<BlobTree.Entry> entries = photos.entries("", "/")) {
            found = all.toList();
            level = entries.map(BlobTree.Entry::info).toList();
        }
        assertThat(found)
                .extracting(BlobInfo::tier)
                .containsExactly(AccessTier.HOT, AccessTier.ARCHIVE, null, AccessTier.fromString("Frosty"));
        assertThat(found)
                .extracting(BlobInfo::versionId)
                .containsExactly(null, "2024-02-29T12:00:00.1234567Z", null, null);
        assertThat(level).isEqualTo(found);
    }

    @Test
    void readsOneLevel() {
        blobs.respond(request -> xml("<Prefix>2026/</Prefix><Delimiter>/</Delimiter><Blobs>" + blob("2026/b1", "", "")
                + "<BlobPrefix><Name>2026/may/</Name></BlobPrefix></Blobs><NextMarker />"));

        List<BlobTree.Entry> entries;
        try (Stream<BlobTree.Entry> level = photos.entries("2026/", "/")) {
            entries = level.toList();
        }
        assertThat(entries).extracting(BlobTree.Entry::name).containsExactlyInAnyOrder("2026/may/", "2026/b1");
        assertThat(entries)
                .filteredOn(BlobTree.Entry::isPrefix)
                .extracting(BlobTree.Entry::name)
                .containsExactly("2026/may/");
        assertThat(blobs.requested().get(0).query()).contains("delimiter=%2F").contains("prefix=2026%2F");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> photos.entries("", ""))
                .withMessageContaining("delimiter");
    }

    @Test
    @DisplayName("RETRY-7: a listing is an operation of ours: retried by the settings, failing with our errors")
    void failsWithOurErrors() {
        blobs.respond(request -> BlobStubResponse.refusal(404, "ContainerNotFound"));
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> photos.stream("b").forEach(blob -> {}))
                .satisfies(e -> assertThat(e.failure().operation()).isEqualTo("list"))
                .satisfies(e -> assertThat(e.failure().resource()).isEqualTo("photos/b"));

        blobs.respond(request -> BlobStubResponse.refusal(503, "ServerBusy"));
        assertThatExceptionOfType(ThrottledException.class)
                .isThrownBy(() -> photos.withRetry(r -> r.retries(2)).stream().forEach(blob -> {}))
                .satisfies(e -> assertThat(e.failure().attempts()).isEqualTo(3));
    }

    @Test
    void saysWhenItCannotReadAResponse() {
        blobs.respond(request -> BlobStubResponse.of(200).with("Content-Type", "application/xml"));

        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> photos.stream("b").forEach(blob -> {}))
                .satisfies(e -> assertThat(e.failure().operation()).isEqualTo("list"));
    }

    @Test
    @DisplayName(
            "WORLD-2: a length of less than no bytes is unknown; an entry without a name refuses its page with the reason")
    void unreadableEntries() {
        blobs.respond(request -> xml("<Blobs>" + blob(-2).replace("b-2", "b2") + "</Blobs><NextMarker />"));

        assertThat(photos.stream("b")).singleElement().satisfies(blob -> {
            assertThat(blob.name()).isEqualTo("b2");
            assertThat(blob.size()).isEqualTo(-1);
        });

        blobs.respond(request -> xml("<Blobs>" + blob(1).replace("b1", "") + "</Blobs><NextMarker />"));
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> photos.stream("b").forEach(blob -> {}))
                .withMessageContaining("list")
                .withMessageContaining("(an entry of the list has no name)");
    }

    @Test
    void whatTheApplicationAsksOfTheSdkFailsInTheSdksWay() {
        blobs.respond(request -> BlobStubResponse.refusal(404, "ContainerNotFound"));

        assertThatExceptionOfType(BlobStorageException.class)
                .isThrownBy(() -> photos.unwrap().listBlobs().blockLast());
    }

    @Test
    void reactiveReadersPull() {
        assertThat(photos.reactive().stream().map(BlobInfo::name).collectList().block())
                .hasSize(14);
        assertThat(photos.reactive().stream().map(BlobInfo::name).take(1).blockLast())
                .isEqualTo("b0");
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: a response that is no list of blobs is a protocol error, not an empty container")
    @ValueSource(strings = {"", "{}", "<EnumerationResults/>", "<EnumerationResults><Blobs>"})
    void respondsThatAreNoList(String content) {
        try (StubBlobs gateway = new StubBlobs(
                        request -> BlobStubResponse.of(200).body(content.getBytes(StandardCharsets.UTF_8)));
                Stream<BlobInfo> all = gateway.container().stream()) {
            assertThatThrownBy(all::count).isInstanceOf(ProtocolException.class).hasMessageContaining("list photos");
        }
    }
}
