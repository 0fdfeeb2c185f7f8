package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.engine.TestErrors.PredecessorFailedException;
import io.stowline.batching.internal.engine.TestErrors.PredecessorUnknownException;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.FlushCounts;
import io.stowline.batching.internal.writer.PendingItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class UnknownTest {

    private static final Duration HORIZON = Duration.ofSeconds(30);

    private final IllegalStateException lost = new IllegalStateException("the response was lost");
    private final Rig rig = new Rig();
    private final Batcher<String, Item, String> batcher = rig.batcher();
    private final List<Object> ends = new ArrayList<>();

    private PendingItem<String> submit(Item item) {
        return batcher.submit("k", item);
    }

    private void group(Item... items) {
        var unused = rig.lanes.submitAtomic("k", List.of(items)).subscribe(ends::add, ends::add);
    }

    private void loseNext() {
        rig.next().response(new BatchReply.BatchUnknown<String>(lost).reservedFor(HORIZON));
    }

    private void failsBehind(PendingItem<String> submission, String entity) {
        assertThat(submission.isDone()).isTrue();
        assertThatThrownBy(submission::await).isInstanceOfSatisfying(PredecessorUnknownException.class, error -> {
            assertThat(error.entity()).isEqualTo(entity);
            assertThat(error).hasCause(lost).hasMessageContaining(entity);
        });
    }

    @Test
    @DisplayName("BATCH-4: behind an unknown item the conditional ones fail and the others wait for the horizon")
    void failsTheConditional() {
        PendingItem<String> first = submit(Item.of("a", 1));
        PendingItem<String> plain = submit(Item.of("a", 2));
        PendingItem<String> conditional = submit(Item.conditional("a", 3));
        PendingItem<String> other = submit(Item.conditional("b", 4));
        loseNext();
        assertThatThrownBy(first::await).isSameAs(lost);
        failsBehind(conditional, "a");
        assertThat(rig.next().ids()).containsExactly(4);
        rig.sent.get(1).done();
        assertThat(other.isDone()).isTrue();
        assertThat(rig.isQuiet()).isTrue();
        rig.pass(HORIZON);
        rig.next().done();
        assertThat(plain.toFuture()).isCompletedWithValue("done a 2");
        assertThat(rig.isQuiet()).isTrue();
    }

    @Test
    @DisplayName(
            "BATCH-4 BATCH-1: a conditional item submitted before the horizon is accepted and fails, one after it is"
                    + " sent")
    void failsTheNewConditional() throws InterruptedException {
        submit(Item.of("a", 1));
        loseNext();
        failsBehind(submit(Item.conditional("a", 2)), "a");
        assertThat(batcher.bufferedItems()).isZero();
        assertThat(rig.lanes.laneCount()).isZero();
        assertThat(batcher.flush().block()).isEqualTo(new FlushCounts(0, 2));
        submit(Item.of("a", 3));
        failsBehind(submit(Item.conditional("a", 4)), "a");
        rig.pass(HORIZON);
        PendingItem<String> after = submit(Item.conditional("a", 5));
        assertThat(rig.next().ids()).containsExactly(3);
        rig.sent.get(1).done();
        rig.next().done();
        assertThat(after.await()).isEqualTo("done a 5");
    }

    @Test
    @DisplayName("BATCH-4: a conditional item behind a held success waits like any other")
    void sendsTheConditionalAfterASuccess() {
        submit(Item.of("a", 1));
        submit(Item.conditional("a", 2));
        rig.next().doneHeld(HORIZON);
        submit(Item.conditional("a", 3));
        rig.pass(HORIZON);
        assertThat(rig.next().ids()).containsExactly(2);
        rig.sent.get(1).done();
        assertThat(rig.next().ids()).containsExactly(3);
    }

    @Test
    @DisplayName("BATCH-4: one unknown item of a batch concerns its own entity only")
    void concernsOneEntity() {
        submit(Item.of("x", 0));
        PendingItem<String> a = submit(Item.of("a", 1));
        PendingItem<String> b = submit(Item.of("b", 2));
        PendingItem<String> behindA = submit(Item.conditional("a", 3));
        PendingItem<String> behindB = submit(Item.conditional("b", 4));
        rig.next().done();
        List<ItemReply<String>> parts = List.of(new ItemReply.ItemUnknown<>(lost), new ItemReply.ItemDone<>("done"));
        rig.next().response(new BatchReply.PerItem<>(parts).reservedFor(HORIZON));
        assertThatThrownBy(a::await).isSameAs(lost);
        assertThat(b.toFuture()).isCompletedWithValue("done");
        failsBehind(behindA, "a");
        assertThat(behindB.isDone()).isFalse();
        rig.pass(HORIZON);
        assertThat(rig.next().ids()).containsExactly(4);
    }

    @Test
    @DisplayName("BATCH-4: without a hold the queued conditional items fail, and later ones are sent")
    void worksWithoutAHold() {
        submit(Item.of("a", 1));
        PendingItem<String> queued = submit(Item.conditional("a", 2));
        rig.next().response(new BatchReply.BatchUnknown<>(lost));
        failsBehind(queued, "a");
        submit(Item.conditional("a", 3));
        assertThat(rig.next().ids()).containsExactly(3);
    }

    @Test
    @DisplayName("BATCH-4: stopEntityOnFailure takes unknown for a failure, and the failure behind it too")
    void stopsTheEntity() {
        Batcher<String, Item, String> stopping = rig.batcher(given -> given.stopEntityOnFailure(true));
        batcher.submit("k", Item.of("a", 1));
        PendingItem<String> before = stopping.submit("k", Item.of("a", 2));
        PendingItem<String> conditional = stopping.submit("k", Item.conditional("a", 3));
        PendingItem<String> behind = stopping.submit("k", Item.of("a", 4));
        loseNext();
        failsBehind(conditional, "a");
        assertThatThrownBy(behind::await)
                .isInstanceOf(PredecessorFailedException.class)
                .hasCauseInstanceOf(PredecessorUnknownException.class);
        assertThat(before.isDone()).isFalse();
        rig.pass(HORIZON);
        PendingItem<String> last = stopping.submit("k", Item.of("a", 5));
        loseNext();
        assertThatThrownBy(before::await).isSameAs(lost);
        assertThatThrownBy(last::await)
                .isInstanceOf(PredecessorFailedException.class)
                .hasCause(lost);
    }

    @Test
    @DisplayName(
            "BATCH-4 OUTCOME-4: an unknown group leaves all its entities unknown, whether as a whole or by one part")
    void leavesAllOfAGroup() {
        group(Item.of("a", 1), Item.of("b", 2));
        PendingItem<String> behind = submit(Item.conditional("b", 3));
        loseNext();
        failsBehind(behind, "b");
        group(Item.of("c", 4), Item.of("d", 5));
        List<ItemReply<String>> parts = List.of(new ItemReply.ItemUnknown<>(lost), new ItemReply.Unsent<>());
        rig.next().response(new BatchReply.PerItem<>(parts).reservedFor(HORIZON));
        failsBehind(submit(Item.conditional("d", 6)), "d");
        assertThat(ends).containsExactly(lost, lost);
    }

    @Test
    @DisplayName("BATCH-4: a group with a conditional item behind an unknown one fails as a whole, queued or new")
    void failsGroups() {
        submit(Item.of("a", 1));
        group(Item.of("b", 2), Item.conditional("a", 3));
        group(Item.conditional("b", 4), Item.of("a", 5));
        loseNext();
        group(Item.of("c", 6), Item.conditional("a", 7));
        assertThat(ends).hasSize(2).allSatisfy(end -> assertThat(end)
                .isInstanceOfSatisfying(PredecessorUnknownException.class, error -> assertThat(error.entity())
                        .isEqualTo("a")));
        assertThat(rig.isQuiet()).isTrue();
        rig.pass(HORIZON);
        assertThat(rig.next().ids()).containsExactly(4, 5);
    }

    @Test
    @DisplayName("BATCH-4: a conditional item is not merged into one that waits behind an unknown one")
    void doesNotMergeTheConditional() {
        Batcher<String, Item, String> merging = rig.batcher(given -> given.coalesce(true));
        merging.submit("k", Item.of("a", 1));
        loseNext();
        PendingItem<String> waiting = merging.submit("k", Item.of("a", 2));
        failsBehind(merging.submit("k", Item.conditional("a", 4)), "a");
        rig.pass(HORIZON);
        rig.next().done();
        assertThat(waiting.toFuture()).isCompletedWithValue("done a 2");
    }

    @Test
    @DisplayName("BATCH-4 BATCH-7: a conditional item that waited for room fails when it gets in")
    void failsTheAdmitted() {
        Batcher<String, Item, String> tight = rig.batcher(given -> given.bufferItems(1));
        tight.submit("k", Item.of("a", 1));
        var waiting = tight.write("k", Item.conditional("a", 2)).toFuture();
        var next = tight.write("k", Item.of("b", 3)).toFuture();
        loseNext();
        assertThat(waiting).isCompletedExceptionally();
        rig.next().done();
        assertThat(next).isCompletedWithValue("done b 3");
        assertThat(tight.bufferedItems()).isZero();
    }
}
