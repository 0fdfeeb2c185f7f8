package io.stowline.blob.internal.download;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.ContainerInfo;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.internal.base.BlobBench;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.file.DownloadTo;
import io.stowline.blob.internal.operations.BlobListing;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.operations.ContainerOperations;
import io.stowline.blob.internal.range.BlobPiece;
import io.stowline.blob.internal.range.RangeSource;
import io.stowline.blob.internal.range.RangeSource.RangeTarget;
import io.stowline.retry.Backoff;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.http.FakeWire;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BlobSecondaryTest {

    private static final String STATS = "<LastSyncTime>Thu, 29 Feb 2024 11:55:00 GMT</LastSyncTime>";
    private static final ReadOrigin THERE = new ReadOrigin(true, Instant.parse("2024-02-29T11:55:00Z"));

    private final BlobBench bench = new BlobBench(
            settings -> settings.backoff(Backoff.fixed(Duration.ofMillis(1))).deadline(Duration.ofDays(1)));
    private final FakeWire wire = bench.wire();
    private final BlobContext context = bench.scope().with(ReadFrom.SECONDARY_AFTER_PRIMARY);

    private BlobBench failsThere() {
        bench.refuses(503, "ServerBusy");
        wire.responds(200, STATS);
        return bench;
    }

    private BlobBench shows() {
        return bench.shows(BlobBench.OLD, BlobBench.OLD, "Content-Length", "3");
    }

    private BlobBench gives(String bytes, int from, int total) {
        String range = "bytes " + from + "-" + (from + bytes.length() - 1) + "/" + total;
        wire.responds(
                206,
                bytes,
                "ETag",
                "\"e1\"",
                "Last-Modified",
                BlobBench.date(BlobBench.OLD),
                "x-ms-blob-type",
                "BlockBlob",
                "Content-Length",
                "" + bytes.length(),
                "Content-Range",
                range);
        return bench;
    }

    @Test
    @DisplayName("RETRY-10: a blob's facts may come from the secondary and say so")
    void findsThere() throws Exception {
        failsThere();
        shows();

        assertThat(bench.start(new BlobOperations(context).find("cat")).value().origin())
                .isEqualTo(THERE);
        assertThat(wire.places()).containsExactly("primary", "stats", "secondary");
    }

    @Test
    @DisplayName("RETRY-10: a container's properties may come from the secondary and say so")
    void describesTheContainerThere() throws Exception {
        failsThere();
        bench.responds(200, "ETag", "\"c1\"", "Last-Modified", BlobBench.date(BlobBench.OLD), "x-ms-meta-team", "blue");

        assertThat(bench.start(new ContainerOperations(context).info()).value())
                .isEqualTo(new ContainerInfo("\"c1\"", BlobBench.OLD, Map.of("team", "blue"), THERE));
    }

    @Test
    @DisplayName("RETRY-10: a blob that the secondary does not have is looked for at the primary again")
    void looksAgainAtThePrimary() throws Exception {
        failsThere().refuses(404, "BlobNotFound");
        shows();

        assertThat(bench.start(new BlobOperations(context).info("cat")).value().origin())
                .isEqualTo(ReadOrigin.primary());
        assertThat(wire.places()).containsExactly("primary", "stats", "secondary", "primary");
    }

    @Test
    @DisplayName("RETRY-10: headers are changed by what the primary says, whatever the view reads from")
    void changesWhatThePrimaryHas() throws Exception {
        bench.refuses(503, "ServerBusy");
        shows();
        bench.responds(200);

        bench.start(new BlobOperations(context).setHeaders("cat", headers -> headers.contentType("a/b")))
                .value();

        assertThat(wire.places()).containsExactly("primary", "primary", "primary");
    }

    @Test
    @DisplayName("RETRY-10: a listing says of each page where it came from, and stays there")
    void listsThere() throws Exception {
        failsThere();
        String blob = "<Blob><Name>b</Name><Properties><Last-Modified>Thu, 29 Feb 2024 12:00:00 GMT</Last-Modified>"
                + "<Etag>0x8D</Etag><Content-Length>1</Content-Length><BlobType>BlockBlob</BlobType></Properties></Blob>";
        String open = "<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults ContainerName=\"photos\"><Blobs>"
                + blob + "</Blobs>";
        wire.responds(200, open + "<NextMarker>m</NextMarker></EnumerationResults>", "Content-Type", "application/xml");
        bench.refuses(503, "ServerBusy");
        wire.responds(200, open + "<NextMarker/></EnumerationResults>", "Content-Type", "application/xml");

        assertThat(bench.start(new BlobListing(context).flat("").collectList()).value())
                .extracting(BlobInfo::origin)
                .containsExactly(THERE, THERE);
        assertThat(wire.places()).containsExactly("primary", "stats", "secondary", "secondary", "secondary");
    }

    @Test
    @DisplayName("RETRY-10: a range is read from the other place only in the version that was found first")
    void readsTheSameVersion() throws Exception {
        failsThere();
        gives("abc", 0, 9).refuses(503, "ServerBusy").refuses(412, "ConditionNotMet");
        gives("def", 3, 9);
        RangeSource reader = new RangeSource(context, "cat", "downloadTo");

        BlobPiece first = bench.start(
                        reader.first(0, 3, context.service().memory().share(), null))
                .value();
        BlobPiece second = bench.start(reader.read(3, 3, first.version(), RangeTarget.Choice.MEMORY))
                .value();

        assertThat(new String(second.bytes(), StandardCharsets.UTF_8)).isEqualTo("def");
        assertThat(first.info().origin()).isEqualTo(THERE);
        assertThat(wire.places()).containsExactly("primary", "stats", "secondary", "secondary", "primary", "secondary");
        assertThat(wire.sent().subList(3, 6))
                .extracting(sent -> sent.header("If-Match"))
                .containsOnly("\"e1\"");
    }

    @Test
    @DisplayName("RETRY-10: a download's facts are those of its first response")
    void tellsWhereADownloadBegan() {
        failsThere();
        gives("abc", 0, 3);
        ByteArrayOutputStream target = new ByteArrayOutputStream();

        BlobInfo info = new DownloadTo(context, "cat", DownloadSettings.defaults()).stream(target);

        assertThat(target).hasToString("abc");
        assertThat(info.origin()).isEqualTo(THERE);
    }

    @Test
    @DisplayName("RETRY-10: bytes that cannot say where they came from come from the primary")
    void readsBytesAtThePrimary() throws Exception {
        bench.refuses(503, "ServerBusy");
        gives("abc", 0, 3);

        assertThat(bench.start(new Download(context).whole("cat", DownloadSettings.defaults()))
                        .value())
                .hasSize(3);
        assertThat(wire.places()).containsExactly("primary", "primary");
    }
}
