package io.stowline.blob.internal.download;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.DownloadSettings;
import io.stowline.blob.internal.base.BlobBench;
import io.stowline.blob.internal.transfer.ProgressMeter;
import io.stowline.error.DeadlineExceededException;
import io.stowline.retry.Backoff;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.transport.ScalabilityTargets;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.account.Service;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Downloads below rate targets, over a scripted wire and in virtual time. */
class RatedDownloadsTest {

    private static final int SIZE = 3_000;
    private static final Duration DEADLINE = Duration.ofMillis(3_500);
    private static final ScalabilityTargets BYTES = ScalabilityTargets.everywhere().toBuilder()
            .blobRequests(10_000)
            .blobBytes(10_000_000)
            .build();
    private static final ScalabilityTargets REQUESTS =
            ScalabilityTargets.everywhere().toBuilder().blobRequests(1).build();

    private static BlobBench blobs(Bench bench) {
        BlobBench blobs = new BlobBench(
                bench, settings -> settings.deadline(DEADLINE).backoff(Backoff.fixed(Duration.ofMillis(100))));
        bench.wire().otherwise(206, "x".repeat(SIZE), range(0, SIZE, SIZE));
        return blobs;
    }

    private static String[] range(int from, int count, int size) {
        return new String[] {
            "ETag",
            "\"e1\"",
            "x-ms-blob-type",
            "BlockBlob",
            "Content-Length",
            Integer.toString(count),
            "Content-Range",
            "bytes " + from + "-" + (from + count - 1) + "/" + size
        };
    }

    private static Mono<byte[]> download(BlobBench blobs) {
        return new Download(blobs.scope()).whole("a.jpg", DownloadSettings.defaults());
    }

    private static List<Outcome<byte[]>> downloads(Bench bench, int count) {
        BlobBench blobs = blobs(bench);
        return IntStream.range(0, count)
                .mapToObj(i -> bench.start(download(blobs)))
                .toList();
    }

    @Test
    @DisplayName("PERMIT-2: a download is charged the bytes of its blob, not those of the first range")
    void chargesItsBytes() {
        Bench bench = Bench.below(Service.BLOB, BYTES);
        List<Outcome<byte[]>> downloads = downloads(bench, 2_000);
        assertThat(bench.wire().sent()).as("1,611,392 bytes remain for more").hasSize(538);

        bench.pass(Duration.ofMillis(300));
        assertThat(bench.wire().sent()).hasSizeBetween(1_537, 1_539);
        bench.pass(Duration.ofMillis(200));
        assertThat(downloads).allSatisfy(done -> assertThat(done.value()).hasSize(SIZE));
    }

    @Test
    @DisplayName("PERMIT-2: a range that breaks off is charged the bytes that came, and so is its next attempt")
    void brokenRanges() {
        Bench bench = Bench.below(Service.BLOB, BYTES);
        BlobBench blobs = blobs(bench);
        int size = 2 * SIZE;
        for (int i = 0; i < 100; i++) {
            bench.wire().responds(206, "x".repeat(SIZE), range(0, SIZE, size));
            bench.wire().breaks(new IOException("reset"));
            bench.wire().responds(206, "x".repeat(SIZE), range(SIZE, SIZE, size));
            Outcome<byte[]> download = bench.start(download(blobs));
            bench.pass(Duration.ofMillis(600));
            assertThat(download.value()).hasSize(size);
        }
    }

    @Test
    @DisplayName("PERMIT-4: a download that is not admitted before its deadline ends then, and nothing was sent")
    void waitsForTheRate() {
        Bench bench = Bench.below(Service.BLOB, REQUESTS);
        List<Outcome<byte[]>> downloads = downloads(bench, 10);
        bench.pass(DEADLINE);

        assertThat(downloads).allMatch(Outcome::ended);
        assertThat(downloads.subList(0, 4))
                .allSatisfy(done -> assertThat(done.value()).hasSize(SIZE));
        assertThat(downloads.subList(4, 10)).allSatisfy(late -> {
            assertThat(late.storageError()).isInstanceOf(DeadlineExceededException.class);
            assertThat(late.storageError().failure().attempts()).isZero();
        });
        assertThat(bench.wire().sent()).hasSize(4);
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.start(download(blobs(bench))).value())
                .as("idle admits")
                .hasSize(SIZE);
    }

    @Test
    @DisplayName("PERMIT-4: a download that gets no permit before its deadline ends then")
    void waitsForItsPermit() {
        Bench bench = new Bench(1);
        Permit taken = Objects.requireNonNull(bench.gate().tryAcquire(PermitPriority.NORMAL));
        Outcome<byte[]> late = bench.start(download(blobs(bench)));
        bench.pass(DEADLINE.minusMillis(1));
        assertThat(late.ended()).isFalse();
        bench.pass(Duration.ofMillis(1));
        assertThat(late.storageError()).isInstanceOf(DeadlineExceededException.class);
        assertThat(bench.gate().waiting()).isZero();
        taken.release();
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("PERMIT-4: a download that is cancelled while it waits gives back its turn")
    void cancels() {
        Bench bench = Bench.below(Service.BLOB, REQUESTS);
        List<Outcome<byte[]>> downloads = downloads(bench, 3);
        downloads.get(1).cancel();
        bench.pass(Duration.ofSeconds(1));
        assertThat(downloads.get(2).value()).hasSize(SIZE);
    }

    @Test
    @DisplayName("TRANSFER-7: ranges behind the first one wait without a deadline")
    void laterRangesWait() {
        Bench bench = Bench.below(Service.BLOB, REQUESTS);
        BlobBench blobs = new BlobBench(bench, settings -> settings.deadline(Duration.ofMillis(1_500)));
        int count = 1 << 16;
        for (int i = 0; i < 3; i++) {
            bench.wire().responds(206, "x".repeat(count), range(i * count, count, 3 * count));
        }
        DownloadSettings small =
                DownloadSettings.builder().rangeSize(count).parallelism(3).build();
        Outcome<byte[]> download = bench.start(new Download(blobs.scope()).whole("a.jpg", small));
        bench.pass(Duration.ofMillis(1_900));
        assertThat(download.ended()).isFalse();
        bench.pass(Duration.ofMillis(200));
        assertThat(download.value()).hasSize(3 * count);
    }

    @Test
    @DisplayName("TRANSFER-7: the blobs of a transfer of many are its parts, and wait without a deadline")
    void partsWait() {
        Bench bench = Bench.below(Service.BLOB, REQUESTS);
        BlobBench blobs = blobs(bench);
        ProgressMeter whole = new ProgressMeter(null, () -> 0, Runnable::run);
        List<Outcome<byte[]>> downloads = IntStream.range(0, 10)
                .mapToObj(i -> bench.start(download(blobs).contextWrite(whole.new BlobMeter(SIZE)::in)))
                .toList();
        bench.pass(Duration.ofSeconds(9));
        assertThat(downloads).allSatisfy(done -> assertThat(done.value()).hasSize(SIZE));
    }
}
