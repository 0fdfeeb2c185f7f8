package io.stowline.blob.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.TransferReport;
import io.stowline.blob.internal.base.FileTasks;
import io.stowline.blob.internal.base.SmallDisk;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The work of a directory's download on the disk: its changes of threads, its reads, and its findings. */
@Timeout(60)
class DirectoryDownloadTest {

    private static final int BLOBS = 40;

    private static final int AT_ONCE = 256 << 10;
    private static final int RANGE = 64 << 10;
    private static final Instant TIME = Instant.parse("2024-02-29T12:00:00Z");

    private final SmallDisk disk = new SmallDisk();
    private final FileTasks tasks = new FileTasks();
    private final StubBlobs blobs = new StubBlobs(this::response);
    private final BlobContainer photos = blobs.container().withRetry(with -> with.retries(0));
    private volatile byte[] content = bytes(100);
    private volatile int listed = 100;
    private volatile List<String> names =
            IntStream.range(0, BLOBS).mapToObj(i -> "blob" + i).toList();

    @TempDir
    private Path folder;

    @BeforeEach
    void needsUnix() {
        assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("unix"));
    }

    @AfterEach
    void close() {
        tasks.close();
        blobs.close();
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private BlobStubResponse response(StubRequest requested) {
        if (!requested.query().contains("comp=list")) {
            return new StoredBlob(content).etag("\"" + content.length + "\"").apply(requested);
        }
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Blobs>");
        for (String name : names) {
            xml.append("<Blob><Name>d/")
                    .append(name)
                    .append("</Name><Properties><Last-Modified>Thu, 29 Feb 2024 12:00:00 GMT</Last-Modified><Etag>")
                    .append(listed)
                    .append("</Etag><Content-Length>")
                    .append(listed)
                    .append("</Content-Length><BlobType>BlockBlob</BlobType></Properties></Blob>");
        }
        return BlobStubResponse.of(200)
                .with("Content-Type", "application/xml")
                .body(xml.append("</Blobs><NextMarker/></EnumerationResults>")
                        .toString()
                        .getBytes(StandardCharsets.UTF_8));
    }

    private void download() {
        tasks.reset();
        disk.calls().clear();
        long moved = photos.downloadDirectory("d", disk.on(folder), with -> with.overwrite(Overwrite.ALWAYS))
                .join()
                .transferred();
        assertThat(moved).isEqualTo(names.size());
        assertThat(disk.open()).isZero();
    }

    private List<Path> files() {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long calls(String begin, String end) {
        return disk.calls().stream()
                .filter(call -> call.startsWith(begin) && call.endsWith(end))
                .count();
    }

    @Test
    @DisplayName(
            "a small blob wakes a thread for files once its bytes are there, and before its request unless that runs"
                    + " where another blob ends")
    void fewTasks() {
        download();
        assertThat(tasks.run()).as("new files").isBetween(BLOBS, 2 * BLOBS + 5);

        download();
        assertThat(tasks.run()).as("files that are there").isBetween(BLOBS, 2 * BLOBS + 5);
        assertThat(files()).hasSize(BLOBS).allSatisfy(file -> {
            assertThat(file).hasBinaryContent(content);
            assertThat(Files.getLastModifiedTime(file)).isEqualTo(FileTime.from(TIME));
        });
    }

    @Test
    @DisplayName("the folder of small blobs is looked at once, and each file a few times")
    void fewLooks() throws IOException {
        names = names.stream().map(name -> "sub/" + name).toList();
        download();
        assertThat(calls("open", ".mode")).as("probes of the usual mode").isBetween(1L, 8L);
        Path first = folder.resolve(names.get(0));
        Files.setPosixFilePermissions(first, PosixFilePermissions.fromString("rw-r-----"));

        download();

        assertThat(calls("follow", "")).as("paths that are followed").isLessThan(5);
        assertThat(calls("open", ".part")).isEqualTo(BLOBS);
        assertThat(calls("move", "")).isEqualTo(BLOBS);
        assertThat(calls("delete", ".part")).isZero();
        assertThat(calls("look", "")).isLessThan(8L * BLOBS);
        assertThat(Files.getPosixFilePermissions(first)).isEqualTo(PosixFilePermissions.fromString("rw-r-----"));
    }

    @Test
    @DisplayName("TRANSFER-4: a link that stands where a file belongs is refused, also in a folder that was looked at")
    void links() throws IOException {
        download();
        Path outside = Files.writeString(folder.resolve("outside"), "mine");
        Path link = folder.resolve(names.get(BLOBS - 1));
        Files.delete(link);
        Files.createSymbolicLink(link, outside);

        Assertions.assertThatThrownBy(this::download).hasMessageContaining("is no file");
        assertThat(outside).hasContent("mine");
        assertThat(link).isSymbolicLink();
    }

    @Test
    @DisplayName("TRANSFER-4: a folder that a link leads to takes files as any other")
    void rootBehindALink() throws IOException {
        Path real = Files.createDirectory(folder.resolve("real"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        for (int i = 0; i < 2; i++) {
            photos.downloadDirectory("d", link, with -> with.overwrite(Overwrite.ALWAYS))
                    .join();
        }
        assertThat(link).isSymbolicLink();
        assertThat(files()).hasSize(BLOBS).allMatch(file -> file.startsWith(real));
    }

    @Test
    @DisplayName(
            "TRANSFER-4: a mirror does not count a file that is gone before its deletion, as it counts no such blob")
    void goneBefore() throws IOException {
        names = List.of();
        Path gone = Files.createFile(folder.resolve("gone"));
        Path surplus = Files.createFile(folder.resolve("surplus"));
        blobs.respond(requested -> {
            if (requested.query().contains("comp=list")) {
                return response(requested);
            }
            delete(gone);
            return BlobStubResponse.refusal(404, "BlobNotFound");
        });

        TransferReport report =
                photos.downloadDirectory("d", folder, with -> with.mirror()).join();

        assertThat(report.deleted()).isOne();
        assertThat(report.failed()).isZero();
        assertThat(surplus).doesNotExist();
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void leaveUnfinished() {
        disk.hasRoomFor(3L * RANGE, ".part");
        Path target = disk.on(folder.resolve("a"));
        Assertions.assertThatThrownBy(() -> photos.downloadTo("d/a", target, with -> with.rangeSize(RANGE)))
                .hasMessageContaining(SmallDisk.FULL);
        disk.clear();
        assertThat(files())
                .hasSize(2)
                .allSatisfy(file -> assertThat(file.getFileName().toString()).startsWith(".stowline-"));
    }

    @Test
    @DisplayName("TRANSFER-2: what a download has left of a blob that was longer goes away")
    void earlierPart() {
        names = List.of("a");
        content = bytes(10 * RANGE);
        leaveUnfinished();

        content = bytes(100);
        download();

        assertThat(files()).containsExactly(folder.resolve("a"));
        assertThat(folder.resolve("a")).hasBinaryContent(content);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 9 << 20})
    @DisplayName("TRANSFER-2: a blob that is longer or shorter than it was when it was listed arrives whole")
    void otherLength(int length) throws IOException {
        names = List.of("a");
        for (int before : List.of(100, 9 << 20)) {
            listed = before;
            content = bytes(length);
            download();
            assertThat(files()).containsExactly(folder.resolve("a"));
            assertThat(folder.resolve("a")).hasBinaryContent(content);
            assertThat(blobs.memory().now()).isZero();
            Files.delete(folder.resolve("a"));
        }
    }

    @Test
    @DisplayName("files are written and read in parts, so that a thread keeps no long buffer")
    void shortBuffers() throws IOException {
        content = bytes(3 << 20);
        Path target = disk.on(folder.resolve("a"));
        photos.downloadTo("a", target);
        photos.downloadTo("a", target, with -> with.rangeSize(1 << 20));
        assertThat(folder.resolve("a")).hasBinaryContent(content);

        blobs.respond(requested -> BlobStubResponse.of(201));
        photos.upload(target, "b");

        assertThat(disk.longest()).isEqualTo(AT_ONCE);
    }
}
