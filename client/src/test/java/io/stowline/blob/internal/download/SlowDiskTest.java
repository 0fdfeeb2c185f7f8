package io.stowline.blob.internal.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.internal.base.SmallDisk;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.file.WriteBehind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Downloads to a disk that stands still: what they hold until it goes on, and what is left however they end. */
@Timeout(60)
class SlowDiskTest {

    private static final int RANGE = 1 << 20;
    private static final int LENGTH = 6 * RANGE + 17;
    private static final int AT_ONCE = 3;

    private final SmallDisk disk = new SmallDisk();
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final byte[] content = new byte[LENGTH];
    private final StubBlobs blobs;
    private final BlobContainer photos;

    @TempDir
    private Path folder;

    SlowDiskTest() {
        new Random(5).nextBytes(content);
        blobs = new StubBlobs(new StoredBlob(content, StoredBlob.hashOf(content)));
        photos = blobs.container();
    }

    @BeforeEach
    void standStill() {
        disk.beforeWrite(
                () -> {
                    reached.countDown();
                    StubBlobs.await(released);
                },
                ".part");
    }

    @AfterEach
    void close() {
        released.countDown();
        blobs.close();
    }

    private static DownloadSettings.Builder ranges(DownloadSettings.Builder with) {
        return with.rangeSize(RANGE).parallelism(AT_ONCE);
    }

    private Path target() {
        return folder.resolve("a");
    }

    private CompletableFuture<DownloadSettings.FileDownload> begun() {
        CompletableFuture<DownloadSettings.FileDownload> download = photos.reactive()
                .downloadTo("a", disk.on(target()), SlowDiskTest::ranges)
                .toFuture();
        StubBlobs.await(reached);
        return download;
    }

    private void works() throws IOException {
        photos.downloadTo("a", disk.on(target()), SlowDiskTest::ranges);
        whole();
    }

    private void whole() throws IOException {
        assertThat(target()).hasBinaryContent(content);
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).hasSize(1);
        }
        assertThat(disk.open()).as("open files").isZero();
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-3: it holds a few slices for each range in flight, and goes on with the disk")
    void goesOn() throws Exception {
        CompletableFuture<DownloadSettings.FileDownload> download = begun();
        assertThat(download).isNotDone();
        released.countDown();
        download.get(30, TimeUnit.SECONDS);
        whole();
        assertThat(blobs.memory().max()).isLessThanOrEqualTo((AT_ONCE + 1L) * WriteBehind.MAX_BUFFERED_BYTES);
        assertThat(disk.longest()).as("bytes of a write or a read").isLessThanOrEqualTo(256 << 10);
    }

    @Test
    @DisplayName("TRANSFER-7: a cancel does not wait for the disk, and the next download works at once")
    void cancelled() throws IOException {
        CompletableFuture<DownloadSettings.FileDownload> download = begun();
        download.cancel(true);
        assertThat(blobs.memory().now()).isZero();
        disk.beforeWrite(() -> {}, ".part");
        works();
        released.countDown();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("TRANSFER-2: a disk that fails after it has stood still, before or after all bytes have arrived")
    void fails(boolean later) {
        CompletableFuture<DownloadSettings.FileDownload> download = begun();
        disk.hasRoomFor(later ? RANGE - 1 : 0, ".part");
        released.countDown();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> download.get(30, TimeUnit.SECONDS))
                .havingCause()
                .isInstanceOf(UncheckedIOException.class)
                .withMessageContaining("its disk is full");
        assertThat(disk.open()).isZero();
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("a client that closes does not wait for the disk")
    void closes() {
        CompletableFuture<DownloadSettings.FileDownload> download = begun();
        blobs.abandon();
        assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> download.get(30, TimeUnit.SECONDS));
        assertThat(blobs.memory().now()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "TRANSFER-2: an end that comes while the disk saves the whole file waits for nothing and leaves the target"
                    + " as it was")
    void endsWhileItIsSaved(boolean cancels) throws Exception {
        disk.beforeWrite(() -> {}, ".part");
        disk.beforeForce(
                () -> {
                    reached.countDown();
                    awaitWhateverInterrupts(released);
                },
                ".part");
        Files.writeString(target(), "before");
        CompletableFuture<DownloadSettings.FileDownload> download = begun();
        if (cancels) {
            CompletableFuture.runAsync(() -> download.cancel(true)).get(30, TimeUnit.SECONDS);
        } else {
            blobs.abandon();
            assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> download.get(30, TimeUnit.SECONDS));
        }
        assertThat(blobs.memory().now()).isZero();
        released.countDown();
        while (disk.open() > 0) {
            LockSupport.parkNanos(100_000);
        }
        assertThat(target()).hasContent("before");
    }

    /** Waits as a disk does. */
    private static void awaitWhateverInterrupts(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                interrupted |= latch.await(30, TimeUnit.SECONDS)
                        && Thread.currentThread().isInterrupted();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
