package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.batching.internal.engine.TestErrors.BufferFullException;
import io.stowline.batching.internal.engine.TestErrors.WaitInterruptedException;
import io.stowline.batching.internal.writer.Batcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;

class BufferTest {

    private final Rig rig = new Rig();
    private final List<String> ended = new ArrayList<>();

    private Disposable write(Batcher<String, Item, String> batcher, String key, Item item) {
        return batcher.write(key, item)
                .subscribe(ended::add, error -> ended.add(error.getClass().getSimpleName()));
    }

    @Test
    @DisplayName("BATCH-7: the buffer counts what is accepted and not terminal, in flight included")
    void countsInFlight() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(3));
        batcher.submit("a", Item.of("a"));
        batcher.submit("a", Item.of("b"));
        batcher.submit("b", Item.of("c"));
        assertThat(batcher.bufferedItems()).isEqualTo(3);
        assertThat(batcher.bufferedBytes()).isEqualTo(30);
        assertThatThrownBy(() -> batcher.offer("c", Item.of("d")))
                .isInstanceOf(BufferFullException.class)
                .hasMessageContaining("3 of 3 items");
        assertThat(rig.lanes.laneCount()).isEqualTo(2);
        rig.finishAll();
        assertThat(batcher.bufferedItems()).isZero();
        assertThat(batcher.bufferedBytes()).isZero();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-7: the buffer is bounded in bytes")
    void boundsBytes() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferBytes(1_000));
        batcher.offer("a", new Item("a", 600, 0));
        batcher.offer("b", new Item("b", 400, 0));
        assertThatThrownBy(() -> batcher.offer("c", new Item("c", 1, 0))).isInstanceOf(BufferFullException.class);
    }

    @Test
    @DisplayName("BATCH-7: a buffer without room for one batch is refused")
    void refusesATinyBuffer() {
        assertThatThrownBy(() -> rig.batcher(given -> given.bufferBytes(999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bufferBytes")
                .hasMessageContaining("1000");
    }

    @Test
    @DisplayName("BATCH-7: a lane beyond its share of items holds up only its own submitters")
    void boundsALanesItems() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(2_400));
        for (int i = 0; i < 300; i++) {
            batcher.offer("slow", Item.of("e" + i));
        }
        assertThatThrownBy(() -> batcher.offer("slow", Item.of("x")))
                .isInstanceOf(BufferFullException.class)
                .hasMessageContaining("300 items");
        batcher.offer("other", Item.of("x"));
        assertThat(batcher.bufferedItems()).isEqualTo(301);
    }

    @Test
    @DisplayName("BATCH-7: a lane beyond its share of bytes holds up only its own submitters")
    void boundsALanesBytes() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferBytes(4_000));
        batcher.offer("slow", new Item("a", 900, 0));
        batcher.offer("slow", new Item("b", 100, 0));
        assertThatThrownBy(() -> batcher.offer("slow", new Item("c", 1, 0))).isInstanceOf(BufferFullException.class);
        batcher.offer("other", new Item("c", 900, 0));
    }

    @Test
    @DisplayName("BATCH-7: the shares of two writers in one lane do not mix")
    void keepsSharesApart() {
        Batcher<String, Item, String> one = rig.batcher(given -> given.bufferItems(200));
        for (int i = 0; i < 200; i++) {
            one.offer("k", Item.of("e" + i));
        }
        Batcher<String, Item, String> two = rig.batcher(given -> given.bufferItems(200));
        two.offer("k", Item.of("x"));
        assertThat(two.bufferedItems()).isEqualTo(1);
    }

    @Test
    @DisplayName("BATCH-7: who waits for the buffer is served in order, and nobody goes before")
    void servesInOrder() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferBytes(1_000));
        batcher.offer("a", new Item("a", 900, 0));
        write(batcher, "b", new Item("large", 500, 1));
        write(batcher, "c", new Item("small", 10, 2));
        assertThatThrownBy(() -> batcher.offer("d", new Item("late", 10, 3))).isInstanceOf(BufferFullException.class);
        assertThat(rig.sent).hasSize(1);
        rig.finishAll();
        assertThat(ended).containsExactly("done large 1", "done small 2");
    }

    @Test
    @DisplayName("BATCH-7: who waits for its lane's share does not hold up others")
    void passesOverALanesWaiters() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(400));
        for (int i = 0; i < 200; i++) {
            batcher.offer("slow", Item.of("e" + i));
        }
        write(batcher, "slow", Item.of("waits", 1));
        write(batcher, "other", Item.of("x", 2));
        assertThat(rig.sent).hasSize(2);
        rig.sent.get(1).done();
        assertThat(ended).containsExactly("done x 2");
        rig.finishAll();
        assertThat(ended).containsExactly("done x 2", "done waits 1");
    }

    @Test
    @DisplayName("BATCH-7: the waiters of one lane stay in order although a smaller one would fit")
    void keepsALanesWaitersInOrder() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferBytes(8_000));
        batcher.offer("slow", new Item("first", 100, 0));
        batcher.offer("slow", new Item("a", 800, 0));
        write(batcher, "slow", new Item("b", 300, 1));
        write(batcher, "slow", new Item("c", 10, 2));
        assertThatThrownBy(() -> batcher.offer("slow", new Item("d", 10, 3))).isInstanceOf(BufferFullException.class);
        rig.next().done();
        assertThat(batcher.bufferedItems()).isEqualTo(1);
        rig.finishAll();
        assertThat(ended).containsExactly("done b 1", "done c 2");
    }

    @Test
    @DisplayName("BATCH-7 BATCH-2: when memory is short, lingering lanes are sent, fullest first")
    void sendsWhenShort() {
        Rig narrow = new Rig(given -> given.maxBatchesInFlight(1));
        Batcher<String, Item, String> batcher =
                narrow.batcher(given -> given.linger(Duration.ofHours(1)).bufferBytes(1_000));
        batcher.offer("light", new Item("a", 300, 0));
        batcher.offer("heavy", new Item("b", 600, 0));
        assertThat(narrow.isQuiet()).isTrue();
        write(batcher, "new", new Item("c", 200, 1));
        assertThat(narrow.next().batch.key()).isEqualTo("heavy");
        narrow.sent.get(0).done();
        assertThat(narrow.next().batch.key()).isEqualTo("light");
    }

    @Test
    @DisplayName("BATCH-7 BATCH-2: a lingering lane is sent when somebody waits for its share")
    void sendsALaneThatIsWaitedFor() {
        Rig wide = new Rig(given -> given.limits(1_000, 100_000, 0));
        Batcher<String, Item, String> batcher =
                wide.batcher(given -> given.linger(Duration.ofHours(1)).bufferItems(400));
        for (int i = 0; i < 200; i++) {
            batcher.offer("k", Item.of("e" + i));
        }
        assertThat(wide.isQuiet()).isTrue();
        write(batcher, "k", Item.of("x", 1));
        assertThat(wide.next().entities()).hasSize(200);
    }

    @Test
    @DisplayName("BATCH-7 BATCH-10: who gives up waiting lets the next one through")
    void letsTheNextThrough() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferBytes(1_000));
        batcher.offer("a", new Item("a", 900, 0));
        Disposable large = write(batcher, "b", new Item("large", 500, 1));
        write(batcher, "c", new Item("small", 10, 2));
        large.dispose();
        assertThat(batcher.bufferedItems()).isEqualTo(2);
        rig.finishAll();
        assertThat(ended).containsExactly("done small 2");
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-7: submit gives up after its timeout, with nothing accepted")
    void timesOut() {
        Batcher<String, Item, String> batcher =
                rig.batcher(given -> given.bufferItems(1).submitTimeout(Duration.ofMillis(1)));
        batcher.submit("a", Item.of("a"));
        assertThatThrownBy(() -> batcher.submit("b", Item.of("b")))
                .isInstanceOf(BufferFullException.class)
                .hasMessageContaining("within PT0.001S");
        rig.finishAll();
        assertThat(rig.sent).hasSize(1);
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-7: an interrupted submit accepts nothing and keeps the flag")
    void isInterruptible() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(1));
        batcher.submit("a", Item.of("a"));
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> batcher.submit("b", Item.of("b"))).isInstanceOf(WaitInterruptedException.class);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        rig.finishAll();
        assertThat(rig.sent).hasSize(1);
    }

    @Test
    @DisplayName("BATCH-7: submit refuses to block a thread that must not")
    void refusesToBlockAReactorThread() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(1));
        AtomicBoolean refused = new AtomicBoolean();
        batcher.submit("a", Item.of("a"));
        reactor.core.publisher.Mono.fromRunnable(() -> assertThatThrownBy(() -> batcher.submit("b", Item.of("b")))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("the reactive() face"))
                .subscribeOn(Schedulers.parallel())
                .doOnSuccess(end -> refused.set(true))
                .block();
        assertThat(refused).isTrue();
        assertThat(batcher.bufferedItems()).isEqualTo(1);
    }

    @Test
    @DisplayName("BATCH-15: buffered items and bytes can be read as gauges")
    void showsWhatACrashLoses() {
        Batcher<String, Item, String> batcher = rig.batcher();
        batcher.submit("a", new Item("a", 123, 0));
        batcher.submit("a", new Item("b", 77, 0));
        assertThat(batcher.bufferedItems()).isEqualTo(2);
        assertThat(batcher.bufferedBytes()).isEqualTo(200);
    }
}
