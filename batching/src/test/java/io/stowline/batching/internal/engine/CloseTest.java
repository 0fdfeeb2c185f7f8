package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.engine.TestErrors.BufferFullException;
import io.stowline.batching.internal.engine.TestErrors.ClosedException;
import io.stowline.batching.internal.engine.TestErrors.LeftoverException;
import io.stowline.batching.internal.engine.TestErrors.UncollectedFailuresException;
import io.stowline.batching.internal.engine.TestErrors.WaitInterruptedException;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

class CloseTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final IllegalStateException bad = new IllegalStateException("bad");
    private final Rig rig = new Rig();
    private final Batcher<String, Item, String> batcher = rig.batcher(given -> given.linger(Duration.ofHours(1)));

    private static List<Object> watch(Mono<Void> end) {
        List<Object> signals = new ArrayList<>();
        var unused = end.subscribe(nothing -> {}, signals::add, () -> signals.add("closed"));
        return signals;
    }

    @Test
    @DisplayName("BATCH-9: a close refuses new items, sends what lingers, and ends when it is terminal")
    void sendsTheRest() {
        PendingItem<String> submission = batcher.submit("a", Item.of("a"));
        List<Object> close = watch(batcher.closeAsync());
        assertThatThrownBy(() -> batcher.submit("a", Item.of("b"))).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> batcher.offer("a", Item.of("b"))).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> batcher.write("a", Item.of("b")).block()).isInstanceOf(ClosedException.class);
        assertThat(close).isEmpty();
        rig.next().done();
        assertThat(close).containsExactly("closed");
        assertThat(submission.isDone()).isTrue();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-9: a writer with nothing buffered closes at once, and again")
    void isIdempotent() {
        batcher.close();
        assertThatCode(batcher::close).doesNotThrowAnyException();
        assertThat(watch(batcher.closeAsync())).containsExactly("closed");
    }

    @Test
    @DisplayName("BATCH-9 M10: with a sender that never answers the deadline fails the leftovers, with the item inside")
    void failsLeftovers() {
        Item first = Item.of("a", 1);
        Item second = Item.of("b", 2);
        Batcher<String, Item, String> quick = rig.batcher(TestSettings::withoutDeliveryTimeout);
        PendingItem<String> inFlight = quick.submit("k", first);
        PendingItem<String> queued = quick.submit("k", second);
        List<Object> close = watch(quick.closeAsync());
        rig.pass(TIMEOUT.minusMillis(1));
        assertThat(close).isEmpty();
        rig.pass(Duration.ofMillis(1));
        assertThatThrownBy(inFlight::await).isInstanceOfSatisfying(LeftoverException.class, leftover -> {
            assertThat(leftover.item()).isEqualTo(first);
            assertThat(leftover.sent()).isTrue();
        });
        assertThatThrownBy(queued::await).isInstanceOfSatisfying(LeftoverException.class, leftover -> {
            assertThat(leftover.item()).isEqualTo(second);
            assertThat(leftover.sent()).isFalse();
        });
        assertThat(close).hasSize(1);
        assertThat(quick.bufferedItems()).isZero();
        rig.next().done();
        assertThat(rig.isQuiet()).isTrue();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-9: leftovers of a stopped entity are leftovers")
    void failsStoppedEntitiesAsLeftovers() {
        Batcher<String, Item, String> quick =
                rig.batcher(given -> given.stopEntityOnFailure(true).withoutDeliveryTimeout());
        quick.submit("k", Item.of("a", 1));
        PendingItem<String> second = quick.submit("k", Item.of("a", 2));
        watch(quick.closeAsync());
        rig.pass(TIMEOUT);
        assertThatThrownBy(second::await).isInstanceOf(LeftoverException.class);
    }

    @Test
    @DisplayName("BATCH-9: the deadline of one writer leaves the items of others alone")
    void leavesOthersAlone() {
        Batcher<String, Item, String> one = rig.batcher(TestSettings::withoutDeliveryTimeout);
        one.submit("k", Item.of("first"));
        one.submit("k", Item.of("a"));
        PendingItem<String> other =
                rig.batcher(TestSettings::withoutDeliveryTimeout).submit("k", Item.of("b"));
        watch(one.closeAsync());
        rig.pass(TIMEOUT);
        rig.next().done();
        Sent second = rig.next();
        assertThat(second.entities()).containsExactly("b");
        second.done();
        assertThat(other.toFuture()).isCompletedWithValue("done b 0");
    }

    @Test
    @DisplayName("BATCH-9: who waits for room when the writer closes is refused")
    void refusesWaiters() {
        Batcher<String, Item, String> small = rig.batcher(given -> given.bufferItems(1));
        small.submit("a", Item.of("a"));
        List<Throwable> errors = new ArrayList<>();
        var unused = small.write("b", Item.of("b")).subscribe(value -> {}, errors::add);
        watch(small.closeAsync());
        assertThat(errors).singleElement().isInstanceOf(ClosedException.class);
        rig.finishAll();
        assertThat(rig.sent).hasSize(1);
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-9: an explicit close within try-with-resources throws the failures, not a complaint of the JVM")
    @SuppressWarnings("try") // the explicit close is what is tested
    void closesTwiceInOneBlock() {
        assertThatThrownBy(() -> {
                    try (Batcher<String, Item, String> twice = rig.batcher()) {
                        twice.submit("a", Item.of("a"));
                        rig.next().response(new BatchReply.BatchFailed<>(bad));
                        twice.close();
                    }
                })
                .isInstanceOf(UncollectedFailuresException.class)
                .hasCause(bad)
                .satisfies(thrown -> assertThat(thrown.getSuppressed())
                        .singleElement()
                        .isInstanceOf(UncollectedFailuresException.class)
                        .isNotSameAs(thrown));
    }

    @Test
    @DisplayName("BATCH-9: failures can be taken before the close, which then no longer throws them")
    void handsOutFailures() {
        Batcher<String, Item, String> quick = rig.batcher();
        assertThat(quick.takeFailures()).isEmpty();
        PendingItem<String> submission = quick.submit("a", Item.of("a"));
        rig.next().response(new BatchReply.BatchFailed<>(bad));
        assertThat(quick.takeFailures()).get().satisfies(taken -> {
            assertThat(taken.failures()).singleElement().satisfies(failure -> {
                assertThat(failure.item()).isEqualTo(Item.of("a"));
                assertThat(failure.cause()).isSameAs(bad);
            });
        });
        assertThat(quick.takeFailures()).isEmpty();
        assertThatThrownBy(submission::await).isSameAs(bad);
        assertThatCode(quick::close).doesNotThrowAnyException();
    }

    @Test
    @DisplayName(
            "BATCH-7 BATCH-9: failures that are kept take at most an eighth of the buffer, and leave room for the rest")
    void boundsWhatFailuresKeep() {
        Batcher<String, Item, String> quick = rig.batcher(given -> given.bufferBytes(4_000));
        for (int i = 0; i < 10; i++) {
            quick.submit("a", new Item("e", 200, i));
            rig.next().response(new BatchReply.BatchFailed<>(bad));
        }
        quick.submit("a", new Item("a", 900, 0));
        quick.submit("b", new Item("a", 900, 0));
        quick.submit("c", new Item("a", 900, 0));
        quick.submit("d", new Item("a", 900, 0));
        assertThatThrownBy(() -> quick.offer("e", new Item("a", 1, 0)))
                .isInstanceOf(BufferFullException.class)
                .hasMessageContaining("4000 of 4000 bytes");
        assertThat(quick.takeFailures()).get().satisfies(taken -> {
            assertThat(taken.kinds().values()).containsExactly(10L);
            assertThat(taken.failures()).hasSize(2);
        });
        quick.offer("e", new Item("a", 400, 0));
        rig.finishAll();
        assertThat(quick.bufferedItems()).isZero();
    }

    @Test
    @DisplayName("BATCH-7: an idle writer admits an item of any size, whatever its failures keep")
    void admitsWhenIdle() {
        Batcher<String, Item, String> quick = rig.batcher(given -> given.bufferBytes(1_000));
        quick.submit("a", new Item("e", 900, 0));
        rig.next().response(new BatchReply.BatchFailed<>(bad));
        quick.offer("a", new Item("e", 900, 1));
        rig.next().done();
        assertThat(quick.takeFailures()).get().satisfies(taken -> assertThat(taken.failures())
                .hasSize(1));
    }

    @Test
    @DisplayName("BATCH-9: failures whose results nobody took are thrown, with item, cause and counts by kind")
    void throwsUncollectedFailures() {
        Batcher<String, Item, String> quick = rig.batcher();
        Item item = Item.of("a", 1);
        quick.submit("a", item);
        rig.next().response(new BatchReply.BatchFailed<>(bad));
        quick.submit("b", Item.of("b"));
        rig.next().response(new BatchReply.BatchFailed<>(new IllegalArgumentException("worse")));
        quick.submit("c", Item.of("c"));
        rig.next().done();
        assertThatThrownBy(quick::close).isInstanceOfSatisfying(UncollectedFailuresException.class, thrown -> {
            assertThat(thrown.count()).isEqualTo(2);
            assertThat(thrown.kinds())
                    .containsEntry(IllegalStateException.class, 1L)
                    .containsEntry(IllegalArgumentException.class, 1L);
            assertThat(thrown.failures().get(0).item()).isEqualTo(item);
            assertThat(thrown.failures().get(0).cause()).isSameAs(bad);
            assertThat(thrown).hasCause(bad);
        });
        assertThatThrownBy(quick::close).isInstanceOf(UncollectedFailuresException.class);
    }

    @Test
    @DisplayName("BATCH-9: a result that was taken, before or after it failed, is not thrown")
    void doesNotThrowWhatWasTaken() {
        Batcher<String, Item, String> quick = rig.batcher();
        PendingItem<String> before = quick.submit("a", Item.of("a"));
        before.whenComplete((value, error) -> {});
        PendingItem<String> after = quick.submit("b", Item.of("b"));
        var unused = quick.write("c", Item.of("c")).onErrorComplete().subscribe();
        while (!rig.isQuiet()) {
            rig.next().response(new BatchReply.BatchFailed<>(bad));
        }
        assertThatThrownBy(after::await).isSameAs(bad);
        assertThatCode(quick::close).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("BATCH-9 BATCH-10: the failure of an item whose caller was detached is thrown")
    void throwsDetachedFailures() {
        Batcher<String, Item, String> quick = rig.batcher();
        PendingItem<String> submission = quick.submit("a", Item.of("a"));
        assertThat(submission.cancel()).isFalse();
        rig.next().response(new BatchReply.BatchFailed<>(bad));
        assertThatThrownBy(quick::close).isInstanceOf(UncollectedFailuresException.class);
    }

    @Test
    @DisplayName("BATCH-9: the first 1,000 failures are kept and all are counted")
    void keepsTheFirstThousand() {
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(), batch -> Mono.error(bad))
                .callbacks(TestCallbacks.on(Runnable::run))
                .build();
        Batcher<String, Item, String> writer = lanes.batcher(TestSettings.defaults());
        for (int i = 0; i < 1_500; i++) {
            writer.submit("k", Item.of("a", i));
        }
        assertThatThrownBy(writer::close).isInstanceOfSatisfying(UncollectedFailuresException.class, thrown -> {
            assertThat(thrown.failures()).hasSize(1_000);
            assertThat(thrown.count()).isEqualTo(1_500);
        });
    }

    @Test
    @DisplayName("BATCH-9: a broken writer closes")
    void closesWhenBroken() {
        Batcher<String, Item, String> quick = rig.batcher();
        PendingItem<String> submission = quick.submit("a", Item.of("a"));
        submission.whenComplete((value, error) -> {});
        rig.next().response(new BatchReply.Doomed<>(bad));
        assertThatCode(quick::close).doesNotThrowAnyException();
        assertThatThrownBy(() -> quick.submit("a", Item.of("a"))).isSameAs(bad);
    }

    @Test
    @DisplayName("BATCH-9: close in a callback does not wait for what the callback keeps from ending")
    void isSafeInACallback() throws InterruptedException {
        ExecutorService only = Executors.newSingleThreadExecutor();
        CountDownLatch over = new CountDownLatch(1);
        Batcher<String, Item, String> writer = rig.batcher(given -> given.callbacks(only));
        try {
            writer.submit("a", Item.of("a")).whenComplete((value, error) -> {
                writer.submit("b", Item.of("b"));
                writer.close();
                over.countDown();
            });
            rig.next().done();
            assertThat(over.await(20, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> writer.offer("a", Item.of("c"))).isInstanceOf(ClosedException.class);
            rig.next().done();
            writer.close();
            assertThat(writer.bufferedItems()).isZero();
        } finally {
            only.shutdownNow();
        }
    }

    @Test
    @DisplayName("BATCH-9: close refuses to block a thread that must not, and goes on")
    void refusesToBlockAReactorThread() {
        Batcher<String, Item, String> quick = rig.batcher();
        quick.submit("a", Item.of("a"));
        assertThatThrownBy(() -> Mono.fromRunnable(quick::close)
                        .subscribeOn(Schedulers.parallel())
                        .block())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("goes on: close() of the reactive() face has its end");
        rig.next().done();
        assertThat(watch(quick.closeAsync())).containsExactly("closed");
    }

    @Test
    @DisplayName("BATCH-9: an interrupted close keeps the flag and goes on")
    void isInterruptible() {
        Batcher<String, Item, String> quick = rig.batcher();
        quick.submit("a", Item.of("a"));
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(quick::close).isInstanceOf(WaitInterruptedException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        rig.next().done();
        assertThat(watch(quick.closeAsync())).containsExactly("closed");
    }

    @Test
    @DisplayName("BATCH-9: closing the engine refuses everything new and ends when nothing is left")
    void closesTheEngine() {
        PendingItem<String> submission = batcher.submit("a", Item.of("a"));
        List<Object> close = watch(rig.lanes.closeAsync(TIMEOUT));
        assertThatThrownBy(() -> batcher.submit("a", Item.of("b"))).isInstanceOf(ClosedException.class);
        assertThatThrownBy(rig::batcher).isInstanceOf(ClosedException.class);
        assertThatThrownBy(
                        () -> rig.lanes.submitAtomic("a", List.of(Item.of("b"))).block())
                .isInstanceOf(ClosedException.class);
        assertThat(close).isEmpty();
        rig.next().done();
        assertThat(submission.isDone()).isTrue();
        assertThat(close).containsExactly("closed");
        assertThat(watch(rig.lanes.closeAsync(TIMEOUT))).containsExactly("closed");
    }

    @Test
    @DisplayName("BATCH-9: the deadline of the engine fails items and groups and stops the senders")
    void stopsTheSenders() {
        List<Object> group = new ArrayList<>();
        Batcher<String, Item, String> quick = rig.batcher();
        PendingItem<String> submission = quick.submit("a", Item.of("a"));
        var unused = rig.lanes.submitAtomic("a", List.of(Item.of("b"))).subscribe(results -> {}, group::add);
        List<Object> close = watch(rig.lanes.closeAsync(TIMEOUT));
        rig.pass(TIMEOUT);
        assertThat(close).containsExactly("closed");
        assertThatThrownBy(submission::await).isInstanceOf(LeftoverException.class);
        assertThat(group).singleElement().isInstanceOf(LeftoverException.class);
        assertThat(rig.next().isCancelled()).isTrue();
        assertThat(rig.lanes.batchesInFlight()).isZero();
        assertThat(rig.lanes.laneCount()).isZero();
    }
}
