package io.stowline.blob.internal.upload;

import static io.stowline.blob.internal.base.StubBlobs.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.Md5;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.BadRequestException;
import io.stowline.error.OutcomeUnknownException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files whose blocks stay in the file until they are sent. */
@Timeout(60)
class FileUploadTest {

    private static final int BLOCK = 300_000;
    private static final int LENGTH = 5 * BLOCK + 100_000;

    private final byte[] content = new byte[LENGTH];
    private final CountDownLatch release = new CountDownLatch(1);
    private StubBlobs blobs = new StubBlobs(FileUploadTest::usual);

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        new Random(LENGTH).nextBytes(content);
        file = Files.write(folder.resolve("a"), content);
    }

    @AfterEach
    void close() throws IOException {
        release.countDown();
        assertThat(blobs.memory().now()).as("memory of transfers").isZero();
        blobs.close();
        assertThat(open()).as("open files").isZero();
    }

    /** The number of descriptors of the file in this process. */
    private long open() throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        if (!Files.isDirectory(descriptors)) {
            return 0;
        }
        try (Stream<Path> all = Files.list(descriptors)) {
            return all.filter(one -> file.equals(target(one))).count();
        }
    }

    private static Path target(Path link) {
        try {
            return Files.readSymbolicLink(link);
        } catch (IOException closed) {
            return link;
        }
    }

    private static BlobStubResponse usual(StubRequest request) {
        if (!request.method().equals("PUT")) {
            return BlobStubResponse.refusal(404, "BlobNotFound");
        }
        String md5 = request.header("Content-MD5");
        return md5 == null || md5.equals(md5(request.body()))
                ? BlobStubResponse.of(201)
                : BlobStubResponse.refusal(400, "Md5Mismatch");
    }

    private static String md5(byte[] bytes) {
        return Base64.getEncoder().encodeToString(Md5.of(ByteBuffer.wrap(bytes)));
    }

    private static UploadSettings.Builder blocks(UploadSettings.Builder with) {
        return with.blockSize(BLOCK);
    }

    private BlobWriteResult upload() {
        return blobs.container().upload(file, "a", FileUploadTest::blocks);
    }

    private void worksAtOnce() throws IOException {
        Files.write(file, content);
        blobs.respond(FileUploadTest::usual);
        assertThat(upload().size()).isEqualTo(LENGTH);
    }

    @Test
    @DisplayName("TRANSFER-1: blocks of a file are those of the same bytes in memory, with one MD5 each")
    void sendsTheSameBlocks() {
        upload();
        List<StubRequest> staged = blobs.requested("PUT", "block&");
        StubRequest commit = blobs.requested("PUT", "blocklist").get(0);
        blobs.container().upload(content, "a", FileUploadTest::blocks);

        assertThat(staged).hasSize(6).allSatisfy(block -> assertThat(block.header("Content-MD5"))
                .isEqualTo(md5(block.body())));
        assertThat(commit.header("x-ms-blob-content-md5")).isEqualTo(md5(content));
        assertThat(blobs.requested("PUT", "blocklist").get(1).body()).isEqualTo(commit.body());
        Map<String, byte[]> ofMemory = blobs.requested("PUT", "block&").stream()
                .skip(6)
                .collect(Collectors.toMap(StubRequest::query, StubRequest::body));
        assertThat(staged).allSatisfy(block -> assertThat(block.body()).isEqualTo(ofMemory.get(block.query())));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 256 << 10, (256 << 10) + 1, BLOCK, LENGTH})
    @DisplayName("TRANSFER-5: a file that fits into a block is one request with its MD5 for the way and for good")
    void sendsAFileAtOnce(int length) throws IOException {
        byte[] bytes = Arrays.copyOf(content, length);
        Files.write(file, bytes);
        blobs.container().upload(file, "a", with -> with.blockSize(LENGTH));

        assertThat(blobs.requested()).singleElement().satisfies(put -> {
            assertThat(put.body()).isEqualTo(bytes);
            assertThat(put.header("Content-MD5")).isEqualTo(md5(bytes));
            assertThat(put.header("x-ms-blob-content-md5")).isEqualTo(md5(bytes));
        });
    }

    @Test
    @DisplayName("TRANSFER-3: blocks in flight hold a few slices each, not their bytes")
    void holdsSlices() throws Exception {
        Path big = folder.resolve("big");
        try (RandomAccessFile sparse = new RandomAccessFile(big.toFile(), "rw")) {
            sparse.setLength(40L << 20);
        }
        BlobWriteResult uploaded = blobs.container().upload(big, "a", with -> with.blockSize(4 << 20));

        assertThat(uploaded.size()).isEqualTo(40L << 20);
        assertThat(blobs.memory().max()).isBetween((long) FileBlock.BUFFERED_BYTES, 5L * FileBlock.BUFFERED_BYTES);
    }

    @Test
    @DisplayName("TRANSFER-1: a block that is sent again is read again from its beginning")
    void sendsABlockAgain() {
        AtomicInteger refused = new AtomicInteger();
        blobs.respond(request -> request.query().contains("blockid=") && refused.incrementAndGet() <= 4
                ? BlobStubResponse.refusal(503, "ServerBusy")
                : usual(request));
        upload();

        List<StubRequest> staged = blobs.requested("PUT", "block&");
        assertThat(staged).hasSize(10);
        Map<String, List<StubRequest>> each =
                staged.stream().collect(Collectors.groupingBy(block -> block.header("Content-MD5")));
        assertThat(each).hasSize(6);
        assertThat(each.values()).allSatisfy(tries -> assertThat(tries).allSatisfy(block -> assertThat(block.body())
                .isEqualTo(tries.get(0).body())));
        assertThat(blobs.requested("PUT", "blocklist")).hasSize(1);
    }

    @Test
    @DisplayName("TRANSFER-1: a file that is cut while it is sent is named, and nothing is committed")
    void namesAFileThatWasCut() throws IOException {
        blobs.respond(request -> {
            if (request.query().contains("blockid=")) {
                change(() -> {
                    try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
                        cut.setLength(BLOCK);
                    }
                });
                return BlobStubResponse.refusal(503, "ServerBusy");
            }
            return usual(request);
        });
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(this::upload)
                .withMessageContaining("upload photos/a: " + file + " had " + LENGTH + " bytes");
        assertThat(blobs.requested("PUT", "blocklist")).isEmpty();
        worksAtOnce();
    }

    private interface FileChange {
        void apply() throws IOException;
    }

    private static void change(FileChange change) {
        try {
            change.apply();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Changes a byte of a block; the file's time says nothing. */
    private void overwrite(int at) {
        change(() -> {
            FileTime before = Files.getLastModifiedTime(file);
            try (RandomAccessFile changed = new RandomAccessFile(file.toFile(), "rw")) {
                changed.seek(at);
                changed.write(content[at] + 1);
            }
            Files.setLastModifiedTime(file, before);
        });
    }

    @Test
    @DisplayName("TRANSFER-1: bytes that change between their MD5 and their sending are named after the last attempt")
    void namesBytesThatChanged() throws IOException {
        AtomicInteger blocks = new AtomicInteger();
        blobs.respond(request -> {
            if (request.query().contains("blockid=") && blocks.incrementAndGet() == 1) {
                overwrite(BLOCK / 2);
                return BlobStubResponse.refusal(503, "ServerBusy");
            }
            return usual(request);
        });
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() ->
                        blobs.container().upload(file, "a", with -> blocks(with).parallelism(1)))
                .withMessageContaining("the bytes 0 to " + (BLOCK - 1) + " of " + file + " were modified");
        assertThat(blobs.requested("PUT", "blocklist")).isEmpty();
        assertThat(blobs.requested("PUT", "block&")).hasSizeLessThan(20);
        worksAtOnce();
    }

    @Test
    @DisplayName("TRANSFER-1: the same of a file in one request")
    void namesBytesOfOneRequest() throws IOException {
        AtomicInteger puts = new AtomicInteger();
        blobs.respond(request -> {
            if (puts.incrementAndGet() == 1) {
                overwrite(5);
                return BlobStubResponse.refusal(503, "ServerBusy");
            }
            return usual(request);
        });
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> blobs.container().upload(file, "a"))
                .withMessageContaining("the bytes 0 to " + (LENGTH - 1) + " of " + file + " were modified");
        worksAtOnce();
    }

    /** The response is lost, and the file is another one for the next attempt. */
    private void loseResponses(String query) {
        AtomicInteger writes = new AtomicInteger();
        blobs.respond(request -> {
            if (request.method().equals("PUT") && request.query().contains(query) && writes.incrementAndGet() == 1) {
                change(() -> Files.setLastModifiedTime(file, FileTime.fromMillis(86_400_000)));
                return BlobStubResponse.of(201).body(new byte[5]).cutAfter(0);
            }
            return usual(request);
        });
    }

    @Test
    @DisplayName("OUTCOME-0: a put whose response was lost stays open when its file has changed since")
    void staysOpenAfterALostResponse() throws IOException {
        loseResponses("");
        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> blobs.container().upload(file, "a", UploadSettings.Builder::overwrite))
                .withMessageContaining(file + " was modified at");
        worksAtOnce();
    }

    @Test
    @DisplayName("OUTCOME-0: a block whose response was lost is no doubt, and the file is named")
    void namesTheFileAfterALostBlock() throws IOException {
        loseResponses("blockid=");
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() ->
                        blobs.container().upload(file, "a", with -> blocks(with).parallelism(1)))
                .withMessageContaining(file + " was modified at");
        worksAtOnce();
    }

    @ParameterizedTest
    @ValueSource(ints = {BLOCK, 2 * LENGTH})
    @DisplayName("bytes that are damaged once on their way are sent again, in blocks and in one request")
    void sendsDamagedBytesAgain(int blockSize) {
        AtomicInteger writes = new AtomicInteger();
        blobs.respond(request -> request.method().equals("PUT") && writes.incrementAndGet() == 1
                ? BlobStubResponse.refusal(400, "Md5Mismatch")
                : usual(request));

        assertThat(blobs.container()
                        .upload(file, "a", with -> with.blockSize(blockSize))
                        .size())
                .isEqualTo(LENGTH);
    }

    @Test
    @DisplayName("bytes that are damaged on their way are the service's refusal")
    void staysARefusal() {
        blobs.respond(request ->
                request.query().contains("blockid=") ? BlobStubResponse.refusal(400, "Md5Mismatch") : usual(request));
        assertThatExceptionOfType(BadRequestException.class).isThrownBy(this::upload);
    }

    /** An upload that has sent two blocks, whose responses wait. */
    private CompletableFuture<BlobWriteResult> begun() {
        CountDownLatch arrived = new CountDownLatch(2);
        blobs.respond(request -> {
            if (request.query().contains("blockid=")) {
                arrived.countDown();
                await(release);
            }
            return usual(request);
        });
        CompletableFuture<BlobWriteResult> upload = blobs.container()
                .reactive()
                .upload(file, "a", FileUploadTest::blocks)
                .toFuture();
        await(arrived);
        return upload;
    }

    @Test
    @DisplayName("an upload that is cancelled in the middle leaves no memory and no open file")
    void aCancel() throws Exception {
        CompletableFuture<BlobWriteResult> upload = begun();
        upload.cancel(true);

        while (blobs.memory().now() > 0 || open() > 0) {
            LockSupport.parkNanos(100_000);
        }
        release.countDown();
        worksAtOnce();
        assertThat(blobs.requested("PUT", "blocklist")).hasSize(1);
    }

    @Test
    @DisplayName("a client that is closed in the middle of an upload leaves no memory and no open file")
    void aClose() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")));
        CompletableFuture<BlobWriteResult> upload = begun();
        blobs.abandon();

        assertThatExceptionOfType(java.util.concurrent.ExecutionException.class)
                .isThrownBy(() -> upload.get(30, TimeUnit.SECONDS));
        while (blobs.memory().now() > 0 || open() > 0) {
            LockSupport.parkNanos(100_000);
        }
    }

    private void refused(Path source, String reason) {
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> blobs.container().upload(source, "a"))
                .withMessageContaining("upload photos/a: ")
                .withMessageContaining(source + " " + reason);
        assertThat(blobs.requested()).isEmpty();
    }

    @Test
    @DisplayName("a folder is refused by its name")
    void refusesAFolder() {
        refused(folder, "is a folder; upload it with uploadDirectory");
    }

    @Test
    @DisplayName("a pipe is refused before it is opened, which would wait for its writer")
    void refusesAPipe() throws Exception {
        Path pipe = folder.resolve("pipe");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/mkfifo")));
        assertThat(new ProcessBuilder("/usr/bin/mkfifo", pipe.toString())
                        .start()
                        .waitFor())
                .isZero();

        refused(pipe, "is a device, a pipe or a socket, which has no length");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dev/zero", "/dev/null"})
    @DisplayName("a device is refused: its length of 0 would become an empty blob")
    void refusesADevice(Path device) {
        assumeTrue(Files.exists(device));

        refused(device, "is a device, a pipe or a socket, which has no length");
    }

    @Test
    @DisplayName("a file with content and a length of 0 is refused: an empty blob would be in its place")
    void refusesAHiddenLength() {
        Path hidden = Path.of("/proc/self/status");
        assumeTrue(Files.exists(hidden));

        refused(hidden, "has a length of 0 and content");
    }
}
