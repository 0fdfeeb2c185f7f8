package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.batching.internal.engine.TestErrors.BufferFullException;
import io.stowline.batching.internal.engine.TestErrors.WaitInterruptedException;
import io.stowline.batching.internal.writer.Batcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;

/** The buffer admits as soon as there is room after a waiter gave up, for whatever reason. */
@Timeout(60)
class RoomReleaseTest {

    private final Rig rig = new Rig();
    private final List<String> ended = new ArrayList<>();

    private Disposable write(Batcher<String, Item, String> batcher, String key, Item item) {
        return batcher.write(key, item)
                .subscribe(ended::add, error -> ended.add(error.getClass().getSimpleName()));
    }

    /** Ends all that is in flight; then each mode must admit at once. */
    private void admitsAgain(Batcher<String, Item, String> batcher) {
        rig.finishAll();
        assertThat(batcher.bufferedItems()).isZero();
        assertThat(rig.lanes.laneCount()).isZero();
        batcher.offer("x", Item.of("fail-fast", 91));
        rig.finishAll();
        batcher.submit("x", Item.of("blocking", 92));
        rig.finishAll();
        ended.clear();
        write(batcher, "x", Item.of("reactive", 93));
        rig.finishAll();
        assertThat(ended).containsExactly("done reactive 93");
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-7: after a submit that timed out, the next one is accepted as soon as there is room")
    void afterASubmitTimeout() {
        Batcher<String, Item, String> batcher =
                rig.batcher(given -> given.bufferItems(1).submitTimeout(Duration.ofMillis(1)));
        batcher.submit("a", Item.of("a"));
        assertThatThrownBy(() -> batcher.submit("b", Item.of("b"))).isInstanceOf(BufferFullException.class);
        admitsAgain(batcher);
    }

    @Test
    @DisplayName("BATCH-7: after an interrupted submit, the next one is accepted as soon as there is room")
    void afterAnInterrupt() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(1));
        batcher.submit("a", Item.of("a"));
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> batcher.submit("b", Item.of("b"))).isInstanceOf(WaitInterruptedException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        admitsAgain(batcher);
    }

    @Test
    @DisplayName(
            "BATCH-7: after a submit that was interrupted while it waited, the next one is accepted as soon as there"
                    + " is room")
    void afterAnInterruptedWait() throws InterruptedException {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(1));
        batcher.submit("a", Item.of("a"));
        Thread waiting = new Thread(() -> {
            try {
                batcher.submit("b", Item.of("b"));
            } catch (WaitInterruptedException interrupted) {
                ended.add("interrupted");
            }
        });
        waiting.start();
        while (waiting.getState() != Thread.State.TIMED_WAITING) {
            LockSupport.parkNanos(100_000);
        }
        waiting.interrupt();
        waiting.join();
        assertThat(ended).containsExactly("interrupted");
        admitsAgain(batcher);
    }

    @Test
    @DisplayName("BATCH-7 BATCH-10: after a cancelled wait, the next one is accepted as soon as there is room")
    void afterACancel() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(1));
        batcher.submit("a", Item.of("a"));
        write(batcher, "b", Item.of("b")).dispose();
        admitsAgain(batcher);
    }

    @Test
    @DisplayName("BATCH-7: after a refused fail-fast submit, the next one is accepted as soon as there is room")
    void afterARefusal() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(1));
        batcher.submit("a", Item.of("a"));
        assertThatThrownBy(() -> batcher.offer("b", Item.of("b"))).isInstanceOf(BufferFullException.class);
        admitsAgain(batcher);
    }

    @Test
    @DisplayName("BATCH-7: a large waiter that gives up lets those behind it in at once, without another end")
    void letsThoseBehindIn() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferBytes(1_000));
        batcher.offer("a", new Item("a", 800, 0));
        Disposable large = write(batcher, "b", new Item("large", 500, 1));
        large.dispose();
        batcher.offer("c", new Item("small", 10, 2));
        assertThat(batcher.bufferedItems()).isEqualTo(2);
    }

    @Test
    @DisplayName("BATCH-7: no newcomer overtakes a large waiter that was passed over for want of room")
    void keepsALargeWaitersPlace() {
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferBytes(1_000));
        batcher.offer("a", new Item("a", 500, 0));
        batcher.offer("b", new Item("b", 400, 0));
        write(batcher, "c", new Item("large", 700, 1));
        rig.sent.get(1).done();
        assertThat(batcher.bufferedBytes()).isEqualTo(500);
        assertThatThrownBy(() -> batcher.offer("d", new Item("small", 10, 2)))
                .isInstanceOf(BufferFullException.class)
                .hasMessageContaining("1 submits for room");
        write(batcher, "d", new Item("small", 10, 3));
        assertThat(rig.sent).hasSize(2);
        rig.sent.get(0).done();
        rig.sent.get(2).done();
        rig.sent.get(3).done();
        assertThat(ended).containsExactly("done large 1", "done small 3");
    }

    @Test
    @DisplayName("BATCH-7 BATCH-2: a refused fail-fast submit has the lingering lanes of a full buffer sent")
    void sendsWhatLingersInAFullBuffer() {
        Batcher<String, Item, String> batcher =
                rig.batcher(given -> given.linger(Duration.ofHours(1)).bufferItems(2));
        batcher.offer("a", Item.of("a"));
        batcher.offer("b", Item.of("b"));
        assertThat(rig.isQuiet()).isTrue();
        assertThatThrownBy(() -> batcher.offer("c", Item.of("c"))).isInstanceOf(BufferFullException.class);
        assertThat(rig.finishAll()).isEqualTo(2);
        batcher.offer("c", Item.of("c"));
    }

    @Test
    @DisplayName("BATCH-7 BATCH-2: a refused fail-fast submit has the lingering lane of a full share sent")
    void sendsWhatLingersInAFullShare() {
        Rig wide = new Rig(given -> given.limits(1_000, 100_000, 0));
        Batcher<String, Item, String> batcher =
                wide.batcher(given -> given.linger(Duration.ofHours(1)).bufferItems(400));
        for (int i = 0; i < 200; i++) {
            batcher.offer("k", Item.of("e" + i));
        }
        batcher.offer("other", Item.of("a"));
        assertThatThrownBy(() -> batcher.offer("k", Item.of("x"))).isInstanceOf(BufferFullException.class);
        assertThat(wide.next().entities()).hasSize(200);
        assertThat(wide.isQuiet()).isTrue();
    }
}
