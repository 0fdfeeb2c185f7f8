package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.engine.TestErrors.LeftoverException;
import io.stowline.batching.internal.engine.TestErrors.UncollectedFailuresException;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.FlushCounts;
import io.stowline.batching.internal.writer.PendingItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EntityReservationTest {

    private static final Duration HORIZON = Duration.ofSeconds(30);
    private static final Duration ALMOST = HORIZON.minusMillis(1);
    private static final Duration REST = Duration.ofMillis(1);

    private final IllegalStateException bad = new IllegalStateException("bad");
    private final Rig rig = new Rig();
    private final Batcher<String, Item, String> batcher = rig.batcher();

    private void submit(Item... items) {
        for (Item item : items) {
            batcher.submit("k", item);
        }
    }

    @Test
    @DisplayName(
            "BATCH-4 OUTCOME-0: after a held reply the entity waits for the horizon, even when the retry succeeded")
    void waitsForTheHorizon() {
        submit(Item.of("a", 1));
        PendingItem<String> second = batcher.submit("k", Item.of("a", 2));
        rig.next().doneHeld(HORIZON);
        PendingItem<String> third = batcher.submit("k", Item.of("a", 3));
        rig.pass(ALMOST);
        assertThat(rig.isQuiet()).isTrue();
        rig.pass(REST);
        Sent sent = rig.next();
        assertThat(sent.ids()).containsExactly(2);
        assertThat(rig.isQuiet()).isTrue();
        sent.done();
        rig.next().done();
        assertThat(second.toFuture()).isCompletedWithValue("done a 2");
        assertThat(third.toFuture()).isCompletedWithValue("done a 3");
    }

    @Test
    @DisplayName("BATCH-4: the result of a held reply does not wait")
    void deliversAtOnce() {
        PendingItem<String> first = batcher.submit("k", Item.of("a", 1));
        rig.next().doneHeld(HORIZON);
        assertThat(first.toFuture()).isCompletedWithValue("done a 1");
        assertThat(batcher.bufferedItems()).isZero();
        assertThat(rig.lanes.reservedEntities()).isEqualTo(1);
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-4: items of other entities skip ahead of a reserved one, and the lane keeps sending")
    void letsOthersSkip() {
        submit(Item.of("a", 1), Item.of("a", 2), Item.of("b", 3), Item.of("a", 4), Item.of("c", 5));
        rig.next().doneHeld(HORIZON);
        assertThat(rig.next().ids()).containsExactly(3, 5);
        submit(Item.of("b", 6), Item.of("d", 7));
        rig.sent.get(1).done();
        assertThat(rig.next().ids()).containsExactly(6, 7);
        rig.pass(HORIZON);
        rig.sent.get(2).done();
        assertThat(rig.next().ids()).containsExactly(2);
        rig.sent.get(3).done();
        assertThat(rig.next().ids()).containsExactly(4);
    }

    @Test
    @DisplayName("BATCH-4: a reservation that ends while a batch is in flight does not send a second one")
    void keepsOneInFlight() {
        submit(Item.of("a", 1), Item.of("a", 2));
        rig.next().doneHeld(HORIZON);
        submit(Item.of("b", 3));
        Sent other = rig.next();
        rig.pass(HORIZON);
        assertThat(rig.isQuiet()).isTrue();
        other.done();
        assertThat(rig.next().ids()).containsExactly(2);
    }

    @Test
    @DisplayName("BATCH-4 BATCH-6: an idle lane is no lane any more, and its reservations still count")
    void outlivesItsLane() {
        submit(Item.of("a", 1));
        rig.next().doneHeld(HORIZON);
        assertThat(rig.lanes.laneCount()).isZero();
        submit(Item.of("a", 2));
        assertThat(rig.isQuiet()).isTrue();
        assertThat(rig.lanes.laneCount()).isEqualTo(1);
        rig.pass(HORIZON);
        assertThat(rig.next().ids()).containsExactly(2);
        assertThat(rig.lanes.reservedEntities()).isZero();
    }

    @Test
    @DisplayName("BATCH-4: reservations of several batches end each at its own time")
    void endsEachAtItsTime() {
        submit(Item.of("a", 1));
        rig.next().doneHeld(HORIZON);
        submit(Item.of("b", 2));
        rig.next().doneHeld(Duration.ofSeconds(10));
        submit(Item.of("a", 3), Item.of("b", 4));
        assertThat(rig.isQuiet()).isTrue();
        rig.pass(Duration.ofSeconds(10));
        assertThat(rig.next().ids()).containsExactly(4);
        rig.sent.get(2).done();
        assertThat(rig.isQuiet()).isTrue();
        rig.pass(Duration.ofSeconds(20));
        assertThat(rig.next().ids()).containsExactly(3);
    }

    @Test
    @DisplayName("BATCH-4: reservations concern one lane only")
    void concernsOneLane() {
        submit(Item.of("a", 1));
        rig.next().doneHeld(HORIZON);
        batcher.submit("other", Item.of("a", 2));
        assertThat(rig.next().ids()).containsExactly(2);
    }

    @Test
    @DisplayName("BATCH-4: a batch that failed or was too large is held as well; what is sent again waits, before all"
            + " others")
    void holdsWhatIsSentAgain() {
        submit(Item.of("x", 0), Item.of("a", 1), Item.of("b", 2), Item.of("c", 3), Item.of("d", 4));
        rig.next().done();
        rig.next().response(new BatchReply.TooLarge<String>(bad).reservedFor(HORIZON));
        submit(Item.of("a", 5), Item.of("e", 6));
        assertThat(rig.next().ids()).containsExactly(6);
        rig.sent.get(2).done();
        assertThat(rig.isQuiet()).isTrue();
        rig.pass(HORIZON);
        assertThat(rig.next().ids()).containsExactly(1, 2);
        rig.sent.get(3).done();
        assertThat(rig.next().ids()).containsExactly(3, 4);
        rig.sent.get(4).response(new BatchReply.BatchFailed<String>(bad).reservedFor(HORIZON));
        submit(Item.of("c", 7));
        assertThat(rig.next().ids()).containsExactly(5);
        rig.pass(HORIZON);
        rig.sent.get(5).done();
        assertThat(rig.next().ids()).containsExactly(7);
    }

    @Test
    @DisplayName("BATCH-4 BATCH-10: held items can be cancelled, those to be sent again too")
    void cancelsHeldItems() {
        submit(Item.of("x", 0));
        PendingItem<String> unsent = batcher.submit("k", Item.of("a", 1));
        submit(Item.of("b", 2));
        PendingItem<String> queued = batcher.submit("k", Item.of("a", 3));
        submit(Item.of("a", 4));
        rig.next().done();
        List<ItemReply<String>> parts = List.of(new ItemReply.Unsent<>(), new ItemReply.ItemFailed<>(bad));
        rig.next().response(new BatchReply.PerItem<>(parts).reservedFor(HORIZON));
        assertThat(unsent.cancel()).isTrue();
        assertThat(queued.cancel()).isTrue();
        rig.pass(ALMOST);
        assertThat(rig.isQuiet()).isTrue();
        rig.pass(REST);
        assertThat(rig.next().ids()).containsExactly(4);
        rig.sent.get(2).done();
        assertThat(rig.lanes.laneCount()).isZero();
        assertThat(batcher.bufferedItems()).isZero();
    }

    @Test
    @DisplayName("BATCH-4: an item that waits for the horizon takes later ones in when it may")
    void coalescesWhileHeld() {
        Batcher<String, Item, String> merging = rig.batcher(given -> given.coalesce(true));
        merging.submit("k", Item.of("a", 1));
        rig.next().doneHeld(HORIZON);
        PendingItem<String> one = merging.submit("k", Item.of("a", 2));
        merging.submit("k", Item.of("a", 4));
        rig.pass(HORIZON);
        assertThat(rig.next().ids()).containsExactly(4);
        rig.sent.get(1).done();
        assertThat(one.toFuture()).isCompletedWithValue("done a 4");
    }

    @Test
    @DisplayName(
            "BATCH-4 BATCH-2: what waits for a horizon does not make others of its lane linger less, nor itself linger"
                    + " more")
    void leavesTheLingerAlone() {
        Duration linger = Duration.ofSeconds(5);
        Batcher<String, Item, String> slow = rig.batcher(given -> given.linger(linger));
        submit(Item.of("a", 1), Item.of("a", 2));
        rig.next().doneHeld(HORIZON);
        slow.submit("k", Item.of("b", 3));
        rig.pass(linger.minusMillis(1));
        assertThat(rig.isQuiet()).isTrue();
        rig.pass(Duration.ofMillis(1));
        assertThat(rig.next().ids()).containsExactly(3);
        rig.sent.get(1).done();
        slow.submit("k", Item.of("a", 4));
        rig.pass(HORIZON.minus(linger));
        assertThat(rig.next().ids()).containsExactly(2);
    }

    @Test
    @DisplayName("BATCH-8 BATCH-4: a flush waits for held items")
    void isWaitedForByAFlush() {
        submit(Item.of("a", 1), Item.of("a", 2));
        rig.next().doneHeld(HORIZON);
        List<FlushCounts> reports = new ArrayList<>();
        var unused = batcher.flush().subscribe(reports::add);
        assertThat(rig.isQuiet()).isTrue();
        rig.pass(HORIZON);
        assertThat(reports).isEmpty();
        rig.next().done();
        assertThat(reports).containsExactly(new FlushCounts(2, 0));
    }

    @Test
    @DisplayName("BATCH-9 BATCH-4: a close waits for held items, of the writer and of the engine, but not for bare"
            + " reservations")
    void isWaitedForByAClose() {
        submit(Item.of("a", 1), Item.of("a", 2));
        rig.next().doneHeld(HORIZON);
        List<String> ends = new ArrayList<>();
        var unused = batcher.closeAsync().subscribe(value -> {}, error -> {}, () -> ends.add("writer"));
        var unusedToo = rig.lanes
                .closeAsync(HORIZON.multipliedBy(2))
                .subscribe(value -> {}, error -> {}, () -> ends.add("engine"));
        rig.pass(HORIZON);
        assertThat(ends).isEmpty();
        rig.next().doneHeld(HORIZON);
        assertThat(ends).containsExactly("writer", "engine");
    }

    @Test
    @DisplayName("BATCH-9 BATCH-4: what is held at the deadline of a close fails with the item inside")
    void failsAtTheDeadline() {
        Batcher<String, Item, String> hasty = rig.batcher(given -> given.closeTimeout(Duration.ofSeconds(10)));
        hasty.submit("k", Item.of("x", 0));
        hasty.submit("k", Item.of("a", 1));
        hasty.submit("k", Item.of("b", 2));
        hasty.submit("k", Item.of("a", 3));
        rig.next().done();
        List<ItemReply<String>> parts = List.of(new ItemReply.ItemDone<>("done"), new ItemReply.Unsent<>());
        rig.next().response(new BatchReply.PerItem<>(parts).reservedFor(HORIZON));
        List<Throwable> errors = new ArrayList<>();
        var unused = hasty.closeAsync().subscribe(value -> {}, errors::add);
        rig.pass(Duration.ofSeconds(10));
        assertThat(((UncollectedFailuresException) errors.get(0)).failures())
                .extracting(failure -> ((LeftoverException) failure.cause()).item())
                .containsExactly(Item.of("b", 2), Item.of("a", 3));
        rig.pass(HORIZON);
        assertThat(rig.isQuiet()).isTrue();
        assertThat(rig.lanes.reservedEntities()).isZero();
    }

    @Test
    @DisplayName(
            "BATCH-4: a time that is negative or longer than a day is refused, zero reserves nothing, the longer one"
                    + " counts")
    void checksTheTime() {
        BatchReply<String> plain = new BatchReply.BatchFailed<>(bad);
        assertThat(plain.reservedFor(Duration.ZERO)).isSameAs(plain);
        assertThatThrownBy(() -> plain.reservedFor(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-1S");
        assertThatThrownBy(() -> plain.reservedFor(Duration.ofDays(1).plusNanos(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT24H");
        assertThat(plain.reservedFor(HORIZON).reservedFor(REST))
                .isEqualTo(new BatchReply.ReservedBatch<>(plain, HORIZON));
        assertThat(plain.reservedFor(REST).reservedFor(HORIZON))
                .isEqualTo(new BatchReply.ReservedBatch<>(plain, HORIZON));
        submit(Item.of("a", 1), Item.of("a", 2));
        rig.next().response(new BatchReply.ReservedBatch<>(Sent.allDone(rig.sent.get(0).batch), Duration.ZERO));
        rig.pass(Duration.ZERO);
        assertThat(rig.next().ids()).containsExactly(2);
    }

    @Test
    @DisplayName("BATCH-4 BATCH-2: a reservation that ends while its lane lingers leaves the lane in one place only")
    void endsWhileTheLaneLingers() {
        Batcher<String, Item, String> slow = rig.batcher(given -> given.linger(Duration.ofSeconds(1)));
        batcher.submit("k", Item.of("a", 1));
        rig.next().doneHeld(Duration.ofMillis(10));
        slow.submit("first", Item.of("a"));
        slow.submit("second", Item.of("a"));
        rig.pass(Duration.ofMillis(1));
        slow.submit("k", Item.of("b", 3));
        batcher.submit("k", Item.of("a", 4));
        rig.pass(Duration.ofMillis(9));
        Sent freed = rig.next();
        assertThat(freed.ids()).containsExactlyInAnyOrder(3, 4);
        batcher.submit("k", Item.of("c", 5));
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> rig.pass(Duration.ofSeconds(2)));
        freed.done();
        assertThat(rig.finishAll()).isEqualTo(3);
        assertThat(rig.lanes.laneCount()).isZero();
    }
}
