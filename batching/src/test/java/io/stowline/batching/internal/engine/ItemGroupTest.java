package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.batching.internal.batch.BatchProtocolException;
import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.writer.Batcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

class ItemGroupTest {

    private final IllegalStateException bad = new IllegalStateException("bad");
    private final Rig rig = new Rig();
    private final Batcher<String, Item, String> batcher = rig.batcher();
    private final List<Object> ends = new ArrayList<>();

    private Disposable submit(Item... items) {
        return rig.lanes.submitAtomic("k", List.of(items)).subscribe(ends::add, ends::add);
    }

    private Sent sentGroup() {
        submit(Item.of("a"), Item.of("b"));
        return rig.next();
    }

    @Test
    @DisplayName("BATCH-5: a group is sent whole, marked as atomic, and has its results in order")
    void isSentWhole() {
        Sent group = sentGroup();
        assertThat(group.batch.atomic()).isTrue();
        assertThat(group.entities()).containsExactly("a", "b");
        group.done();
        assertThat(ends).containsExactly(List.of("done a 0", "done b 0"));
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-5 BATCH-6: a group travels alone, in order with the items of its lane")
    void keepsItsPlace() {
        batcher.submit("k", Item.of("first"));
        batcher.submit("k", Item.of("a", 1));
        batcher.submit("k", Item.of("a", 2));
        submit(Item.of("a", 3), Item.of("b", 4));
        batcher.submit("k", Item.of("c", 5));
        List<List<Integer>> ids = new ArrayList<>();
        List<Boolean> atomic = new ArrayList<>();
        while (!rig.isQuiet()) {
            Sent sent = rig.next();
            ids.add(sent.ids());
            atomic.add(sent.batch.atomic());
            sent.done();
        }
        assertThat(ids).containsExactly(List.of(0), List.of(1), List.of(2), List.of(3, 4), List.of(5));
        assertThat(atomic).containsExactly(false, false, false, true, false);
    }

    @Test
    @DisplayName("BATCH-5: the error of one item fails the group with it, and nothing is sent again")
    void failsWithItsCulprit() {
        sentGroup().culprits(bad, "b");
        assertThat(ends).containsExactly(bad);
        assertThat(rig.isQuiet()).isTrue();
    }

    @Test
    @DisplayName("BATCH-5: every error of the whole fails the group as it is")
    void failsWithTheWhole() {
        sentGroup().response(new BatchReply.BatchFailed<>(bad));
        sentGroup().response(new BatchReply.TooLarge<>(bad));
        sentGroup().response(new BatchReply.Doomed<>(bad));
        sentGroup().error(bad);
        assertThat(ends).containsExactly(bad, bad, bad, bad);
        assertThat(rig.isQuiet()).isTrue();
    }

    @Test
    @DisplayName("BATCH-12: a reply without a result for every item of a group is a protocol error")
    void needsEveryPart() {
        sentGroup().parts(List.of(new ItemReply.ItemDone<>("a")));
        sentGroup()
                .parts(List.of(new ItemReply.Unsent<>(), new ItemReply.ItemDone<>("b"), new ItemReply.ItemDone<>("c")));
        assertThat(ends).hasSize(2).allSatisfy(end -> assertThat(end).isInstanceOf(BatchProtocolException.class));
        sentGroup().response(new BatchReply.AllDone<>(List.of("a", "b", "c")));
        assertThat(ends).hasSize(3);
        assertThat(rig.lanes.unknownParts()).isEqualTo(2);
    }

    @Test
    @DisplayName("BATCH-10: a group cancelled before its dispatch is never sent")
    void isCancelled() {
        batcher.submit("k", Item.of("first"));
        Disposable group = submit(Item.of("a"));
        group.dispose();
        rig.next().done();
        assertThat(rig.isQuiet()).isTrue();
        assertThat(ends).isEmpty();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-10: a group cancelled after its dispatch ends without its caller")
    void isDetached() {
        Disposable group = submit(Item.of("a"));
        group.dispose();
        rig.next().done();
        assertThat(ends).isEmpty();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-11: a group that cannot be one batch is refused")
    void refusesWhatCannotBeABatch() {
        assertThatThrownBy(() -> rig.lanes.submitAtomic("k", List.of()).block())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has 0");
        List<Item> five = List.of(Item.of("a"), Item.of("b"), Item.of("c"), Item.of("d"), Item.of("e"));
        assertThatThrownBy(() -> rig.lanes.submitAtomic("k", five).block())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 4")
                .hasMessageContaining("has 5");
        assertThatThrownBy(() -> rig.lanes
                        .submitAtomic("k", List.of(Item.of("a", 1), Item.of("a", 2)))
                        .block())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("twice a");
        assertThatThrownBy(() -> rig.lanes
                        .submitAtomic("k", List.of(new Item("a", 450, 0), new Item("b", 451, 0)))
                        .block())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1001");
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-2: a group does not linger, and takes along what lingers before it")
    void doesNotLinger() {
        Batcher<String, Item, String> slow = rig.batcher(given -> given.linger(Duration.ofHours(1)));
        slow.submit("k", Item.of("a"));
        submit(Item.of("b"));
        assertThat(rig.next().entities()).containsExactly("a");
        rig.sent.get(0).done();
        assertThat(rig.next().entities()).containsExactly("b");
    }

    @Test
    @DisplayName("BATCH-7: a group is not held up by a writer's full buffer")
    void needsNoBuffer() {
        rig.batcher(given -> given.bufferItems(1)).submit("other", Item.of("x"));
        submit(Item.of("a"));
        assertThat(rig.sent).hasSize(2);
    }
}
