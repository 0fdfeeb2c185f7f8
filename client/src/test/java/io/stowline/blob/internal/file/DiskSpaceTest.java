package io.stowline.blob.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.CachedContainer;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.DownloadSettings.FileDownload;
import io.stowline.blob.TransferFailedException;
import io.stowline.blob.TransferReport;
import io.stowline.blob.internal.base.DroppedErrors;
import io.stowline.blob.internal.base.SmallDisk;
import io.stowline.blob.internal.base.SmallDisk.Refused;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.caching.Freshness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Downloads to a disk that becomes full at one point or another. */
@Timeout(60)
class DiskSpaceTest {

    private static final int RANGE = 64 << 10;
    private static final int LENGTH = 10 * RANGE + 17;
    private static final String PART = ".part";
    private static final String STATE = ".state";
    private static final UnaryOperator<DownloadSettings.Builder> RANGES = with -> with.rangeSize(RANGE);

    private final SmallDisk disk = new SmallDisk();
    private final byte[] content = new byte[LENGTH];
    private final StubBlobs blobs;
    private final BlobContainer photos;

    @RegisterExtension
    private final DroppedErrors dropped = new DroppedErrors();

    @TempDir
    private Path folder;

    DiskSpaceTest() {
        new Random(3).nextBytes(content);
        blobs = new StubBlobs(new StoredBlob(content));
        photos = blobs.container().withRetry(with -> with.retries(0));
    }

    @BeforeEach
    void needsPosix() {
        assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("posix"));
    }

    @AfterEach
    void close() {
        blobs.close();
    }

    private static DownloadSettings.Builder whole(DownloadSettings.Builder with) {
        return with.rangeSize(1 << 20);
    }

    private Path target() {
        return folder.resolve("a");
    }

    private List<Path> leftovers() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.getFileName().toString().startsWith(".stowline-"))
                    .toList();
        }
    }

    /** Fails for want of room, and leaves nothing but what the next download goes on with. */
    private void fails(UnaryOperator<DownloadSettings.Builder> settings) throws IOException {
        Files.writeString(target(), "before");

        UncheckedIOException error = catchThrowableOfType(
                UncheckedIOException.class, () -> photos.downloadTo("a", disk.on(target()), settings));

        assertThat(error)
                .hasMessageContaining("photos/a")
                .hasMessageContaining(target() + ": its disk is full; the file has " + LENGTH + " bytes, and ")
                .hasMessageContaining(" bytes are free (")
                .hasMessageContaining(SmallDisk.FULL);
        assertThat(target()).hasContent("before");
        assertThat(disk.open()).as("open files").isZero();
        assertThat(blobs.memory().now()).isZero();
    }

    private FileDownload succeeds(UnaryOperator<DownloadSettings.Builder> settings) throws IOException {
        disk.clear();
        FileDownload done = photos.downloadTo("a", disk.on(target()), settings);
        assertThat(target()).hasBinaryContent(content);
        assertThat(leftovers()).isEmpty();
        assertThat(disk.open()).isZero();
        assertThat(blobs.memory().now()).isZero();
        return done;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, RANGE - 1, RANGE, 4 * RANGE + 5, LENGTH - 1})
    @DisplayName("TRANSFER-2: where the part fills the disk, the ranges that are there are of use to the next download")
    void partFillsTheDisk(int room) throws IOException {
        disk.hasRoomFor(room, PART);
        fails(RANGES);
        assertThat(leftovers()).hasSize(room < RANGE ? 0 : 2);

        assertThat(succeeds(RANGES).bytesResumed() > 0).isEqualTo(room >= RANGE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    @DisplayName("TRANSFER-2: where nothing fits, not even the state, nothing stays")
    void stateFillsTheDisk(int room) throws IOException {
        disk.hasRoomFor(room, STATE);
        fails(RANGES);
        assertThat(leftovers()).isEmpty();

        assertThat(succeeds(RANGES).bytesResumed()).isZero();
    }

    /** Removes the lines of a state: their number follows the order of responses, and a removed state leaves as much room. */
    private void cutState() throws IOException {
        for (Path file : leftovers()) {
            if (file.toString().endsWith(STATE)) {
                Files.writeString(file, Files.readString(file).replaceAll("(?m)^\\d+ [0-9a-f]{8}\\n", ""));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 9 * RANGE})
    @DisplayName(
            "TRANSFER-2: what an earlier version has left makes room on a full disk, which takes no line of a state")
    void makesRoom(int length) throws IOException {
        disk.hasRoomFor(4 * RANGE + 5, PART);
        fails(RANGES);
        assertThat(leftovers()).hasSize(2);
        cutState();
        byte[] other = Arrays.copyOf(content, length);
        StoredBlob changed = new StoredBlob(other);
        changed.changeTo(other, "\"v2\"");
        blobs.respond(changed);
        disk.clear();
        disk.hasRoomFor(3, STATE);

        Throwable error = catchThrowable(() -> photos.downloadTo("a", disk.on(target()), RANGES));

        assertThat(leftovers()).isEmpty();
        assertThat(disk.open()).isZero();
        assertThat(error == null).as("a blob of one range needs no state").isEqualTo(length < RANGE);
    }

    @Test
    @DisplayName("TRANSFER-2: a state that cannot grow any longer counts as far as its lines are whole")
    void stateIsCut() throws IOException {
        StoredBlob stored = new StoredBlob(content);
        blobs.respond(requested -> {
            if (requested.header("x-ms-range").startsWith("bytes=" + 5 * RANGE + "-")) {
                disk.hasRoomFor(7, STATE);
            }
            return stored.apply(requested);
        });
        fails(RANGES.andThen(with -> with.parallelism(1))::apply);
        assertThat(leftovers()).hasSize(2);

        blobs.respond(stored);
        assertThat(succeeds(RANGES).bytesResumed()).isEqualTo(5L * RANGE);
    }

    @ParameterizedTest
    @CsvSource({"CREATE,.part,false", "CREATE,.state,false", "FORCE,.part,true", "MODE,.part,true", "MOVE,.part,true"})
    @DisplayName("TRANSFER-2: a full disk that shows at the beginning or at the end")
    void beginningAndEnd(Refused refused, String file, boolean stays) throws IOException {
        disk.refuses(refused, file);
        fails(RANGES);
        assertThat(leftovers()).hasSize(stays ? 2 : 0);

        assertThat(succeeds(RANGES).bytesResumed()).isEqualTo(stays ? LENGTH : 0);
    }

    @ParameterizedTest
    @EnumSource(names = "NOTHING", mode = EnumSource.Mode.EXCLUDE)
    @DisplayName("TRANSFER-2: a blob of one range leaves nothing on a full disk")
    void smallBlobs(Refused refused) throws IOException {
        disk.refuses(refused, PART);
        fails(DiskSpaceTest::whole);
        assertThat(leftovers()).isEmpty();
        disk.clear();
        disk.hasRoomFor(LENGTH - 1, PART);
        fails(DiskSpaceTest::whole);
        assertThat(leftovers()).isEmpty();

        succeeds(DiskSpaceTest::whole);
    }

    @Test
    @DisplayName("TRANSFER-2: without resuming a full disk has nothing of the download")
    void withoutResuming() throws IOException {
        disk.hasRoomFor(5 * RANGE, PART);
        fails(RANGES.andThen(with -> with.resume(false))::apply);
        assertThat(leftovers()).isEmpty();
    }

    @Test
    @DisplayName("TRANSFER-2: a cached blob that does not fit on the disk says so, too, and leaves nothing")
    void cachedBlobs() throws IOException {
        CachedContainer cached = photos.cached(Freshness.fresh(Duration.ofHours(1)));
        disk.hasRoomFor(LENGTH - 1, PART);

        assertThat(catchThrowableOfType(UncheckedIOException.class, () -> cached.downloadTo("a", disk.on(target()))))
                .hasMessageContaining(target() + ": its disk is full; the file has " + LENGTH + " bytes, and ")
                .hasMessageContaining(SmallDisk.FULL);
        assertThat(folder).isEmptyDirectory();
        assertThat(disk.open()).isZero();

        disk.clear();
        cached.downloadTo("a", disk.on(target()));
        assertThat(target()).hasBinaryContent(content);
    }

    /** Three blobs, the second of which is longer. */
    private BlobStubResponse directory(StubRequest requested) {
        if (requested.query().contains("comp=list")) {
            StringBuilder xml =
                    new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Blobs>");
            for (String name : List.of("a", "b", "c")) {
                xml.append("<Blob><Name>d/")
                        .append(name)
                        .append("</Name><Properties><Last-Modified>Thu, 29 Feb 2024 12:00:00 GMT</Last-Modified>")
                        .append("<Etag>v1</Etag><Content-Length>")
                        .append(name.equals("b") ? LENGTH : 10)
                        .append("</Content-Length><BlobType>BlockBlob</BlobType></Properties></Blob>");
            }
            return BlobStubResponse.of(200)
                    .with("Content-Type", "application/xml")
                    .body(xml.append("</Blobs><NextMarker/></EnumerationResults>")
                            .toString()
                            .getBytes(StandardCharsets.UTF_8));
        }
        return new StoredBlob(requested.path().endsWith("b") ? content : new byte[10]).apply(requested);
    }

    @Test
    @DisplayName("TRANSFER-2, TRANSFER-4: what does not fit on the disk fails alone when the others are to go on")
    void directoriesGoOn() throws IOException {
        blobs.respond(this::directory);
        disk.hasRoomFor(RANGE, PART);

        TransferReport report = photos.downloadDirectory(
                        "d", disk.on(folder), with -> with.collectFailures().parallelism(1))
                .join();

        assertThat(report.transferred()).isEqualTo(2);
        assertThat(report.failures()).singleElement().satisfies(item -> {
            assertThat(item.name()).isEqualTo("b");
            assertThat(item.error()).hasMessageContaining("its disk is full; the file has " + LENGTH + " bytes");
        });
        assertThat(folder.resolve("b")).doesNotExist();
        assertThat(leftovers()).isEmpty();
        assertThat(disk.open()).isZero();
        assertThat(blobs.memory().now()).isZero();

        disk.clear();
        photos.downloadDirectory("d", disk.on(folder), with -> with.overwrite(Overwrite.IF_DIFFERENT))
                .join();
        assertThat(folder.resolve("b")).hasBinaryContent(content);
    }

    @Test
    @DisplayName(
            "TRANSFER-2, TRANSFER-4: a full disk ends a directory at its first failure, and what is there is whole")
    void directoriesEnd() {
        blobs.respond(this::directory);
        disk.hasRoomFor(RANGE, PART);

        TransferFailedException error =
                catchThrowableOfType(TransferFailedException.class, () -> photos.downloadDirectory(
                                "d", disk.on(folder), with -> with.parallelism(1))
                        .join());

        assertThat(error).hasMessageContaining("its disk is full");
        assertThat(folder.resolve("b")).doesNotExist();
        assertThat(disk.open()).isZero();
    }
}
