package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CulpritTest {

    private final IllegalStateException bad = new IllegalStateException("conflict");

    private final Rig rig = new Rig(given -> given.limits(8, 10_000, 0));
    private final Batcher<String, Item, String> batcher = rig.batcher();
    private final List<PendingItem<String>> submissions = new ArrayList<>();

    private Sent batchOf(String... entities) {
        batcher.submit("k", Item.of("first"));
        for (String entity : entities) {
            submissions.add(batcher.submit("k", Item.of(entity)));
        }
        rig.next().done();
        return rig.next();
    }

    @Test
    @DisplayName("BATCH-5: a culprit fails alone, and the rest is sent next, as it is")
    void sendsTheRestAsOneChunk() {
        Sent batch = batchOf("a", "b", "c", "d");
        batcher.submit("k", Item.of("later"));
        batch.culprits(bad, "b");
        assertThatThrownBy(submissions.get(1)::await).isSameAs(bad);
        Sent rest = rig.next();
        assertThat(rest.entities()).containsExactly("a", "c", "d");
        rest.done();
        assertThat(submissions).allMatch(PendingItem::isDone);
        assertThat(rig.next().entities()).containsExactly("later");
    }

    @Test
    @DisplayName("BATCH-5: from the second culprit on the rest is halved")
    void halvesAfterTheSecondCulprit() {
        batchOf("a", "b", "c", "d", "e", "f").culprits(bad, "a");
        rig.next().culprits(bad, "b");
        Sent left = rig.next();
        assertThat(left.entities()).containsExactly("c", "d");
        left.culprits(bad, "c");
        Sent single = rig.next();
        assertThat(single.entities()).containsExactly("d");
        single.done();
        Sent right = rig.next();
        assertThat(right.entities()).containsExactly("e", "f");
        right.done();
        assertThat(submissions).allMatch(PendingItem::isDone);
    }

    @Test
    @DisplayName("BATCH-5: two culprits in one reply halve the rest at once")
    void halvesAfterTwoCulpritsAtOnce() {
        batchOf("a", "b", "c", "d").culprits(bad, "a", "d");
        Sent left = rig.next();
        assertThat(left.entities()).containsExactly("b");
        left.done();
        assertThat(rig.next().entities()).containsExactly("c");
    }

    @Test
    @DisplayName("BATCH-5: an error of the whole batch fails every item of it, and no other")
    void failsTheWholeBatch() {
        Sent batch = batchOf("a", "b");
        PendingItem<String> later = batcher.submit("k", Item.of("later"));
        batch.response(new BatchReply.BatchFailed<>(bad));
        assertThat(submissions)
                .allSatisfy(each -> assertThatThrownBy(each::await).isSameAs(bad));
        rig.next().done();
        assertThat(later.toFuture()).isCompletedWithValue("done later 0");
    }

    @Test
    @DisplayName("BATCH-5: a doom error breaks every writer with an item in the batch, and no other")
    void breaksTheWriter() {
        Batcher<String, Item, String> other = rig.batcher();
        Sent batch = batchOf("a");
        PendingItem<String> queued = batcher.submit("k", Item.of("queued"));
        PendingItem<String> elsewhere = batcher.submit("elsewhere", Item.of("a"));
        PendingItem<String> spared = other.submit("k", Item.of("spared"));
        batch.response(new BatchReply.Doomed<>(bad));
        assertThatThrownBy(submissions.get(0)::await).isSameAs(bad);
        assertThatThrownBy(queued::await).isSameAs(bad);
        assertThat(elsewhere.isDone()).isFalse();
        assertThatThrownBy(() -> batcher.submit("k", Item.of("x"))).isSameAs(bad);
        assertThatThrownBy(() -> batcher.offer("k", Item.of("x"))).isSameAs(bad);
        assertThatThrownBy(() -> batcher.write("k", Item.of("x")).block()).isSameAs(bad);
        rig.finishAll();
        assertThat(elsewhere.toFuture()).isCompletedWithValue("done a 0");
        assertThat(spared.toFuture()).isCompletedWithValue("done spared 0");
        assertThat(batcher.bufferedItems()).isZero();
    }

    @Test
    @DisplayName("BATCH-5: what is put back of a writer that broke meanwhile fails with it")
    void failsTheRestOfABrokenWriter() {
        Sent batch = batchOf("a", "b");
        batcher.submit("doomed", Item.of("x"));
        rig.next().response(new BatchReply.Doomed<>(bad));
        batch.culprits(new IllegalStateException("conflict of a"), "a");
        assertThatThrownBy(submissions.get(1)::await).isSameAs(bad);
        assertThat(rig.isQuiet()).isTrue();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-3: a request that is too large is halved at once")
    void halvesATooLargeRequest() {
        batchOf("a", "b", "c", "d").response(new BatchReply.TooLarge<>(bad));
        Sent left = rig.next();
        assertThat(left.entities()).containsExactly("a", "b");
        left.done();
        Sent right = rig.next();
        assertThat(right.entities()).containsExactly("c", "d");
        right.done();
        assertThat(submissions).noneMatch(each -> each.toFuture().isCompletedExceptionally());
    }

    @Test
    @DisplayName("BATCH-3: a single item that is too large fails with the cause")
    void failsATooLargeItem() {
        batchOf("a").response(new BatchReply.TooLarge<>(bad));
        assertThatThrownBy(submissions.get(0)::await).isSameAs(bad);
        assertThat(rig.isQuiet()).isTrue();
    }
}
