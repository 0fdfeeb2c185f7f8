package io.stowline.blob.internal.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobBench;
import io.stowline.blob.internal.transfer.ProgressMeter;
import io.stowline.error.DeadlineExceededException;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.transport.internal.account.Bench;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Uploads in one request that wait for a permit, in virtual time. */
@Timeout(60)
class UploadAdmissionTest {

    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final Bench bench = new Bench(1);
    private final BlobBench blobs = new BlobBench(bench, settings -> settings.deadline(DEADLINE));
    private final Permit taken = Objects.requireNonNull(bench.gate().tryAcquire(PermitPriority.NORMAL));

    private Mono<BlobWriteResult> upload(boolean shown) {
        UploadSettings.Builder settings = UploadSettings.builder().overwrite();
        UploadSettings made = shown ? settings.progress(progress -> {}).build() : settings.build();
        return new Upload(blobs.scope(), "a", made).bytes(new byte[1 << 20]);
    }

    private CompletableFuture<BlobWriteResult> waiting(Mono<BlobWriteResult> upload) {
        CompletableFuture<BlobWriteResult> ending = upload.toFuture();
        while (bench.gate().waiting() == 0) {
            assertThat(ending).isNotDone();
            LockSupport.parkNanos(1_000_000);
        }
        return ending;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("PERMIT-4: an upload that is not admitted before its deadline ends then, and nothing was sent")
    void waitsForItsPermit(boolean shown) {
        CompletableFuture<BlobWriteResult> late = waiting(upload(shown));
        blobs.pass(DEADLINE.minusMillis(1));
        assertThat(late).isNotDone();
        blobs.pass(Duration.ofMillis(1));
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> late.get(20, TimeUnit.SECONDS))
                .havingCause()
                .isInstanceOfSatisfying(
                        DeadlineExceededException.class,
                        e -> assertThat(e.failure().attempts()).isZero());
        assertThat(blobs.wire().sent()).isEmpty();
        assertThat(bench.gate().waiting()).isZero();
        taken.release();
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-7: the upload of a transfer of many blobs is its part, and waits without a deadline")
    void partsWait() throws Exception {
        ProgressMeter whole = new ProgressMeter(null, () -> 0, Runnable::run);
        CompletableFuture<BlobWriteResult> part = waiting(upload(false).contextWrite(whole.new BlobMeter(1 << 20)::in));
        blobs.pass(Duration.ofMinutes(10));
        assertThat(part).isNotDone();
        blobs.responds(201);
        taken.release();
        assertThat(part.get(20, TimeUnit.SECONDS)).isNotNull();
    }
}
