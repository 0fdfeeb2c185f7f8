package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.engine.TestErrors.LeftoverException;
import io.stowline.batching.internal.writer.Batcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

class HeldGroupTest {

    private static final Duration HORIZON = Duration.ofSeconds(30);

    private final Rig rig = new Rig();
    private final Batcher<String, Item, String> batcher = rig.batcher();
    private final List<Object> ends = new ArrayList<>();

    private void submit(Item... items) {
        for (Item item : items) {
            batcher.submit("k", item);
        }
    }

    private Disposable group(Item... items) {
        return rig.lanes.submitAtomic("k", List.of(items)).subscribe(ends::add, ends::add);
    }

    /** The ids of all that is sent until nothing more is. */
    private List<List<Integer>> sendAll() {
        List<List<Integer>> ids = new ArrayList<>();
        while (!rig.isQuiet()) {
            Sent sent = rig.next();
            ids.add(sent.ids());
            sent.done();
        }
        return ids;
    }

    private void reserve(String entity) {
        submit(Item.of(entity, 0));
        rig.next().doneHeld(HORIZON);
    }

    @Test
    @DisplayName(
            "BATCH-4: a group with a reserved entity waits, in its place among the items of its entities; others skip")
    void keepsItsPlace() {
        reserve("a");
        submit(Item.of("a", 1));
        group(Item.of("a", 2), Item.of("b", 3));
        submit(Item.of("b", 4), Item.of("c", 5), Item.of("a", 6));
        assertThat(sendAll()).containsExactly(List.of(5));
        submit(Item.of("c", 7), Item.of("b", 8));
        assertThat(sendAll()).containsExactly(List.of(7));
        rig.pass(HORIZON);
        assertThat(sendAll()).containsExactly(List.of(1), List.of(2, 3), List.of(4, 6), List.of(8));
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-4: what was queued before a group that has to wait is sent without it")
    void letsItsPredecessorsGo() {
        submit(Item.of("a", 1), Item.of("b", 2), Item.of("c", 3), Item.of("b", 4));
        group(Item.of("a", 5), Item.of("b", 6), Item.of("e", 8));
        submit(Item.of("d", 7), Item.of("e", 9));
        rig.next().doneHeld(HORIZON);
        assertThat(sendAll()).containsExactly(List.of(2, 3, 7), List.of(4));
        rig.pass(HORIZON);
        assertThat(sendAll()).containsExactly(List.of(5, 6, 8), List.of(9));
    }

    @Test
    @DisplayName("BATCH-4: groups that wait for each other by different entities go in their order")
    void keepsTheOrderOfGroups() {
        reserve("a");
        group(Item.of("a", 1), Item.of("b", 2));
        group(Item.of("b", 3), Item.of("c", 4));
        group(Item.of("c", 5), Item.of("d", 6));
        group(Item.of("e", 7));
        submit(Item.of("d", 8), Item.of("f", 9));
        assertThat(sendAll()).containsExactly(List.of(7), List.of(9));
        rig.pass(HORIZON);
        assertThat(sendAll()).containsExactly(List.of(1, 2), List.of(3, 4), List.of(5, 6), List.of(8));
    }

    @Test
    @DisplayName("BATCH-4 BATCH-10: when a waiting group is cancelled, what waited for it alone goes on")
    void freesTheOthers() {
        reserve("a");
        Disposable first = group(Item.of("a", 1), Item.of("b", 2));
        group(Item.of("b", 3), Item.of("c", 4));
        submit(Item.of("c", 5), Item.of("a", 6));
        assertThat(rig.isQuiet()).isTrue();
        first.dispose();
        assertThat(sendAll()).containsExactly(List.of(3, 4), List.of(5));
        rig.pass(HORIZON);
        assertThat(sendAll()).containsExactly(List.of(6));
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-4: a group that is free again waits once more when another of its entities gets reserved")
    void waitsAgain() {
        reserve("a");
        group(Item.of("a", 1), Item.of("b", 2));
        group(Item.of("b", 3), Item.of("a", 4));
        rig.pass(HORIZON);
        rig.next().doneHeld(HORIZON);
        assertThat(rig.isQuiet()).isTrue();
        submit(Item.of("c", 5));
        assertThat(sendAll()).containsExactly(List.of(5));
        rig.pass(HORIZON);
        assertThat(sendAll()).containsExactly(List.of(3, 4));
        assertThat(ends).hasSize(2);
    }

    @Test
    @DisplayName("BATCH-4: a held reply to a group reserves all its entities")
    void reservesAll() {
        group(Item.of("a", 1), Item.of("b", 2));
        submit(Item.of("a", 3), Item.of("b", 4), Item.of("c", 5));
        rig.next().doneHeld(HORIZON);
        assertThat(ends).hasSize(1);
        assertThat(sendAll()).containsExactly(List.of(5));
        assertThat(rig.lanes.reservedEntities()).isEqualTo(2);
        rig.pass(HORIZON);
        assertThat(sendAll()).containsExactly(List.of(3, 4));
    }

    @Test
    @DisplayName(
            "BATCH-9 BATCH-4: a waiting group fails at the deadline of the engine's close, in order with all others")
    void failsAtTheDeadline() {
        reserve("a");
        group(Item.of("a", 1), Item.of("b", 2));
        submit(Item.of("b", 3));
        var unused = rig.lanes.closeAsync(Duration.ofSeconds(1)).subscribe();
        rig.pass(Duration.ofSeconds(1));
        assertThat(((LeftoverException) ends.get(0)).item()).isEqualTo(List.of(Item.of("a", 1), Item.of("b", 2)));
        assertThat(batcher.bufferedItems()).isZero();
        assertThat(rig.lanes.laneCount()).isZero();
        assertThat(rig.isQuiet()).isTrue();
    }
}
