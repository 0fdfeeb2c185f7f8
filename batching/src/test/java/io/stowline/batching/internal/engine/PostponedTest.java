package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.batch.BatchDescriptor;
import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.engine.TestErrors.LeftoverException;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PostponedTest {

    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final Duration HORIZON = Duration.ofSeconds(35);

    private final IllegalStateException down = new IllegalStateException("down");
    private final Rig rig = new Rig();
    private final Batcher<String, Item, String> batcher = rig.batcher();

    private BatchReply<String> postponed(boolean unresolved) {
        return new BatchReply.Postponed<>(down, PAUSE, unresolved);
    }

    @Test
    @DisplayName(
            "BATCH-15: what is postponed is sent again as it is, after the pause, and before later items of its entity")
    void isSentAgain() {
        batcher.submit("k", Item.of("a", 1));
        rig.next().done();
        PendingItem<String> first = batcher.submit("k", Item.of("a", 2));
        rig.next().response(postponed(false));
        PendingItem<String> later = batcher.submit("k", Item.of("a", 3));

        assertThat(rig.isQuiet()).isTrue();
        assertThat(rig.lanes.batchesInFlight()).isZero();
        rig.pass(PAUSE.minusMillis(1));
        assertThat(rig.isQuiet()).isTrue();
        rig.pass(Duration.ofMillis(1));
        Sent again = rig.next();
        assertThat(again.ids()).containsExactly(2);
        again.done();
        rig.next().done();
        assertThat(first.isDone()).isTrue();
        assertThat(later.isDone()).isTrue();
    }

    @Test
    @DisplayName("BATCH-15: while a batch is postponed the other entities of its lane go on")
    void letsOthersGo() {
        batcher.submit("k", Item.of("a", 1));
        rig.next().response(postponed(true));

        batcher.submit("k", Item.of("b", 2));

        assertThat(rig.next().ids()).containsExactly(2);
    }

    @Test
    @DisplayName("BATCH-15: the longer of the pause and the reservation counts, once")
    void waitsForTheLonger() {
        batcher.submit("k", Item.of("a", 1));
        rig.next().response(postponed(true).reservedFor(HORIZON));
        rig.pass(HORIZON.minusMillis(1));
        assertThat(rig.isQuiet()).isTrue();
        assertThat(rig.lanes.reservedEntities()).isEqualTo(1);
        rig.pass(Duration.ofMillis(1));
        rig.next().done();
        assertThat(rig.lanes.reservedEntities()).isZero();
        assertThat(batcher.bufferedItems()).isZero();
    }

    @Test
    @DisplayName("BATCH-10: a postponed item is cancelled for good, unless it may have been applied")
    void isCancelled() {
        PendingItem<String> unsent = batcher.submit("k", Item.of("a", 1));
        rig.next().response(postponed(false));
        PendingItem<String> inUnresolved = batcher.submit("j", Item.of("a", 2));
        rig.next().response(postponed(true));

        assertThat(unsent.cancel()).isTrue();
        assertThat(inUnresolved.cancel()).isFalse();

        rig.pass(PAUSE);
        assertThat(rig.next().ids()).containsExactly(2);
        assertThat(rig.isQuiet()).isTrue();
    }

    @Test
    @DisplayName(
            "BATCH-10: an item of a halved batch is cancelled for good, unless an attempt before may have been applied")
    void isCancelledAfterAHalving() {
        batcher.submit("k", Item.of("z", 0));
        PendingItem<String> first = batcher.submit("k", Item.of("a", 1));
        PendingItem<String> second = batcher.submit("k", Item.of("b", 2));
        rig.next().done();
        rig.next().response(new BatchReply.TooLarge<String>(down, true).reservedFor(HORIZON));

        assertThat(first.cancel()).isFalse();
        assertThat(second.cancel()).isFalse();

        rig.pass(HORIZON);
        assertThat(rig.next().ids()).containsExactly(1);
    }

    @Test
    @DisplayName("BATCH-9: the deadline of a close ends what is postponed, and says whether it was sent")
    void isLeftOver() {
        PendingItem<String> item = batcher.submit("k", Item.of("a", 1));
        rig.next().response(new BatchReply.Postponed<>(down, Duration.ofHours(1), true));

        batcher.closeAsync().subscribe(nothing -> {}, error -> {});
        rig.pass(batcher.settings().closeTimeout());

        assertThat(batcher.isClosed()).isTrue();
        assertThat(item.toFuture())
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        LeftoverException.class, e -> assertThat(e.sent()).isTrue());
    }

    @Test
    @DisplayName("BATCH-15: an item whose time is over is not postponed once more")
    void endsWithItsTime() {
        Batcher<String, Item, String> hasty = rig.batcher(given -> given.deliveryTimeout(Duration.ofSeconds(15)));
        PendingItem<String> item = hasty.submit("k", Item.of("a", 1));
        rig.next().response(postponed(false));
        rig.pass(PAUSE);
        rig.next().response(postponed(false));
        rig.pass(Duration.ofSeconds(5));

        assertThat(item.toFuture()).isCompletedExceptionally();
        rig.pass(PAUSE);
        assertThat(rig.isQuiet()).isTrue();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-5: a group is all or nothing, and never sent once more by the engine")
    void failsAGroup() {
        var group = rig.lanes.submitAtomic("k", List.of(Item.of("a", 1))).toFuture();

        rig.next().response(postponed(false));

        assertThat(group).isCompletedExceptionally();
        rig.pass(PAUSE);
        assertThat(rig.isQuiet()).isTrue();
    }

    @Test
    @DisplayName("BATCH-15: items of different company never share a batch, and keep their order")
    void keepsCompaniesApart() {
        Rig kinds = new Rig(given -> given);
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(new Parity(), batch -> {
                    Sent one = new Sent(batch);
                    kinds.sent.add(one);
                    return one.reply();
                })
                .limits(Rig.LIMITS.maxItems(), Rig.LIMITS.maxBytes(), Rig.LIMITS.envelopeBytes())
                .callbacks(TestCallbacks.on(Runnable::run))
                .timer(kinds.time)
                .build();
        Batcher<String, Item, String> apart =
                lanes.batcher(TestSettings.builder().build());
        for (int id : new int[] {1, 3, 5, 2, 4, 7}) {
            apart.submit("k", Item.of("e" + id, id));
        }

        kinds.next().done();
        assertThat(kinds.sent.get(1).ids()).containsExactly(3, 5);
        kinds.next().done();
        assertThat(kinds.sent.get(2).ids()).containsExactly(2, 4);
        kinds.next().done();
        assertThat(kinds.sent.get(3).ids()).containsExactly(7);
        kinds.next().done();
        assertThat(apart.bufferedItems()).isZero();
    }

    private static final class Parity implements BatchDescriptor<Item> {
        @Override
        public Object entity(Item item) {
            return item.entity();
        }

        @Override
        public int size(Item item) {
            return item.size();
        }

        @Override
        public Object company(Item item) {
            return item.id() % 2 == 0 ? Boolean.TRUE : Boolean.FALSE;
        }
    }
}
