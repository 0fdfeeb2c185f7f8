package io.stowline.blob.internal.download;

import static io.stowline.blob.internal.base.StubBlobs.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.DownloadSettings.ChecksumPolicy;
import io.stowline.blob.DownloadSettings.FileDownload;
import io.stowline.blob.TransferProgress;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import io.stowline.error.StorageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Downloads to files in several ranges, those that fail, and those that go on where they failed. */
@Timeout(60)
class ResumedDownloadTest {

    private static final int RANGE = 64 << 10;
    private static final UnaryOperator<DownloadSettings.Builder> SMALL = with -> with.rangeSize(RANGE);

    private final byte[] content = bytes(10 * RANGE + 17, 1);
    private final StoredBlob stored = new StoredBlob(content);
    private final StubBlobs blobs = new StubBlobs(stored);
    private final BlobContainer photos = blobs.container().withRetry(with -> with.retries(0));

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        blobs.close();
    }

    private static byte[] bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private Path target() {
        return folder.resolve("a");
    }

    private static boolean ranged(StubRequest requested, int index) {
        return requested.method().equals("GET")
                && requested.header("x-ms-range").startsWith("bytes=" + (long) index * RANGE + "-");
    }

    /** Fails at this range after all those before it. */
    private void failAt(int index) {
        blobs.respond(requested -> ranged(requested, index)
                ? BlobStubResponse.refusal(403, "AuthorizationFailure")
                : stored.apply(requested));
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> photos.downloadTo("a", target(), SMALL.andThen(with -> with.parallelism(1))::apply));
        blobs.respond(stored);
        blobs.requested().clear();
    }

    private List<Path> leftovers() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.getFileName().toString().startsWith(".stowline-"))
                    .sorted()
                    .toList();
        }
    }

    private Path leftover(String ending) throws IOException {
        return leftovers().stream()
                .filter(file -> file.toString().endsWith(ending))
                .findFirst()
                .orElseThrow();
    }

    private List<StubRequest> gets() {
        return blobs.requested().stream()
                .filter(requested -> requested.method().equals("GET"))
                .toList();
    }

    @Test
    @DisplayName("TRANSFER-2: a download that failed keeps its ranges, and the next one requests only what is missing")
    void resumes() throws IOException {
        Files.writeString(target(), "before");
        failAt(7);
        assertThat(target()).hasContent("before");
        assertThat(leftovers()).hasSize(2);

        FileDownload done = photos.downloadTo("a", target(), SMALL);

        assertThat(target()).hasBinaryContent(content);
        assertThat(done.bytesResumed()).isEqualTo(7L * RANGE);
        assertThat(done.restarted()).isFalse();
        assertThat(done.blob().size()).isEqualTo(content.length);
        assertThat(gets()).hasSize(4).allMatch(requested -> "\"v1\"".equals(requested.header("If-Match")));
        assertThat(leftovers()).isEmpty();
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-2: a range that is not in the file as it was written is requested again")
    void checksTheHashes() throws IOException {
        failAt(7);
        Path part = leftover(".part");
        byte[] damaged = Files.readAllBytes(part);
        damaged[2 * RANGE + 5]++;
        Files.write(part, Arrays.copyOf(damaged, 5 * RANGE + 100));

        FileDownload done = photos.downloadTo("a", target(), SMALL);

        assertThat(target()).hasBinaryContent(content);
        assertThat(done.bytesResumed()).isEqualTo(4L * RANGE);
        assertThat(gets()).hasSize(7);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 20 * RANGE})
    @DisplayName("TRANSFER-2: what was added to an unfinished file between two downloads is cut off")
    void cutsWhatWasAdded(int more) throws IOException {
        stored.md5(null);
        failAt(7);
        Files.write(leftover(".part"), new byte[more], StandardOpenOption.APPEND);

        FileDownload done = photos.downloadTo("a", target(), SMALL);

        assertThat(target()).hasBinaryContent(content);
        assertThat(done.bytesResumed()).isEqualTo(7L * RANGE);
    }

    /** The ways of another process with an unfinished file. */
    private enum Meddling {
        LONGER {
            @Override
            void with(Path part) throws IOException {
                Files.write(part, new byte[20 * RANGE], StandardOpenOption.APPEND);
            }
        },
        REPLACED {
            @Override
            void with(Path part) throws IOException {
                Files.move(part, part.resolveSibling("moved"));
                Files.write(part, new byte[10 * RANGE + 17]);
            }
        },
        GONE {
            @Override
            void with(Path part) throws IOException {
                Files.delete(part);
            }
        };

        abstract void with(Path part) throws IOException;
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("TRANSFER-2: an unfinished file that another process changes does not become the target")
    void noticesMeddling(Meddling way) throws IOException {
        assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("posix"));
        stored.md5(null);
        Files.writeString(target(), "before");
        blobs.respond(requested -> {
            if (ranged(requested, 7)) {
                try {
                    way.with(leftover(".part"));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return stored.apply(requested);
        });
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> photos.downloadTo("a", target(), SMALL.andThen(with -> with.parallelism(1))::apply))
                .withMessageContaining("another process has changed");
        assertThat(target()).hasContent("before");
        assertThat(leftovers()).isEmpty();

        blobs.respond(stored);
        assertThat(photos.downloadTo("a", target(), SMALL).bytesResumed()).isZero();
        assertThat(target()).hasBinaryContent(content);
    }

    @Test
    @DisplayName("TRANSFER-2: a target that is no file is refused before anything is sent")
    void refusesWhatIsNoFile() throws IOException {
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(target()));
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(() -> photos.downloadTo("a", target(), SMALL))
                    .withMessageContaining(target() + " is ");
        }
        assertThat(blobs.requested()).isEmpty();
    }

    @Test
    @DisplayName("TRANSFER-2: a blob that changed since is downloaded from its start, and the result says so")
    void restarts() throws IOException {
        failAt(7);
        byte[] other = bytes(3 * RANGE, 2);
        stored.changeTo(other, "\"v2\"");
        stored.md5(null);

        FileDownload done = photos.downloadTo("a", target(), SMALL);

        assertThat(target()).hasBinaryContent(other);
        assertThat(done.restarted()).isTrue();
        assertThat(done.bytesResumed()).isZero();
        assertThat(leftovers()).isEmpty();
    }

    @Test
    @DisplayName("TRANSFER-2: a blob that is gone leaves nothing of an earlier download")
    void gone() throws IOException {
        failAt(7);
        blobs.respond(requested -> BlobStubResponse.refusal(404, "BlobNotFound"));

        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> photos.downloadTo("a", target(), SMALL));
        assertThat(leftovers()).isEmpty();
    }

    @Test
    @DisplayName("TRANSFER-2: a blob that changes during the download is an error, and its part is of no use")
    void changesInBetween() throws IOException {
        blobs.respond(requested -> {
            BlobStubResponse reported = stored.apply(requested);
            if (ranged(requested, 3)) {
                stored.changeTo(content, "\"v2\"");
            }
            return reported;
        });

        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> photos.downloadTo("a", target(), SMALL.andThen(with -> with.parallelism(1))::apply));
        assertThat(folder).isEmptyDirectory();
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-2: without resuming a failed download leaves nothing")
    void withoutResuming() {
        blobs.respond(requested ->
                ranged(requested, 7) ? BlobStubResponse.refusal(403, "AuthorizationFailure") : stored.apply(requested));

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> photos.downloadTo(
                        "a", target(), with -> with.rangeSize(RANGE).resume(false)));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    @DisplayName("TRANSFER-2: two downloads of one blob to one target do not disturb each other")
    void twoAtOnce() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch reached = new CountDownLatch(1);
        blobs.respond(requested -> {
            if (ranged(requested, 5) && reached.getCount() > 0) {
                reached.countDown();
                await(held);
            }
            return stored.apply(requested);
        });
        CompletableFuture<FileDownload> first =
                photos.reactive().downloadTo("a", target(), SMALL).toFuture();
        await(reached);

        photos.downloadTo("a", target(), SMALL);
        assertThat(target()).hasBinaryContent(content);
        assertThat(leftovers()).hasSize(2);
        Files.delete(target());
        held.countDown();

        assertThat(first.get(30, TimeUnit.SECONDS).bytesResumed()).isZero();
        assertThat(target()).hasBinaryContent(content);
        assertThat(leftovers()).isEmpty();
    }

    @Test
    @DisplayName("TRANSFER-2, TRANSFER-6: the part and the state are their owner's alone, and hold no credential")
    void leftoversArePrivate() throws IOException {
        failAt(7);

        for (Path file : leftovers()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
        assertThat(Files.readString(leftover(".state")))
                .contains("photos%2Fa")
                .contains("length " + content.length)
                .doesNotContain("a2V5")
                .doesNotContainIgnoringCase("sig");
    }

    @Test
    @DisplayName("TRANSFER-2: a link in place of the part is not followed")
    void refusesLinks() throws IOException {
        failAt(7);
        Path victim = Files.writeString(folder.resolve("victim"), "mine");
        Path part = leftover(".part");
        Files.delete(part);
        Files.createSymbolicLink(part, victim);

        photos.downloadTo("a", target(), SMALL);

        assertThat(target()).hasBinaryContent(content).isRegularFile();
        assertThat(victim).hasContent("mine");
    }

    @ParameterizedTest
    @EnumSource(ChecksumPolicy.class)
    @DisplayName("TRANSFER-2: a stored MD5 that is wrong is a choice: an error, a log line, or nothing")
    void wrongChecksums(ChecksumPolicy policy) throws IOException {
        stored.md5("AAAAAAAAAAAAAAAAAAAAAA==");
        UnaryOperator<DownloadSettings.Builder> settings =
                with -> with.rangeSize(RANGE).checksum(policy);

        if (policy == ChecksumPolicy.IF_STORED) {
            assertThatExceptionOfType(ProtocolException.class)
                    .isThrownBy(() -> photos.downloadTo("a", target(), settings))
                    .withMessageContaining("AAAAAAAAAAAAAAAAAAAAAA==");
            assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> photos.download("a", settings));
            assertThat(folder).isEmptyDirectory();
        } else {
            photos.downloadTo("a", target(), settings);
            assertThat(target()).hasBinaryContent(content);
            assertThat(photos.download("a", settings)).isEqualTo(content);
        }
    }

    @Test
    void readsParts() throws IOException {
        UnaryOperator<DownloadSettings.Builder> part =
                with -> with.rangeSize(RANGE).range(RANGE + 5, 3L * RANGE);
        byte[] expected = Arrays.copyOfRange(content, RANGE + 5, 4 * RANGE + 5);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        photos.downloadTo("a", out, part);

        assertThat(photos.download("a", part)).isEqualTo(expected);
        assertThat(out.toByteArray()).isEqualTo(expected);
        try (InputStream in = photos.open("a", part)) {
            assertThat(in.readAllBytes()).isEqualTo(expected);
        }
        assertThat(photos.download("a", with -> with.range(content.length - 3, 100)))
                .isEqualTo(Arrays.copyOfRange(content, content.length - 3, content.length));
        assertThat(photos.download("a", with -> with.range(content.length + 3, 100)))
                .isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> photos.downloadTo("a", target(), part))
                .withMessageContaining("whole blob");
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    void showsItsProgress() throws Exception {
        List<TransferProgress> shown = new ArrayList<>();
        CompletableFuture<TransferProgress> last = new CompletableFuture<>();
        photos.downloadTo("a", target(), with -> with.rangeSize(RANGE).progress(progress -> {
            synchronized (shown) {
                shown.add(progress);
            }
            if (progress.blobsDone() == 1) {
                last.complete(progress);
            }
        }));

        TransferProgress end = last.get(20, TimeUnit.SECONDS);
        assertThat(end.bytesDone()).isEqualTo(content.length);
        assertThat(end.bytesTotal()).hasValue(content.length);
    }
}
