package io.stowline.blob.internal.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.storage.blob.models.CopyStatusType;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.caching.Freshness;
import io.stowline.error.ConflictException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads of blobs onto which a server-side copy goes on, or has ended without success. */
@Timeout(60)
class CopyTargetTest {

    private final StoredBlob stored = new StoredBlob(new byte[0]);
    private final StubBlobs blobs = new StubBlobs(stored);
    private final BlobContainer photos = blobs.container();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        blobs.close();
    }

    private Map<String, Runnable> reads(Path file) {
        Map<String, Runnable> reads = new LinkedHashMap<>();
        reads.put("download", () -> photos.download("a"));
        reads.put("range", () -> photos.download("a", o -> o.range(0, 5)));
        reads.put("downloadTo stream", () -> photos.downloadTo("a", new ByteArrayOutputStream()));
        reads.put("downloadTo file", () -> photos.downloadTo("a", file));
        reads.put("open", () -> closing(photos.open("a")));
        reads.put("channel", () -> closing(photos.channel("a")));
        reads.put("reactive open", () -> photos.reactive().open("a").blockLast());
        reads.put("reactive downloadTo", () -> photos.reactive()
                .downloadTo("a", new ByteArrayOutputStream())
                .block());
        reads.put("cached", () -> photos.cached(Freshness.fresh(Duration.ofSeconds(1)))
                .download("a"));
        return reads;
    }

    private static void closing(AutoCloseable opened) {
        try (opened) {
            assertThat(opened).isNotNull();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"pending, 0", "pending, 100", "failed, 0", "aborted, 0"})
    @DisplayName("TRANSFER-2: a blob whose content a copy has not made is an error of each read, never an empty blob")
    void refusesContentThatIsNotThere(String status, int length) throws IOException {
        stored.copyStatus(status).changeTo(new byte[length], "\"v2\"");
        Path file = Files.writeString(folder.resolve("a"), "before");

        reads(file).forEach((verb, read) -> assertThatExceptionOfType(ConflictException.class)
                .as(verb)
                .isThrownBy(read::run)
                .withMessageContaining("target of a server-side copy, which is " + status));
        assertThat(file).hasContent("before");
        assertThat(folder).isDirectoryContaining(path -> path.equals(file));
        assertThat(blobs.memory().now()).isZero();
        assertThat(photos.info("a").copyStatus()).isEqualTo(CopyStatusType.fromString(status));
        assertThat(photos.exists("a")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"success, 0", "success, 100", "failed, 100", "aborted, 100"})
    @DisplayName("what a copy has made, and what was written after it, is read as usual")
    void readsWhatIsThere(String status, int length) {
        stored.copyStatus(status).md5(null).changeTo(new byte[length], "\"v2\"");

        Consumer<Runnable> run = Runnable::run;
        reads(folder.resolve("a")).values().forEach(run);
        assertThat(photos.download("a")).hasSize(length);
        assertThat(photos.info("a").copyStatus()).isEqualTo(CopyStatusType.fromString(status));
    }

    @Test
    @DisplayName("listings and cached properties show the status of a copy")
    void listsTheStatus() {
        blobs.respond(request -> request.is("GET", "list")
                ? BlobStubResponse.of(200)
                        .with("Content-Type", "application/xml")
                        .body(("<EnumerationResults><Blobs>" + blob("a", "") + blob("b", "pending")
                                        + blob("c", "aborted") + "</Blobs><NextMarker/></EnumerationResults>")
                                .getBytes(StandardCharsets.UTF_8))
                : stored.apply(request));
        stored.copyStatus("failed");

        try (Stream<BlobInfo> all = photos.stream()) {
            assertThat(all)
                    .extracting(BlobInfo::copyStatus)
                    .containsExactly(null, CopyStatusType.PENDING, CopyStatusType.ABORTED);
        }
        assertThat(photos.cached(Freshness.fresh(Duration.ofSeconds(1)))
                        .info("a")
                        .get()
                        .copyStatus())
                .isEqualTo(CopyStatusType.FAILED);
        assertThat(blobs.requested("GET", "list").get(0).query()).contains("copy");
    }

    private static String blob(String name, String status) {
        return "<Blob><Name>" + name + "</Name><Properties><Last-Modified>Thu, 29 Feb 2024 12:00:00 GMT</Last-Modified>"
                + "<Etag>0x8D1</Etag><Content-Length>0</Content-Length><BlobType>BlockBlob</BlobType>"
                + (status.isEmpty() ? "" : "<CopyStatus>" + status + "</CopyStatus>") + "</Properties></Blob>";
    }
}
