package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@Timeout(60)
class CallbackTest {

    private final Rig rig = Rig.recording();
    private final Batcher<String, Item, String> batcher = rig.batcher();
    private final List<String> called = new ArrayList<>();

    @Test
    @DisplayName("BATCH-13: every way of delivery runs on the callback executor only")
    void runsOnTheExecutor() {
        PendingItem<String> submission = batcher.submit("k", Item.of("a"));
        submission.whenComplete((value, error) -> called.add("callback " + value));
        var first = submission.result().subscribe(value -> called.add("result " + value));
        CompletableFuture<Void> second = submission.toFuture().thenAccept(value -> called.add("future " + value));
        var third = batcher.write("other", Item.of("b")).subscribe(value -> called.add("write " + value));
        var fourth = batcher.flush().subscribe(report -> called.add("flush " + report.completed()));
        var fifth = batcher.closeAsync().subscribe(nothing -> {}, error -> {}, () -> called.add("close"));
        rig.next().done();
        rig.next().done();
        assertThat(called).isEmpty();
        rig.runCallbacks();
        assertThat(called)
                .containsExactly(
                        "callback done a 0",
                        "result done a 0",
                        "future done a 0",
                        "write done b 0",
                        "flush 2",
                        "close");
        assertThat(second).isCompleted();
        assertThat(List.of(first, third, fourth, fifth)).allMatch(reactor.core.Disposable::isDisposed);
    }

    @Test
    @DisplayName("BATCH-13: a callback that comes after the result runs on the executor too")
    void runsLateCallbacksOnTheExecutor() {
        PendingItem<String> submission = batcher.submit("k", Item.of("a"));
        rig.next().done();
        submission.whenComplete((value, error) -> called.add("late " + value));
        assertThat(called).isEmpty();
        rig.runCallbacks();
        assertThat(called).containsExactly("late done a 0");
    }

    @Test
    @DisplayName("BATCH-13: when a callback runs, the bookkeeping is done")
    void followsTheBookkeeping() {
        Rig direct = new Rig();
        Batcher<String, Item, String> writer = direct.batcher();
        writer.submit("k", Item.of("a"))
                .whenComplete((value, error) -> called.add(writer.bufferedItems() + " items, "
                        + direct.lanes.batchesInFlight() + " batches, " + direct.lanes.laneCount() + " lanes"));
        direct.next().done();
        assertThat(called).containsExactly("0 items, 0 batches, 0 lanes");
    }

    @Test
    @DisplayName("BATCH-13: callbacks may submit, cancel and flush")
    void mayCallTheEngine() {
        Rig direct = new Rig();
        Batcher<String, Item, String> writer = direct.batcher();
        writer.submit("k", Item.of("a")).whenComplete((value, error) -> {
            writer.submit("k", Item.of("b"));
            writer.submit("k", Item.of("c")).cancel();
            var unused = writer.flush().subscribe(report -> called.add("flushed"));
        });
        direct.next().done();
        assertThat(direct.next().entities()).containsExactly("b");
        assertThat(direct.isQuiet()).isTrue();
    }

    @Test
    @DisplayName("BATCH-13 BATCH-12: a throwing callback is counted and keeps nobody from being called")
    void countsThrowingCallbacks() {
        PendingItem<String> submission = batcher.submit("k", Item.of("a"));
        submission.whenComplete((value, error) -> {
            throw new IllegalStateException("from the callback");
        });
        submission.whenComplete((value, error) -> called.add("second"));
        rig.next().done();
        rig.runCallbacks();
        assertThat(called).containsExactly("second");
        assertThat(rig.lanes.callbackFailures()).isEqualTo(1);
    }

    @Test
    @DisplayName("BATCH-13: a writer may have its own executor")
    void usesTheWritersExecutor() {
        List<Runnable> own = new ArrayList<>();
        Batcher<String, Item, String> writer = rig.batcher(given -> given.callbacks(own::add));
        writer.submit("k", Item.of("a")).whenComplete((value, error) -> called.add("own"));
        rig.next().done();
        assertThat(rig.runCallbacks()).isZero();
        own.get(0).run();
        assertThat(called).containsExactly("own");
    }

    @Test
    @DisplayName("BATCH-13: an executor that refuses loses no result")
    void survivesARefusingExecutor() throws Exception {
        Batcher<String, Item, String> writer = rig.batcher(given -> given.callbacks(task -> {
            throw new RejectedExecutionException("full");
        }));
        AtomicReference<String> thread = new AtomicReference<>();
        CompletableFuture<String> result = writer.submit("k", Item.of("a"))
                .toFuture()
                .whenComplete(
                        (value, error) -> thread.set(Thread.currentThread().getName()));
        rig.next().done();
        assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("done a 0");
        assertThat(thread.get()).isEqualTo("test-callbacks");
        assertThat(rig.lanes.callbackFailures()).isEqualTo(1);
    }

    @Test
    @DisplayName("BATCH-13: await is woken without the callback executor")
    void awaitsWithoutTheExecutor() throws InterruptedException {
        PendingItem<String> submission = batcher.submit("k", Item.of("a"));
        AtomicReference<String> result = new AtomicReference<>();
        Thread waiting = new Thread(() -> {
            try {
                result.set(submission.await());
            } catch (InterruptedException interrupted) {
                result.set("interrupted");
            }
        });
        waiting.start();
        rig.next().done();
        waiting.join();
        assertThat(result).hasValue("done a 0");
    }

    @Test
    void awaitIsInterruptible() {
        PendingItem<String> submission = batcher.submit("k", Item.of("a"));
        Thread.currentThread().interrupt();
        assertThatThrownBy(submission::await).isInstanceOf(InterruptedException.class);
        assertThat(submission.isDone()).isFalse();
    }

    @Test
    void awaitRefusesToBlockAReactorThread() {
        PendingItem<String> submission = batcher.submit("k", Item.of("a"));
        assertThatThrownBy(() -> Mono.fromCallable(submission::await)
                        .subscribeOn(Schedulers.parallel())
                        .block())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("result()");
    }

    @Test
    void awaitThrowsUncheckedErrorsAsTheyAreAndWrapsOthers() {
        Error fatal = new AssertionError("fatal");
        Exception checked = new Exception("checked");
        PendingItem<String> one = batcher.submit("k", Item.of("a"));
        rig.next().error(fatal);
        PendingItem<String> two = batcher.submit("k", Item.of("a"));
        rig.next().error(checked);
        assertThatThrownBy(one::await).isSameAs(fatal);
        assertThatThrownBy(two::await)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isSameAs(checked);
    }
}
