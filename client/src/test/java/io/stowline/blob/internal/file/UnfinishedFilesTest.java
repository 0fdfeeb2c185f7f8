package io.stowline.blob.internal.file;

import static io.stowline.blob.internal.base.StubBlobs.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.DownloadSettings.FileDownload;
import io.stowline.blob.TransferReport;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.base.SmallDisk;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.StorageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The removal of killed downloads' files by a download of a directory. */
@Timeout(60)
class UnfinishedFilesTest {

    private static final int RANGE = 64 << 10;

    private final StoredBlob stored = new StoredBlob(new byte[3 * RANGE]);
    private final StubBlobs blobs = new StubBlobs(stored);
    private final BlobContainer photos = blobs.container().withRetry(with -> with.retries(0));

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        blobs.close();
    }

    private static DownloadSettings.Builder ranges(DownloadSettings.Builder with) {
        return with.rangeSize(RANGE).parallelism(1);
    }

    /** Leaves what a download leaves that ends in its second range. */
    private void leave(String blob, String file) throws IOException {
        Files.createDirectories(folder.resolve(file).getParent());
        blobs.respond(requested -> requested.header("x-ms-range").startsWith("bytes=" + RANGE + "-")
                ? BlobStubResponse.refusal(403, "AuthorizationFailure")
                : stored.apply(requested));
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> photos.downloadTo(blob, folder.resolve(file), UnfinishedFilesTest::ranges));
    }

    private static void age(Path file) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofHours(25))));
    }

    private List<Path> unfinished() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.getFileName().toString().startsWith(".stowline-"))
                    .toList();
        }
    }

    /** A directory of one blob. */
    private Function<StubRequest, BlobStubResponse> directory() {
        String xml = "<?xml version=\"1.0\""
                + " encoding=\"utf-8\"?><EnumerationResults><Blobs><Blob><Name>d/a</Name><Properties><Last-Modified>Thu,"
                + " 29 Feb 2024 12:00:00 GMT</Last-Modified><Etag>v1</Etag><Content-Length>1</Content-Length>"
                + "<BlobType>BlockBlob</BlobType></Properties></Blob></Blobs><NextMarker/></EnumerationResults>";
        return requested -> requested.query().contains("comp=list")
                ? BlobStubResponse.of(200)
                        .with("Content-Type", "application/xml")
                        .body(xml.getBytes(StandardCharsets.UTF_8))
                : stored.apply(requested);
    }

    private TransferReport download(UnaryOperator<DirectorySettings.Builder> settings) {
        blobs.respond(directory());
        return photos.downloadDirectory("d", folder, with -> settings.apply(with.overwrite(Overwrite.ALWAYS)))
                .join();
    }

    @Test
    @DisplayName("TRANSFER-2: what killed downloads of a directory have left goes when it is downloaded, and is named")
    void removesItsOwn() throws IOException {
        leave("d/gone", "gone");
        leave("d/b/gone", "b/gone");
        assertThat(unfinished()).hasSize(4);

        assertThat(download(with -> with).deleted()).isZero();
        assertThat(unfinished()).hasSize(4);

        List<Item> items = new CopyOnWriteArrayList<>();
        TransferReport dry = download(with -> with.removeUnfinished().dryRun().eachItem(items::add));
        assertThat(dry.deleted()).isEqualTo(2);
        assertThat(unfinished()).hasSize(4);
        assertThat(items)
                .filteredOn(item -> item.action() == Action.DELETED)
                .extracting(Item::name)
                .hasSize(2)
                .anyMatch(name -> name.startsWith(".stowline-"))
                .anyMatch(name -> name.startsWith("b/.stowline-"));

        assertThat(download(with -> with.removeUnfinished()).deleted()).isEqualTo(2);
        assertThat(unfinished()).isEmpty();
        assertThat(folder.resolve("a")).exists();
    }

    @Test
    @DisplayName("TRANSFER-2: a folder that cannot be looked through for them is skipped, and named")
    void closedFolders() throws IOException {
        leave("d/b/gone", "b/gone");
        SmallDisk disk = new SmallDisk();
        disk.closes("b");
        blobs.respond(directory());
        List<Item> items = new CopyOnWriteArrayList<>();

        TransferReport report = photos.downloadDirectory("d", disk.on(folder), with -> with.overwrite(Overwrite.ALWAYS)
                        .removeUnfinished()
                        .eachItem(items::add))
                .join();

        assertThat(report.skipped()).isOne();
        assertThat(items)
                .filteredOn(item -> item.name().equals("b"))
                .singleElement()
                .satisfies(item -> assertThat(item.error()).isInstanceOf(AccessDeniedException.class));
        assertThat(unfinished()).hasSize(2);
    }

    @Test
    @DisplayName("TRANSFER-2: a mirror has no unfinished files")
    void mirrors() throws IOException {
        leave("d/gone", "gone");

        assertThat(download(with -> with.mirror()).deleted()).isOne();
        assertThat(unfinished()).isEmpty();
    }

    @Test
    @DisplayName("TRANSFER-2: what other downloads have left goes after a day without a change")
    void removesWhatIsOld() throws IOException {
        leave("other/x", "x");
        Path part = Files.writeString(folder.resolve(".stowline-00000000000000b2.part"), "1");
        Files.writeString(folder.resolve("mine.part"), "1");

        assertThat(download(with -> with.removeUnfinished()).deleted()).isZero();
        assertThat(unfinished()).hasSize(3);

        age(part);
        assertThat(download(with -> with.removeUnfinished()).deleted()).isOne();
        assertThat(unfinished()).hasSize(2);
        for (Path file : unfinished()) {
            age(file);
        }
        assertThat(download(with -> with.removeUnfinished()).deleted()).isOne();
        assertThat(unfinished()).isEmpty();
        assertThat(folder.resolve("mine.part")).exists();
    }

    @Test
    @DisplayName("TRANSFER-2: files whose names only begin like those of downloads stay, however old they are")
    void keepsOtherFiles() throws IOException {
        for (String name : List.of(
                ".stowline-notes.txt",
                ".stowline-",
                ".stowline-0b2.part",
                ".stowline-000000000000000B.part",
                ".stowline-00000000000000b2.part.bak",
                ".stowline-00000000000000b2.state",
                ".stowline-key.state")) {
            age(Files.writeString(folder.resolve(name), "mine"));
        }
        int all = unfinished().size();

        assertThat(download(with -> with.mirror()).deleted()).isZero();
        assertThat(unfinished()).hasSize(all);
    }

    @Test
    @DisplayName(
            "TRANSFER-2: the patterns hold for unfinished files, by their blob, or by their own place if it is unknown")
    void heedsPatterns() throws IOException {
        leave("d/keep/gone", "keep/gone");
        leave("d/go/gone", "go/gone");
        for (String sub : List.of("keep", "go")) {
            age(Files.writeString(folder.resolve(sub + "/.stowline-00000000000000b2.part"), "1"));
        }
        for (Path file : unfinished()) {
            age(file);
        }

        TransferReport dry = download(with -> with.mirror().exclude("keep/**").dryRun());
        TransferReport real = download(with -> with.mirror().exclude("keep/**"));

        assertThat(dry.deleted()).isEqualTo(real.deleted()).isEqualTo(2);
        assertThat(unfinished()).hasSize(3).allMatch(file -> file.startsWith(folder.resolve("keep")));
        assertThat(download(with -> with.removeUnfinished().include("keep/gone"))
                        .deleted())
                .isOne();
        assertThat(unfinished()).hasSize(1);
    }

    @Test
    @DisplayName("TRANSFER-2: a download that runs keeps its files, whatever their age")
    void keepsWhatIsInUse() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch reached = new CountDownLatch(1);
        blobs.respond(requested -> {
            if (requested.header("x-ms-range").startsWith("bytes=" + RANGE + "-")) {
                reached.countDown();
                await(held);
            }
            return stored.apply(requested);
        });
        CompletableFuture<FileDownload> running = photos.reactive()
                .downloadTo("d/gone", folder.resolve("gone"), UnfinishedFilesTest::ranges)
                .toFuture();
        await(reached);
        for (Path file : unfinished()) {
            age(file);
        }

        assertThat(download(with -> with.removeUnfinished()).deleted()).isZero();
        held.countDown();

        running.get(30, TimeUnit.SECONDS);
        assertThat(Files.size(folder.resolve("gone"))).isEqualTo(3L * RANGE);
        assertThat(unfinished()).isEmpty();
    }

    @Test
    @DisplayName("TRANSFER-2: where a blob has failed, its part stays, and all others")
    void keepsAllAfterAFailure() throws IOException {
        leave("d/gone", "gone");
        Files.createDirectory(folder.resolve("a"));

        TransferReport report = download(with -> with.removeUnfinished().collectFailures());

        assertThat(report.failed()).isOne();
        assertThat(unfinished()).hasSize(2);
    }

    @Test
    @DisplayName("TRANSFER-2: a look changes no file and no time, so that what is left grows old")
    void looksOnly() throws IOException {
        leave("other/x", "x");
        FileTime before =
                FileTime.from(Instant.now().minus(Duration.ofHours(20)).truncatedTo(ChronoUnit.SECONDS));
        for (Path file : unfinished()) {
            Files.setLastModifiedTime(file, before);
        }
        Path state = unfinished().stream()
                .filter(file -> file.toString().endsWith(".state"))
                .findFirst()
                .orElseThrow();
        String text = Files.readString(state);

        assertThat(download(with -> with.removeUnfinished().dryRun()).deleted()).isZero();
        assertThat(download(with -> with.mirror().include("a")).deleted()).isZero();

        assertThat(state).hasContent(text);
        assertThat(unfinished()).hasSize(2).allSatisfy(file -> assertThat(Files.getLastModifiedTime(file))
                .isEqualTo(before));
    }

    @Test
    @DisplayName("TRANSFER-4: a dry run does not name the files with which the transfer would go on")
    void namesWhatWouldGo() throws IOException {
        leave("d/a", "a");
        leave("d/gone", "gone");

        TransferReport dry = download(with -> with.removeUnfinished().dryRun());
        TransferReport real = download(with -> with.removeUnfinished());

        assertThat(dry.deleted()).isEqualTo(real.deleted()).isOne();
        assertThat(unfinished()).isEmpty();
    }
}
