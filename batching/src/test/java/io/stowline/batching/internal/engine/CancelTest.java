package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.FlushCounts;
import io.stowline.batching.internal.writer.PendingItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;

class CancelTest {

    private final Rig rig = new Rig();
    private final Batcher<String, Item, String> batcher = rig.batcher();

    @Test
    @DisplayName("BATCH-10 MAP-3: an item cancelled before its dispatch is never sent, and its room is free")
    void isNeverSent() {
        batcher.submit("k", Item.of("first"));
        PendingItem<String> submission = batcher.submit("k", Item.of("a"));
        assertThat(submission.cancel()).isTrue();
        assertThat(submission.cancel()).isFalse();
        assertThatThrownBy(submission::await).isInstanceOf(CancellationException.class);
        assertThat(batcher.bufferedItems()).isEqualTo(1);
        rig.next().done();
        assertThat(rig.isQuiet()).isTrue();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-10: given up while it is being handed over, it is never let in")
    void isNeverLetIn() {
        batcher.write("k", Item.of("a")).subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                cancel();
            }
        });
        assertThat(rig.isQuiet()).isTrue();
        assertThat(batcher.bufferedItems()).isZero();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-10: after its dispatch the caller is detached and the outcome still counts")
    void detachesTheCaller() {
        PendingItem<String> submission = batcher.submit("k", Item.of("a"));
        List<FlushCounts> reports = new ArrayList<>();
        var unused = batcher.flush().subscribe(reports::add);
        assertThat(submission.cancel()).isFalse();
        assertThatThrownBy(submission::await).isInstanceOf(CancellationException.class);
        assertThat(batcher.bufferedItems()).isEqualTo(1);
        assertThat(reports).isEmpty();
        rig.next().done();
        assertThat(reports).containsExactly(new FlushCounts(1, 0));
        assertThatThrownBy(submission::await).isInstanceOf(CancellationException.class);
    }

    @Test
    @DisplayName("BATCH-10: a terminal item cannot be cancelled")
    void leavesResultsAlone() throws InterruptedException {
        PendingItem<String> submission = batcher.submit("k", Item.of("a"));
        rig.next().done();
        assertThat(submission.cancel()).isFalse();
        assertThat(submission.await()).isEqualTo("done a 0");
    }

    @Test
    @DisplayName("BATCH-10: the successor of a cancelled item takes its turn")
    void promotesTheSuccessor() {
        batcher.submit("k", Item.of("first"));
        PendingItem<String> one = batcher.submit("k", Item.of("a", 1));
        batcher.submit("k", Item.of("b", 2));
        PendingItem<String> middle = batcher.submit("k", Item.of("a", 3));
        batcher.submit("k", Item.of("a", 4));
        one.cancel();
        middle.cancel();
        rig.next().done();
        assertThat(rig.next().ids()).containsExactly(2, 4);
    }

    @Test
    @DisplayName("BATCH-10: what was put back and then cancelled is not sent again")
    void prunesChunks() {
        batcher.submit("k", Item.of("first"));
        batcher.submit("k", Item.of("a"));
        PendingItem<String> second = batcher.submit("k", Item.of("b"));
        PendingItem<String> third = batcher.submit("k", Item.of("c"));
        batcher.submit("k", Item.of("d"));
        rig.next().done();
        rig.next().response(new BatchReply.TooLarge<>(new IllegalStateException("413")));
        third.cancel();
        second.cancel();
        assertThat(rig.next().entities()).containsExactly("a", "b");
        rig.sent.get(2).done();
        assertThat(rig.next().entities()).containsExactly("d");
    }

    @Test
    @DisplayName("BATCH-10: a lingering item that is cancelled leaves neither lane nor request")
    void leavesNoLane() {
        Batcher<String, Item, String> slow = rig.batcher(given -> given.linger(Duration.ofSeconds(1)));
        slow.submit("k", Item.of("a")).cancel();
        assertThat(rig.lanes.laneCount()).isZero();
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.isQuiet()).isTrue();
    }

    @Test
    @DisplayName("BATCH-10 PERMIT-4: the permit that a cancelled item waited for is given up, and one that comes late"
            + " released")
    void givesUpThePermit() {
        List<Consumer<Disposable>> requested = new ArrayList<>();
        List<Boolean> cancelled = new ArrayList<>();
        Rig gated = new Rig(given -> given.admission(granted -> {
            requested.add(granted);
            return () -> !cancelled.add(true);
        }));
        gated.batcher().submit("k", Item.of("a")).cancel();
        assertThat(cancelled).hasSize(1);
        List<String> released = new ArrayList<>();
        requested.get(0).accept(() -> released.add("released"));
        assertThat(released).hasSize(1);
        assertThat(gated.isQuiet()).isTrue();
    }

    @Test
    @DisplayName("BATCH-10: disposing of a write cancels its item")
    void cancelsAWrite() {
        batcher.submit("k", Item.of("first"));
        batcher.write("k", Item.of("a")).subscribe().dispose();
        rig.next().done();
        assertThat(rig.isQuiet()).isTrue();
    }

    @Test
    @DisplayName("BATCH-10: disposing of a result's subscription gives up the wait and not the item")
    void keepsTheItemOfADisposedResult() {
        batcher.submit("k", Item.of("first"));
        PendingItem<String> submission = batcher.submit("k", Item.of("a"));
        submission.result().subscribe().dispose();
        assertThat(submission.toFuture().cancel(true)).isTrue();
        rig.next().done();
        assertThat(rig.next().entities()).containsExactly("a");
    }
}
