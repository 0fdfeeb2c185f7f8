package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.engine.TestErrors.BufferFullException;
import io.stowline.batching.internal.engine.TestErrors.PredecessorFailedException;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.FlushCounts;
import io.stowline.batching.internal.writer.PendingItem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EntityOptionsTest {

    private final IllegalStateException bad = new IllegalStateException("bad");
    private final Rig rig = new Rig();
    private final Batcher<String, Item, String> merging = rig.batcher(given -> given.coalesce(true));
    private final Batcher<String, Item, String> stopping = rig.batcher(given -> given.stopEntityOnFailure(true));

    @Test
    @DisplayName("BATCH-4: coalesced items are sent as one and share its outcome")
    void mergesQueuedItems() {
        merging.submit("k", Item.of("first"));
        PendingItem<String> one = merging.submit("k", Item.of("a", 2));
        PendingItem<String> two = merging.submit("k", Item.of("a", 4));
        var three = merging.write("k", Item.of("a", 6)).toFuture();
        assertThat(merging.bufferedItems()).isEqualTo(4);
        rig.next().done();
        Sent sent = rig.next();
        assertThat(sent.ids()).containsExactly(6);
        sent.done();
        assertThat(one.toFuture()).isCompletedWithValue("done a 6");
        assertThat(two.toFuture()).isCompletedWithValue("done a 6");
        assertThat(three).isCompletedWithValue("done a 6");
        assertThat(merging.flush().block()).isEqualTo(new FlushCounts(4, 0));
        assertThat(merging.bufferedItems()).isZero();
        assertThat(merging.bufferedBytes()).isZero();
    }

    @Test
    @DisplayName("BATCH-7: coalesced items are inside the bounds, one by one")
    void boundsCoalescedItems() {
        Batcher<String, Item, String> bounded =
                rig.batcher(given -> given.coalesce(true).bufferItems(3));
        bounded.offer("k", Item.of("first"));
        bounded.offer("k", Item.of("a", 2));
        bounded.offer("k", Item.of("a", 4));
        assertThatThrownBy(() -> bounded.offer("k", Item.of("a", 6)))
                .isInstanceOf(BufferFullException.class)
                .hasMessageContaining("3 of 3 items");
        rig.next().done();
        bounded.offer("k", Item.of("a", 8));
        assertThat(rig.next().ids()).containsExactly(4);
        rig.sent.get(1).done();
        rig.finishAll();
        assertThat(bounded.bufferedItems()).isZero();
        assertThat(bounded.undeliveredItems()).isZero();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-7: a lane's share bounds the coalesced items of the lane")
    void boundsCoalescedItemsOfALane() {
        Batcher<String, Item, String> bounded =
                rig.batcher(given -> given.coalesce(true).bufferItems(400));
        bounded.offer("k", Item.of("first"));
        for (int i = 1; i < 200; i++) {
            bounded.offer("k", Item.of("a", 2 * i));
        }
        assertThatThrownBy(() -> bounded.offer("k", Item.of("a", 2))).isInstanceOf(BufferFullException.class);
        bounded.offer("other", Item.of("a", 2));
        assertThat(rig.finishAll()).isEqualTo(3);
        assertThat(bounded.bufferedItems()).isZero();
    }

    @Test
    @DisplayName("BATCH-4: an item in flight is never merged, nor one that the descriptor keeps apart")
    void keepsApart() {
        merging.submit("k", Item.of("a", 2));
        merging.submit("k", Item.of("a", 4));
        merging.submit("k", Item.of("a", 5));
        merging.submit("k", Item.of("a", 6));
        assertThat(rig.next().ids()).containsExactly(2);
        rig.sent.get(0).done();
        assertThat(rig.next().ids()).containsExactly(4);
        rig.sent.get(1).done();
        assertThat(rig.next().ids()).containsExactly(5);
        rig.sent.get(2).done();
        assertThat(rig.next().ids()).containsExactly(6);
    }

    @Test
    @DisplayName("BATCH-4: items of another writer, or before a group, are never merged")
    void doesNotMergeAcross() {
        merging.submit("k", Item.of("first"));
        merging.submit("k", Item.of("a", 2));
        rig.batcher(given -> given.coalesce(true)).submit("k", Item.of("a", 4));
        var unused = rig.lanes.submitAtomic("k", List.of(Item.of("b", 6))).subscribe();
        merging.submit("k", Item.of("b", 8));
        merging.submit("k", Item.of("a", 10));
        List<Integer> ids = new ArrayList<>();
        while (!rig.isQuiet()) {
            Sent sent = rig.next();
            ids.addAll(sent.ids());
            sent.done();
        }
        assertThat(ids).containsExactly(0, 2, 4, 6, 8, 10);
    }

    @Test
    @DisplayName(
            "BATCH-4 BATCH-3: a merged item changes the bytes of batch and buffer, and is not made beyond the limit")
    void accountsForTheSize() {
        merging.submit("k", Item.of("first"));
        merging.submit("k", new Item("a", 100, 2));
        merging.submit("k", new Item("a", 700, 4));
        merging.submit("k", new Item("b", 201, 6));
        assertThat(merging.bufferedBytes()).isEqualTo(10 + 700 + 201);
        rig.next().done();
        assertThat(rig.next().entities()).containsExactly("a");
    }

    @Test
    @DisplayName("BATCH-4 BATCH-10: cancelling one of two merged items detaches its caller")
    void detachesAMergedItem() {
        merging.submit("k", Item.of("first"));
        PendingItem<String> one = merging.submit("k", Item.of("a", 2));
        PendingItem<String> two = merging.submit("k", Item.of("a", 4));
        assertThat(one.cancel()).isFalse();
        rig.next().done();
        rig.next().done();
        assertThat(one.toFuture()).isCompletedExceptionally();
        assertThat(two.toFuture()).isCompletedWithValue("done a 4");
    }

    @Test
    @DisplayName("BATCH-4: without the option nothing is merged and a failure stops nobody")
    void isOptIn() {
        Batcher<String, Item, String> plain = rig.batcher();
        plain.submit("k", Item.of("a", 2));
        plain.submit("k", Item.of("a", 4));
        plain.submit("k", Item.of("a", 6));
        assertThat(plain.bufferedItems()).isEqualTo(3);
        rig.next().response(new BatchReply.BatchFailed<>(bad));
        assertThat(rig.next().ids()).containsExactly(4);
    }

    @Test
    @DisplayName("BATCH-4: with stopEntityOnFailure the queued items of a failed entity fail with it")
    void stopsTheEntity() {
        stopping.submit("k", Item.of("first"));
        PendingItem<String> one = stopping.submit("k", Item.of("a", 1));
        PendingItem<String> two = stopping.submit("k", Item.of("a", 2));
        PendingItem<String> three = stopping.submit("k", Item.of("a", 3));
        PendingItem<String> other = stopping.submit("k", Item.of("b", 4));
        rig.next().done();
        rig.next().culprits(bad, "a");
        assertThatThrownBy(one::await).isSameAs(bad);
        for (PendingItem<String> stopped : List.of(two, three)) {
            assertThatThrownBy(stopped::await)
                    .isInstanceOf(PredecessorFailedException.class)
                    .hasMessageContaining("a")
                    .cause()
                    .isSameAs(bad);
        }
        assertThat(rig.next().ids()).containsExactly(4);
        rig.sent.get(2).done();
        assertThat(other.isDone()).isTrue();
        assertThat(rig.isQuiet()).isTrue();
    }

    @Test
    @DisplayName("BATCH-4: stopEntityOnFailure leaves other writers' items of the entity alone")
    void stopsOnlyItsOwn() {
        stopping.submit("k", Item.of("a", 1));
        rig.batcher().submit("k", Item.of("a", 2));
        stopping.submit("k", Item.of("a", 3));
        rig.next().response(new BatchReply.BatchFailed<>(bad));
        assertThat(rig.next().ids()).containsExactly(2);
        rig.sent.get(1).done();
        assertThat(rig.isQuiet()).isTrue();
    }
}
