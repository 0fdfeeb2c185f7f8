package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.FlushCounts;
import io.stowline.batching.internal.writer.PendingItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

class FlushTest {

    private final Rig rig = new Rig();
    private final Batcher<String, Item, String> batcher = rig.batcher(given -> given.linger(Duration.ofHours(1)));

    private static List<FlushCounts> flush(Batcher<String, Item, String> batcher) {
        List<FlushCounts> reports = new ArrayList<>();
        var unused = batcher.flush().subscribe(reports::add);
        return reports;
    }

    @Test
    @DisplayName("BATCH-8: with nothing accepted a flush is over at once")
    void endsAtOnce() {
        assertThat(flush(batcher)).containsExactly(new FlushCounts(0, 0));
    }

    @Test
    @DisplayName("BATCH-8 BATCH-2: a flush sends lingering lanes and ends when all accepted before is terminal")
    void isASnapshotBarrier() {
        batcher.submit("a", Item.of("a"));
        batcher.submit("b", Item.of("b"));
        List<FlushCounts> reports = flush(batcher);
        batcher.submit("c", Item.of("later"));
        assertThat(rig.sent).hasSize(2);
        rig.next().done();
        assertThat(reports).isEmpty();
        rig.next().response(new BatchReply.BatchFailed<>(new IllegalStateException("bad")));
        assertThat(reports).containsExactly(new FlushCounts(1, 1));
        assertThat(batcher.bufferedItems()).isEqualTo(1);
    }

    @Test
    @DisplayName("BATCH-8: what was queued behind a batch in flight does not linger after a flush")
    void hurriesWhatIsQueued() {
        Batcher<String, Item, String> quick = rig.batcher();
        quick.submit("k", Item.of("first"));
        batcher.submit("k", Item.of("a"));
        List<FlushCounts> reports = flush(batcher);
        rig.next().done();
        rig.next().done();
        assertThat(reports).containsExactly(new FlushCounts(1, 0));
    }

    @Test
    @DisplayName("BATCH-8: a flush leaves the lanes of other writers lingering")
    void leavesOthersAlone() {
        Batcher<String, Item, String> other = rig.batcher(given -> given.linger(Duration.ofHours(1)));
        other.submit("other", Item.of("a"));
        flush(batcher);
        assertThat(rig.isQuiet()).isTrue();
    }

    @Test
    @DisplayName("BATCH-8: a lane of two writers does not linger after the flush of either")
    void hurriesAMixedLane() {
        Batcher<String, Item, String> other = rig.batcher(given -> given.linger(Duration.ofHours(1)));
        other.submit("k", Item.of("a"));
        batcher.submit("k", Item.of("b"));
        List<FlushCounts> reports = flush(batcher);
        rig.next().done();
        assertThat(reports).containsExactly(new FlushCounts(1, 0));
    }

    @Test
    @DisplayName("BATCH-8: concurrent flushes share one report")
    void shares() {
        batcher.submit("a", Item.of("a"));
        List<FlushCounts> first = flush(batcher);
        List<FlushCounts> second = flush(batcher);
        rig.next().done();
        assertThat(first).containsExactly(new FlushCounts(1, 0));
        assertThat(second.get(0)).isSameAs(first.get(0));
    }

    @Test
    @DisplayName("BATCH-8: a later flush waits for earlier items too, and reports them")
    void includesEarlierItems() {
        batcher.submit("a", Item.of("a"));
        List<FlushCounts> first = flush(batcher);
        batcher.submit("b", Item.of("b"));
        List<FlushCounts> second = flush(batcher);
        rig.sent.get(1).done();
        assertThat(second).isEmpty();
        rig.sent.get(0).done();
        assertThat(first).containsExactly(new FlushCounts(1, 0));
        assertThat(second).containsExactly(new FlushCounts(2, 0));
        assertThat(flush(batcher)).containsExactly(new FlushCounts(0, 0));
    }

    @Test
    @DisplayName("BATCH-8: what failed before the flush is reported by it")
    void reportsEarlierFailures() {
        Batcher<String, Item, String> quick = rig.batcher();
        quick.submit("a", Item.of("a"));
        rig.next().response(new BatchReply.BatchFailed<>(new IllegalStateException("bad")));
        assertThat(flush(quick)).containsExactly(new FlushCounts(0, 1));
    }

    @Test
    @DisplayName("BATCH-8 M9: an engine whose every call fails reports every item as failed")
    void reportsFailures() {
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(), batch -> Mono.error(new IllegalStateException("down")))
                .callbacks(TestCallbacks.on(Runnable::run))
                .build();
        Batcher<String, Item, String> writer = lanes.batcher(TestSettings.defaults());
        writer.submit("a", Item.of("a"));
        writer.submit("b", Item.of("b"));
        assertThat(writer.flush().block()).isEqualTo(new FlushCounts(0, 2));
    }

    @Test
    @DisplayName("BATCH-8: a cancelled item is waited for no longer and in neither number")
    void forgetsCancelledItems() {
        rig.batcher().submit("a", Item.of("first"));
        PendingItem<String> submission = batcher.submit("a", Item.of("a"));
        List<FlushCounts> reports = flush(batcher);
        assertThat(reports).isEmpty();
        assertThat(submission.cancel()).isTrue();
        assertThat(reports).containsExactly(new FlushCounts(0, 0));
    }

    @Test
    @DisplayName("BATCH-8: callbacks are not waited for")
    void doesNotWaitForCallbacks() {
        List<Runnable> held = new ArrayList<>();
        Executor keeping = held::add;
        Batcher<String, Item, String> writer = rig.batcher(given -> given.callbacks(keeping));
        writer.submit("a", Item.of("a")).whenComplete((value, error) -> {});
        List<FlushCounts> reports = flush(writer);
        rig.next().done();
        assertThat(held).hasSize(2);
        held.get(1).run();
        assertThat(reports).containsExactly(new FlushCounts(1, 0));
    }

    @Test
    @DisplayName("BATCH-8: a thread that flushes and waits is told of the end while every callback thread is busy")
    @Timeout(60)
    void waitsForNoCallbackThread() {
        List<Runnable> held = new ArrayList<>();
        Batcher<String, Item, String> writer = rig.batcher(given -> given.callbacks(held::add));
        writer.submit("a", Item.of("a")).whenComplete((value, error) -> {});
        rig.next().done();
        assertThat(writer.flushAndWait()).isEqualTo(new FlushCounts(1, 0));
        assertThat(held).hasSize(1);
    }

    @Test
    @DisplayName("BATCH-8 M8: a flush that is waited for in a callback, on the only callback thread, ends")
    void isSafeInACallback() throws InterruptedException {
        ExecutorService only = Executors.newSingleThreadExecutor();
        AtomicReference<FlushCounts> report = new AtomicReference<>();
        CountDownLatch over = new CountDownLatch(1);
        try {
            BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                            new Item.Descriptor(), batch -> Mono.just(Sent.allDone(batch)))
                    .callbacks(TestCallbacks.on(only))
                    .build();
            Batcher<String, Item, String> writer = lanes.batcher(TestSettings.defaults());
            writer.submit("a", Item.of("a")).whenComplete((value, error) -> {
                writer.submit("b", Item.of("b"));
                report.set(writer.flush().block());
                over.countDown();
            });
            assertThat(over.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(report.get()).isEqualTo(new FlushCounts(2, 0));
        } finally {
            only.shutdownNow();
        }
    }
}
