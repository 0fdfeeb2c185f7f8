package io.stowline.blob.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.BlobType;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobEntry;
import io.stowline.blob.BlobFacts;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.internal.StubBlobs.Asked;
import io.stowline.blob.internal.StubBlobs.Told;
import io.stowline.error.NotFoundException;
import io.stowline.error.ProtocolException;
import io.stowline.error.ThrottledException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a listing asks for, and how it follows the service's pages. */
@Timeout(60)
class ListTest {

    private static final Pattern MARKER = Pattern.compile("marker=m(\\d+)");

    private final StubBlobs blobs = new StubBlobs(request -> page(request, 10));
    private final BlobContainer photos = blobs.container();

    @AfterEach
    void close() {
        blobs.close();
    }

    /** Page n has the blobs 2n and 2n + 1, every third page has none. */
    private static Told page(Asked request, int pages) {
        Matcher marker = MARKER.matcher(request.query());
        int n = marker.find() ? Integer.parseInt(marker.group(1)) : 0;
        String items = n % 3 == 1 ? "" : blob(2 * n) + blob(2 * n + 1);
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

    private static Told xml(String content) {
        return Told.of(200)
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
                Stream<BlobFacts> all = endless.container().list()) {
            assertThatThrownBy(all::count)
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("would never end");
        }
    }

    @Test
    @DisplayName("MAP-5: pages are followed to the last, empty ones too, and every one repeats the question")
    void followsPages() {
        try (Stream<BlobFacts> all = photos.list("b x")) {
            assertThat(all.map(BlobFacts::name))
                    .hasSize(14)
                    .startsWith("b0", "b1", "b4")
                    .endsWith("b18", "b19");
        }
        assertThat(blobs.asked()).hasSize(10).allSatisfy(page -> assertThat(page.query())
                .contains("restype=container")
                .contains("comp=list")
                .contains("prefix=b%20x")
                .contains("include=metadata")
                .contains("timeout=30"));
    }

    @Test
    @DisplayName("MAP-5: whoever stops reading stops the requests, and nothing is asked before the first is read")
    void stopsWithTheReader() {
        Stream<BlobFacts> all = photos.list();
        assertThat(blobs.asked()).isEmpty();
        try (all) {
            assertThat(all.limit(3).map(BlobFacts::name)).containsExactly("b0", "b1", "b4");
        }
        photos.exists();

        assertThat(blobs.asked("GET", "list")).hasSizeLessThanOrEqualTo(5);
    }

    @Test
    void readsTheFacts() {
        try (Stream<BlobFacts> all = photos.list()) {
            assertThat(all.skip(1).findFirst())
                    .contains(new BlobFacts(
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

    @Test
    void readsOneLevel() {
        blobs.answer(request -> xml("<Prefix>2026/</Prefix><Delimiter>/</Delimiter><Blobs>" + blob(1)
                + "<BlobPrefix><Name>2026/may/</Name></BlobPrefix></Blobs><NextMarker />"));

        List<BlobEntry> entries;
        try (Stream<BlobEntry> level = photos.listByHierarchy("2026/", "/")) {
            entries = level.toList();
        }
        assertThat(entries).extracting(BlobEntry::name).containsExactlyInAnyOrder("2026/may/", "b1");
        assertThat(entries)
                .filteredOn(BlobEntry::isPrefix)
                .extracting(BlobEntry::name)
                .containsExactly("2026/may/");
        assertThat(blobs.asked().get(0).query()).contains("delimiter=/").contains("prefix=2026/");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> photos.listByHierarchy("", ""))
                .withMessageContaining("delimiter");
    }

    @Test
    @DisplayName("RETRY-7: a listing is an operation of ours: retried by the settings, failing with our errors")
    void failsWithOurErrors() {
        blobs.answer(request -> Told.refusal(404, "ContainerNotFound"));
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> photos.list("b").forEach(blob -> {}))
                .satisfies(e -> assertThat(e.failure().operation()).isEqualTo("list"))
                .satisfies(e -> assertThat(e.failure().resource()).isEqualTo("photos/b"));

        blobs.answer(request -> Told.refusal(503, "ServerBusy"));
        assertThatExceptionOfType(ThrottledException.class)
                .isThrownBy(() -> photos.retry(r -> r.retries(2)).list().forEach(blob -> {}))
                .satisfies(e -> assertThat(e.failure().attempts()).isEqualTo(3));
    }

    @Test
    void saysWhenItCannotReadAnAnswer() {
        blobs.answer(request -> Told.of(200).with("Content-Type", "application/xml"));

        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> photos.list("b").forEach(blob -> {}))
                .satisfies(e -> assertThat(e.failure().operation()).isEqualTo("list"));
    }

    @Test
    void whatTheApplicationAsksOfTheSdkFailsInTheSdksWay() {
        blobs.answer(request -> Told.refusal(404, "ContainerNotFound"));

        assertThatExceptionOfType(BlobStorageException.class)
                .isThrownBy(() -> photos.unwrap().listBlobs().blockLast());
    }

    @Test
    void reactiveReadersPull() {
        assertThat(photos.reactive().list().map(BlobFacts::name).collectList().block())
                .hasSize(14);
        assertThat(photos.reactive().list().map(BlobFacts::name).take(1).blockLast())
                .isEqualTo("b0");
    }
}
