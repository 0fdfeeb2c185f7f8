package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.engine.TestErrors.GaveUpException;
import io.stowline.batching.internal.engine.TestErrors.UncollectedFailuresException;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.FailedItem;
import io.stowline.batching.internal.writer.PendingItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

class GiveUpTest {

    private static final Duration AFTER = Duration.ofMinutes(1);

    private final Rig rig = new Rig();
    private final List<FailedItem> reported = new ArrayList<>();
    private final Batcher<String, Item, String> batcher =
            rig.batcher(given -> given.giveUpAfter(AFTER).onFailure(reported::add));

    private @Nullable Throwable closed() {
        AtomicReference<Throwable> end = new AtomicReference<>();
        var unused = batcher.closeAsync().subscribe(nothing -> {}, end::set);
        return end.get();
    }

    @Test
    @DisplayName("BATCH-16: a writer that tries in vain for its whole time breaks in one error with counts")
    void breaksInOneError() {
        batcher.submit("k", Item.of("ok")).whenComplete((value, error) -> {});
        rig.next().done();
        PendingItem<String> failed = batcher.submit("k", Item.of("a"));
        rig.next().response(new BatchReply.BatchFailed<>(new IllegalStateException("dead")));
        PendingItem<String> inFlight = batcher.submit("k", Item.of("b"));
        List<PendingItem<String>> queued = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            queued.add(batcher.submit("k", Item.of("q" + i)));
        }
        rig.pass(AFTER.minusMillis(1));
        assertThat(queued.get(0).isDone()).isFalse();
        rig.pass(Duration.ofMillis(1));

        assertThat(queued).allMatch(PendingItem::isDone);
        assertThatThrownBy(() -> queued.get(7).await())
                .isInstanceOfSatisfying(GaveUpException.class, error -> {
                    assertThat(error.after()).isEqualTo(AFTER);
                    assertThat(error.unsent()).isEqualTo(200);
                    assertThat(error.inFlight()).isEqualTo(1);
                    assertThat(error.failed()).isEqualTo(1);
                    assertThat(error.succeeded()).isEqualTo(1);
                })
                .hasRootCauseMessage("dead");
        assertThatThrownBy(() -> batcher.submit("k", Item.of("new"))).isInstanceOf(GaveUpException.class);
        assertThat(rig.sent.get(2).batch.wantsAttempt(false)).isFalse();
        assertThat(rig.sent.get(2).batch.wantsAttempt(true)).isTrue();
        assertThat(failed.isDone() && !inFlight.isDone()).isTrue();
        rig.next().response(new BatchReply.BatchFailed<>(new IllegalStateException("dead too")));
        assertThat(inFlight.isDone()).isTrue();
        assertThat(closed()).isInstanceOf(GaveUpException.class);
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-16: the close of a writer that gave up throws an exception of its own, with the failures that"
            + " nobody took")
    @SuppressWarnings("UnnecessaryAsync") // a holder for the lambda
    void closesWithItsOwn() {
        batcher.submit("k", Item.of("a"));
        batcher.submit("k", Item.of("b"));
        rig.pass(AFTER);
        rig.next().response(new BatchReply.BatchFailed<>(new IllegalStateException("dead")));
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        try {
            batcher.submit("k", Item.of("c"));
        } catch (GaveUpException gaveUp) {
            refusal.set(gaveUp);
        }
        Throwable end = closed();
        assertThat(end).isInstanceOf(GaveUpException.class).isNotSameAs(refusal.get());
        assertThat(end.getSuppressed()).hasSize(1);
        assertThat(end.getSuppressed()[0]).isInstanceOf(UncollectedFailuresException.class);
    }

    @Test
    @DisplayName("BATCH-16: a response about an item counts as a success, also when it refuses the item")
    void refusalsAreResponses() {
        for (int i = 0; i < 10; i++) {
            batcher.submit("k", Item.of("e" + i)).whenComplete((value, error) -> {});
            batcher.submit("k", Item.of("f" + i)).whenComplete((value, error) -> {});
            rig.pass(Duration.ofSeconds(20));
            rig.next().parts(List.of(new ItemReply.ItemFailed<>(new IllegalStateException("exists"))));
            rig.next().parts(List.of(new ItemReply.ItemFailed<>(new IllegalStateException("exists"))));
        }
        assertThat(batcher.submit("k", Item.of("new")).isDone()).isFalse();
        assertThat(reported).hasSize(20);
    }

    @Test
    @DisplayName("BATCH-16: time counts only while the writer has something to deliver")
    void restsWhenIdle() {
        for (int i = 0; i < 5; i++) {
            batcher.submit("k", Item.of("e" + i)).whenComplete((value, error) -> {});
            rig.pass(Duration.ofSeconds(40));
            rig.next().response(new BatchReply.BatchFailed<>(new IllegalStateException("dead")));
            rig.pass(Duration.ofHours(1));
        }
        assertThat(batcher.submit("k", Item.of("new")).isDone()).isFalse();
    }

    @Test
    @DisplayName("BATCH-16: what is still in flight beside a success has the whole time again")
    void countsFromTheLastSuccess() {
        batcher.submit("dead", Item.of("a"));
        batcher.submit("dead", Item.of("b"));
        rig.pass(Duration.ofSeconds(50));
        batcher.submit("well", Item.of("c"));
        rig.sent.get(1).done();
        rig.pass(AFTER.minusMillis(1));
        assertThat(batcher.bufferedItems()).isEqualTo(2);
        rig.pass(Duration.ofMillis(1));
        assertThat(batcher.bufferedItems()).isEqualTo(1);
    }

    @Test
    @DisplayName("BATCH-16: a writer that shall not give up goes on")
    void goesOn() {
        Batcher<String, Item, String> stubborn =
                rig.batcher(given -> given.withoutGivingUp().withoutDeliveryTimeout());
        stubborn.submit("k", Item.of("a"));
        PendingItem<String> queued = stubborn.submit("k", Item.of("b"));
        rig.pass(Duration.ofDays(3));
        rig.finishAll();
        assertThat(queued.toFuture()).isCompletedWithValue("done b 0");
    }

    @Test
    @DisplayName("BATCH-16: one timer looks after all writers, however many succeed")
    void setsFewTimers() {
        for (int i = 0; i < 10_000; i++) {
            batcher.submit("k" + i, Item.of("e" + i)).whenComplete((value, error) -> {});
            rig.next().done();
        }
        assertThat(rig.time.getScheduledTaskCount()).isLessThan(10);
        rig.pass(AFTER.multipliedBy(3));
        assertThat(batcher.submit("k", Item.of("new")).isDone()).isFalse();
    }

    @Test
    @DisplayName("BATCH-16: every item that fails is told to the listener, taken or not, and no other")
    void tellsOfEveryFailure() {
        batcher.submit("k", Item.of("a", 1)).whenComplete((value, error) -> {});
        batcher.submit("k", Item.of("b", 2));
        PendingItem<String> cancelled = batcher.submit("k", Item.of("c", 3));
        batcher.submit("k", Item.of("d", 4));
        cancelled.cancel();
        IllegalStateException bad = new IllegalStateException("bad");
        rig.next().response(new BatchReply.BatchFailed<>(bad));
        rig.next().culprits(bad, "b");
        rig.next().done();

        assertThat(reported).extracting(FailedItem::item).containsExactly(Item.of("a", 1), Item.of("b", 2));
        assertThat(reported).allMatch(failure -> failure.cause() == bad);
    }

    @Test
    @DisplayName("BATCH-13: a listener that throws is counted, and nothing else fails")
    void throwingListener() {
        Batcher<String, Item, String> careless = rig.batcher(given -> given.onFailure(failure -> {
            throw new IllegalStateException("listener");
        }));
        PendingItem<String> failed = careless.submit("k", Item.of("a"));
        rig.next().response(new BatchReply.BatchFailed<>(new IllegalStateException("bad")));
        assertThat(failed.isDone()).isTrue();
        assertThat(rig.lanes.callbackFailures()).isEqualTo(1);
    }

    @Test
    @DisplayName("BATCH-16: a thread that must not block is refused at once, also when there is room")
    void refusesAnEventLoop() {
        Scheduler eventLoop = Schedulers.newParallel("an-event-loop", 1);
        try {
            AtomicReference<Throwable> refusal = new AtomicReference<>();
            reactor.core.publisher.Mono.fromRunnable(() -> batcher.submit("k", Item.of("a")))
                    .subscribeOn(eventLoop)
                    .onErrorResume(error -> {
                        refusal.set(error);
                        return reactor.core.publisher.Mono.empty();
                    })
                    .block(Duration.ofSeconds(30));
            assertThat(refusal.get())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("an-event-loop")
                    .hasMessageContaining("the reactive() face");
            assertThat(batcher.bufferedItems()).isZero();
        } finally {
            eventLoop.dispose();
        }
    }
}
