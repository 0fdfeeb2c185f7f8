package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.batching.internal.engine.TestErrors.BufferFullException;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.FlushCounts;
import io.stowline.batching.internal.writer.PendingItem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Terminal items take room in the buffer until their callbacks have run. */
@Timeout(60)
class UndeliveredTest {

    private final Rig rig = Rig.recording();
    private final List<String> called = new ArrayList<>();

    private void offer(Batcher<String, Item, String> batcher, String key, int id) {
        batcher.offer(key, Item.of("e" + id, id)).whenComplete((value, error) -> called.add(value + ""));
    }

    @Test
    @DisplayName("BATCH-7: with blocked callbacks no more is accepted than the buffer holds, however fast the service")
    void boundsResults() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(50));
        int accepted = 0;
        for (int i = 0; i < 1_000; i++) {
            try {
                offer(batcher, "k" + i, i);
                accepted++;
            } catch (BufferFullException full) {
                assertThat(full).hasMessageContaining("50 of 50 items").hasMessageContaining("50 results");
            }
            rig.finishAll();
        }
        assertThat(accepted).isEqualTo(50);
        assertThat(batcher.bufferedItems()).isZero();
        assertThat(batcher.bufferedBytes()).isZero();
        assertThat(batcher.undeliveredItems()).isEqualTo(50);
        assertThat(rig.lanes.laneCount()).isZero();
        rig.runCallbacks();
        assertThat(called).hasSize(50);
        assertThat(batcher.undeliveredItems()).isZero();
        offer(batcher, "k", 1_000);
    }

    @Test
    @DisplayName("BATCH-7: the bytes of results that wait for callbacks are bounded, too")
    void boundsBytes() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferBytes(1_000));
        batcher.offer("a", new Item("a", 900, 0)).whenComplete((value, error) -> called.add(value));
        rig.finishAll();
        assertThatThrownBy(() -> batcher.offer("a", new Item("b", 101, 0))).isInstanceOf(BufferFullException.class);
        batcher.offer("a", new Item("b", 100, 0));
        rig.runCallbacks();
        batcher.offer("c", new Item("c", 900, 0));
    }

    @Test
    @DisplayName("BATCH-7: an item counts until the last of its callbacks has run, also of one that came late or threw")
    void countsEachCallback() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(1));
        PendingItem<String> submission = batcher.offer("a", Item.of("a"));
        rig.finishAll();
        assertThat(batcher.undeliveredItems()).isZero();
        submission.whenComplete((value, error) -> {
            throw new IllegalStateException("from the callback");
        });
        submission.whenComplete((value, error) -> called.add("late"));
        assertThat(batcher.undeliveredItems()).isEqualTo(1);
        assertThatThrownBy(() -> batcher.offer("a", Item.of("b"))).isInstanceOf(BufferFullException.class);
        rig.runCallbacks();
        assertThat(batcher.undeliveredItems()).isZero();
        batcher.offer("a", Item.of("b"));
    }

    @Test
    @DisplayName("BATCH-7: waiters are let in when callbacks have run")
    void letsWaitersIn() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(1));
        offer(batcher, "a", 1);
        rig.finishAll();
        var unused = batcher.write("b", Item.of("b", 2)).subscribe(called::add);
        assertThat(rig.isQuiet()).isTrue();
        rig.runCallbacks();
        rig.next().done();
        rig.runCallbacks();
        assertThat(called).containsExactly("done e1 1", "done b 2");
        assertThat(batcher.undeliveredItems()).isZero();
    }

    @Test
    @DisplayName("BATCH-8 BATCH-9: neither a flush nor a close waits for callbacks")
    void keepsNoBarrierWaiting() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(1));
        offer(batcher, "a", 1);
        rig.finishAll();
        AtomicReference<FlushCounts> report = new AtomicReference<>();
        var flushed = batcher.flush().subscribe(report::set);
        batcher.close();
        assertThat(batcher.isClosed()).isTrue();
        rig.runCallbacks();
        assertThat(report).hasValue(new FlushCounts(1, 0));
        assertThat(flushed.isDisposed()).isTrue();
    }

    @Test
    @DisplayName("BATCH-13 BATCH-7: a submit in a callback is refused when only callbacks could make room for it,"
            + " beyond twice the bound; a reactive one goes on")
    void refusesACallbackThatWaitsForCallbacks() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(1));
        PendingItem<String> first = batcher.offer("a", Item.of("a"));
        rig.finishAll();
        PendingItem<String> second = batcher.offer("a", Item.of("b"));
        rig.finishAll();
        first.whenComplete((value, error) -> {
            assertThatThrownBy(() -> batcher.submit("b", Item.of("b")))
                    .isInstanceOf(BufferFullException.class)
                    .hasMessageContaining("callback")
                    .hasMessageContaining("2 of 1 items");
            var unused = batcher.write("b", Item.of("c")).subscribe(called::add);
            assertThat(batcher.bufferedItems()).isEqualTo(1);
        });
        second.whenComplete((value, error) -> {});
        rig.runCallbacks();
        rig.finishAll();
        rig.runCallbacks();
        assertThat(called).containsExactly("done c 0");
        assertThat(rig.lanes.callbackFailures()).isZero();
    }

    @Test
    @DisplayName("BATCH-13 BATCH-7: in a callback a submit takes room by the operations, and not by the results for"
            + " callbacks")
    void admitsWhatACallbackAsksFor() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(1));
        batcher.offer("a", Item.of("a")).whenComplete((value, error) -> batcher.submit("b", Item.of("b")));
        rig.finishAll();
        assertThatThrownBy(() -> batcher.offer("c", Item.of("c"))).isInstanceOf(BufferFullException.class);
        rig.runCallbacks();
        assertThat(batcher.bufferedItems()).isEqualTo(1);
        assertThat(rig.lanes.callbackFailures()).isZero();
    }

    @Test
    @DisplayName("BATCH-13 BATCH-7: what a callback asked for that has returned waits in line as any other")
    void boundsChainsOfCallbacks() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(10));
        for (int i = 0; i < 10; i++) {
            batcher.offer("k" + i, Item.of("e" + i, i)).whenComplete((value, error) -> submitTwice(batcher));
        }
        for (int i = 0; i < 50; i++) {
            rig.finishAll();
            assertThat(batcher.undeliveredItems()).isLessThanOrEqualTo(30);
            rig.runCallbacks(10);
            assertThat(batcher.bufferedItems()).isLessThanOrEqualTo(10);
        }
    }

    private void submitTwice(Batcher<String, Item, String> batcher) {
        for (int i = 0; i < 2; i++) {
            var unused = batcher.write("k" + i, Item.of("n")).subscribe(value -> submitTwice(batcher));
        }
    }

    @Test
    @DisplayName("BATCH-7 BATCH-10: a cancelled item gives its room back when its callbacks have run")
    void releasesWhatIsCancelled() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(2));
        offer(batcher, "a", 1);
        PendingItem<String> queued = batcher.offer("a", Item.of("a", 2));
        queued.whenComplete((value, error) -> called.add(error.getClass().getSimpleName()));
        assertThat(queued.cancel()).isTrue();
        assertThat(batcher.bufferedItems()).isEqualTo(1);
        assertThatThrownBy(() -> offer(batcher, "b", 3)).isInstanceOf(BufferFullException.class);
        rig.runCallbacks();
        offer(batcher, "b", 3);
        rig.finishAll();
        rig.runCallbacks();
        assertThat(called).containsExactly("CancellationException", "done e1 1", "done e3 3");
        assertThat(batcher.undeliveredItems()).isZero();
    }
}
