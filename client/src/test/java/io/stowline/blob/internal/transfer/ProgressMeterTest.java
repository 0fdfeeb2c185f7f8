package io.stowline.blob.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.stowline.blob.TransferProgress;
import io.stowline.blob.internal.transfer.ProgressMeter.TransferEnding;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.util.context.Context;

class ProgressMeterTest {

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5_000_000_000L);
    private final List<TransferProgress> shown = Collections.synchronizedList(new ArrayList<>());
    private final ProgressMeter meter = new ProgressMeter(shown::add, nanos::get, Runnable::run);

    private void pass(long millis) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    @DisplayName("totals are empty until all blobs are known")
    void totals() {
        meter.expect(10);
        meter.expect(5);
        assertThat(meter.snapshot().bytesTotal()).isEmpty();
        assertThat(meter.snapshot().blobsTotal()).isEmpty();
        assertThat(meter.snapshot().timeLeft()).isEmpty();

        meter.allExpected();

        assertThat(meter.snapshot().bytesTotal()).hasValue(15);
        assertThat(meter.snapshot().blobsTotal()).hasValue(2);
    }

    @Test
    void countsBytesBlobsAndRetries() {
        meter.moved(10);
        meter.moved(-4);
        meter.retried();
        meter.blobDone();

        TransferProgress now = meter.snapshot();

        assertThat(now.bytesDone()).isEqualTo(6);
        assertThat(now.retries()).isOne();
        assertThat(now.blobsDone()).isOne();
    }

    @Test
    @DisplayName("what is taken back before it was counted shows no negative bytes")
    void neverNegative() {
        meter.moved(-4);

        assertThat(meter.snapshot().bytesDone()).isZero();
        assertThat(meter.snapshot().rate()).isZero();
    }

    @Test
    @DisplayName("the listener is called at most every 100 ms, with the state of that moment")
    void interval() {
        for (int i = 0; i < 50; i++) {
            pass(10);
            meter.moved(1);
        }

        assertThat(shown).extracting(TransferProgress::bytesDone).containsExactly(10L, 20L, 30L, 40L, 50L);
    }

    @Test
    @DisplayName("the end is shown once, at once, and nothing after it")
    void theEnd() {
        pass(100);
        meter.moved(1);
        meter.moved(2);
        assertThat(meter.finish()).isCompleted();
        assertThat(meter.finish()).isCompleted();
        pass(1_000);
        meter.moved(4);

        assertThat(shown).extracting(TransferProgress::bytesDone).containsExactly(1L, 3L);
    }

    /** Other languages than Java throw checked exceptions anywhere. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException unchecked(Throwable checked) throws E {
        throw (E) checked;
    }

    @Test
    @DisplayName("a listener that throws gets the next calls too, whatever it throws")
    void throwingListener() {
        AtomicInteger calls = new AtomicInteger();
        ProgressMeter failing = new ProgressMeter(
                now -> {
                    calls.incrementAndGet();
                    if (calls.get() == 1) {
                        throw new IllegalStateException("bar");
                    }
                    if (calls.get() == 2) {
                        throw ProgressMeterTest.<RuntimeException>unchecked(new IOException("bar"));
                    }
                    throw new LinkageError("bar");
                },
                nanos::get,
                Runnable::run);

        for (int i = 0; i < 3; i++) {
            pass(100);
            failing.moved(1);
        }

        assertThat(failing.finish()).isCompleted();
        assertThat(calls).hasValue(4);
    }

    @Test
    @DisplayName("while a call waits or runs no other one begins, and the last one follows it")
    void oneCallAtATime() {
        Queue<Runnable> waiting = new ArrayDeque<>();
        ProgressMeter slow = new ProgressMeter(shown::add, nanos::get, waiting::add);
        pass(100);
        slow.moved(1);
        pass(100);
        slow.moved(1);
        assertThat(waiting).hasSize(1);
        assertThat(slow.finish()).isNotDone();
        assertThat(waiting).hasSize(1);

        waiting.remove().run();

        assertThat(slow.finish()).isCompleted();
        assertThat(waiting).isEmpty();
        assertThat(shown).hasSize(1);
    }

    @Test
    @DisplayName("an executor that refuses does not lose the end")
    void refusingExecutor() {
        ProgressMeter refused = new ProgressMeter(shown::add, nanos::get, work -> {
            throw new RejectedExecutionException("closed");
        });

        assertThat(refused.finish()).isCompleted();
        assertThat(shown).hasSize(1);
    }

    @Test
    void withoutAListener() {
        ProgressMeter quiet = new ProgressMeter(null, nanos::get, work -> {
            throw new AssertionError("nothing to run");
        });
        pass(1_000);
        quiet.moved(7);

        assertThat(quiet.finish()).isCompleted();
        assertThat(quiet.snapshot().bytesDone()).isEqualTo(7);
    }

    @Test
    @DisplayName("the rate is that of the last ten seconds, and says how long the rest takes")
    void rate() {
        meter.expect(100_000);
        meter.allExpected();
        for (int i = 0; i < 200; i++) {
            pass(100);
            meter.moved(i < 100 ? 10 : 100);
        }

        TransferProgress now = meter.snapshot();

        assertThat(now.bytesDone()).isEqualTo(11_000);
        assertThat(now.rate()).isCloseTo(1_000, within(20.0));
        assertThat(now.timeLeft().orElseThrow()).isBetween(Duration.ofSeconds(87), Duration.ofSeconds(91));
    }

    @Test
    @DisplayName("where nothing moves the rate falls to zero, and no time is left to say")
    void standstill() {
        meter.expect(1_000);
        meter.allExpected();
        pass(1_000);
        meter.moved(500);
        assertThat(meter.snapshot().rate()).isCloseTo(500, within(1.0));
        pass(4_000);
        assertThat(meter.snapshot().rate()).isCloseTo(100, within(1.0));
        pass(3_600_000);
        meter.moved(1);

        assertThat(meter.snapshot().rate()).isLessThan(2);
        assertThat(meter.snapshot().bytesDone()).isEqualTo(501);
    }

    @Test
    void nothingLeft() {
        meter.expect(5);
        meter.allExpected();
        meter.moved(5);

        assertThat(meter.snapshot().timeLeft()).contains(Duration.ZERO);
    }

    @Test
    @DisplayName(
            "a blob counts whole when it has arrived, and not at all when it has failed, whatever its engine reports")
    void blobsOfMany() {
        ProgressMeter.BlobMeter silent = meter.new BlobMeter(100);
        ProgressMeter.BlobMeter exact = meter.new BlobMeter(50);
        ProgressMeter.BlobMeter failing = meter.new BlobMeter(1_000);
        assertThat(ProgressMeter.in(exact.in(Context.empty()))).isSameAs(exact);
        assertThat(ProgressMeter.in(Context.empty())).isNull();
        exact.moved(50);
        failing.moved(999);
        failing.retried();
        silent.end(TransferEnding.ARRIVED);
        exact.end(TransferEnding.ARRIVED);
        failing.end(TransferEnding.FAILED);

        TransferProgress now = meter.snapshot();

        assertThat(now.bytesDone()).isEqualTo(150);
        assertThat(now.blobsDone()).isEqualTo(3);
        assertThat(now.retries()).isOne();
    }

    @Test
    @DisplayName("a blob that need not travel is not expected any more")
    void notNeeded() {
        meter.expect(100);
        meter.allExpected();
        meter.new BlobMeter(100).end(TransferEnding.NOT_NEEDED);

        assertThat(meter.snapshot().bytesTotal()).hasValue(0);
        assertThat(meter.snapshot().blobsDone()).isOne();
    }

    @Test
    @DisplayName("many threads lose no byte, and the listener runs once at a time")
    void manyThreads() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger together = new AtomicInteger();
        ExecutorService callbacks = Executors.newFixedThreadPool(4);
        ProgressMeter shared = new ProgressMeter(
                now -> {
                    together.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    shown.add(now);
                    inside.decrementAndGet();
                },
                () -> nanos.addAndGet(50_000_000),
                callbacks);
        ExecutorService movers = Executors.newFixedThreadPool(8);
        CountDownLatch ended = new CountDownLatch(8);
        for (int i = 0; i < 8; i++) {
            movers.execute(() -> {
                for (int n = 0; n < 10_000; n++) {
                    shared.moved(3);
                }
                ended.countDown();
            });
        }
        assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
        shared.finish().get(1, TimeUnit.MINUTES);
        movers.shutdown();
        callbacks.shutdown();

        assertThat(shared.snapshot().bytesDone()).isEqualTo(240_000);
        assertThat(shown.get(shown.size() - 1).bytesDone()).isEqualTo(240_000);
        assertThat(together).hasValue(1);
    }

    @Test
    @DisplayName("once a transfer has ended nothing is left, even if blobs have failed")
    void nothingLeftAtTheEnd() {
        meter.expect(100);
        meter.allExpected();
        pass(1_000);
        meter.moved(10);
        meter.blobDone();
        assertThat(meter.snapshot().timeLeft())
                .hasValueSatisfying(left -> assertThat(left).isPositive());

        assertThat(meter.finish()).isCompleted();

        assertThat(meter.snapshot().timeLeft()).contains(Duration.ZERO);
        assertThat(meter.snapshot().bytesDone()).isEqualTo(10);
    }
}
