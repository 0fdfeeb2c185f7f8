package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.engine.TestErrors.DeliveryTimeoutException;
import io.stowline.batching.internal.engine.TestErrors.LeftoverException;
import io.stowline.batching.internal.engine.TestErrors.PredecessorFailedException;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.FlushCounts;
import io.stowline.batching.internal.writer.PendingItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DeliveryTimeoutTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ALMOST = TIMEOUT.minusMillis(1);
    private static final Duration REST = Duration.ofMillis(1);

    private final Rig rig = new Rig();
    private final Batcher<String, Item, String> batcher = rig.batcher(given -> given.deliveryTimeout(TIMEOUT));

    private static void timedOut(PendingItem<String> submission, String where) {
        assertThatThrownBy(submission::await)
                .isInstanceOfSatisfying(DeliveryTimeoutException.class, error -> assertThat(error.timeout())
                        .isEqualTo(TIMEOUT))
                .hasMessageContaining("PT5S")
                .hasMessageContaining(where);
    }

    private static Throwable failureOf(PendingItem<String> submission) {
        Throwable[] failure = new Throwable[1];
        submission.whenComplete((value, error) -> failure[0] = error);
        return failure[0];
    }

    @Test
    @DisplayName("BATCH-1: an item that waits too long in its lane fails and is never sent")
    void failsInTheLane() {
        batcher.submit("k", Item.of("a", 1));
        PendingItem<String> late = batcher.submit("k", Item.of("b", 2));
        rig.pass(ALMOST);
        PendingItem<String> later = batcher.submit("k", Item.of("c", 3));
        assertThat(late.isDone()).isFalse();
        rig.pass(REST);
        timedOut(late, "queued in its lane");
        assertThat(batcher.bufferedItems()).isEqualTo(2);
        rig.next().done();
        assertThat(rig.next().ids()).containsExactly(3);
        rig.sent.get(1).done();
        assertThat(later.toFuture()).isCompletedWithValue("done c 3");
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-16: the time begins with the acceptance, so that the wait for room is not a part of it")
    void beginsWithTheAcceptance() {
        Batcher<String, Item, String> small =
                rig.batcher(given -> given.deliveryTimeout(TIMEOUT).bufferItems(1));
        small.submit("k", Item.of("a", 1));
        List<Throwable> errors = new ArrayList<>();
        var unused = small.write("k", Item.of("b", 2)).subscribe(value -> {}, errors::add);
        rig.pass(TIMEOUT.multipliedBy(2));
        assertThat(errors).isEmpty();
        rig.next().done();
        assertThat(rig.next().batch.timeLeft()).isEqualTo(TIMEOUT);
        assertThat(rig.sent.get(1).batch.deliveryTimeout()).isEqualTo(TIMEOUT);
    }

    @Test
    @DisplayName("BATCH-16: the sender is told the time of the item that is due first, as it passes")
    void tellsTheSender() {
        batcher.submit("k", Item.of("a", 1));
        batcher.submit("k", Item.of("b", 2));
        rig.pass(Duration.ofSeconds(1));
        batcher.submit("k", Item.of("c", 3));
        rig.next().done();
        Sent both = rig.next();
        assertThat(both.batch.timeLeft()).isEqualTo(Duration.ofSeconds(4));
        rig.pass(Duration.ofSeconds(10));
        assertThat(both.batch.timeLeft()).isEqualTo(Duration.ZERO);
    }

    @Test
    @DisplayName("BATCH-16: what could not be tried once more in time fails, and the rest is sent again after a pause")
    void sendsTheRestAgain() {
        batcher.submit("k", Item.of("first"));
        PendingItem<String> early = batcher.submit("k", Item.of("a", 1));
        rig.pass(Duration.ofSeconds(2));
        PendingItem<String> late = batcher.submit("k", Item.of("b", 2));
        rig.next().done();
        PendingItem<String> behind = batcher.submit("k", Item.of("c", 3));
        IllegalStateException busy = new IllegalStateException("busy");
        rig.next().response(new BatchReply.Late<>(busy, Duration.ofSeconds(2), Duration.ofSeconds(1)));

        timedOut(early, "not delivered in the first PT2S of the PT5S from its acceptance, and given up");
        assertThat(failureOf(early))
                .hasCause(busy)
                .hasMessageContaining("the next attempt is due in PT2S and needs PT1S")
                .hasMessageContaining("does not fit in the PT3S that are left")
                .hasMessageEndingWith("the last one ended with: busy");
        assertThat(rig.isQuiet()).isTrue();
        assertThat(rig.lanes.batchesInFlight()).isZero();
        rig.pass(Duration.ofSeconds(2));
        assertThat(rig.next().ids()).containsExactly(2);
        rig.sent.get(2).done();
        assertThat(rig.next().ids()).containsExactly(3);
        rig.sent.get(3).done();
        assertThat(late.isDone() && behind.isDone()).isTrue();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-10: a lane whose items are all cancelled in its pause is gone, and pauses no later one")
    void cancelledInThePause() {
        PendingItem<String> only = batcher.submit("k", Item.of("a", 1));
        rig.next()
                .response(
                        new BatchReply.Late<>(new IllegalStateException("busy"), Duration.ofSeconds(2), Duration.ZERO));
        assertThat(only.cancel()).isTrue();
        assertThat(rig.lanes.laneCount()).isZero();
        assertThat(batcher.bufferedItems()).isZero();
        batcher.submit("k", Item.of("a", 2));
        assertThat(rig.next().ids()).containsExactly(2);
        rig.pass(Duration.ofSeconds(2));
        rig.sent.get(1).done();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-9: a close does not wait for a pause longer than its own time")
    void closedInThePause() {
        Batcher<String, Item, String> closing = rig.batcher(given -> given.closeTimeout(Duration.ofSeconds(1)));
        PendingItem<String> only = closing.submit("k", Item.of("a", 1));
        rig.next()
                .response(
                        new BatchReply.Late<>(new IllegalStateException("busy"), Duration.ofSeconds(9), Duration.ZERO));
        var unused = closing.closeAsync().subscribe(nothing -> {}, error -> {});
        rig.pass(Duration.ofSeconds(1));
        assertThat(failureOf(only)).isInstanceOf(LeftoverException.class);
        assertThat(closing.isClosed()).isTrue();
        rig.pass(Duration.ofSeconds(9));
        assertThat(rig.isQuiet()).isTrue();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-1: what is in flight is not cut short")
    void leavesWhatIsInFlight() {
        PendingItem<String> sent = batcher.submit("k", Item.of("a", 1));
        rig.pass(TIMEOUT.multipliedBy(3));
        assertThat(sent.isDone()).isFalse();
        rig.next().done();
        assertThat(sent.toFuture()).isCompletedWithValue("done a 1");
    }

    @Test
    @DisplayName("BATCH-5: an item that had no effect is not sent again after its time")
    void isNotSentAgain() {
        PendingItem<String> sent = batcher.submit("k", Item.of("a", 1));
        PendingItem<String> other = batcher.submit("k", Item.of("b", 2));
        PendingItem<String> culprit = batcher.submit("k", Item.of("c", 3));
        rig.next().done();
        rig.pass(TIMEOUT);
        rig.next().culprits(new IllegalStateException("bad"), "c");
        timedOut(other, "to be sent again");
        assertThat(sent.isDone() && culprit.isDone()).isTrue();
        assertThat(rig.isQuiet()).isTrue();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-4: an item that waits for a reserved entity fails when its time is over before")
    void failsBehindAReservation() {
        batcher.submit("k", Item.of("a", 1));
        rig.next().doneHeld(Duration.ofSeconds(30));
        PendingItem<String> late = batcher.submit("k", Item.of("a", 2));
        PendingItem<String> free = batcher.submit("k", Item.of("b", 3));
        rig.next().done();
        rig.pass(TIMEOUT);
        timedOut(late, "queued in its lane");
        assertThat(free.isDone()).isTrue();
        assertThat(batcher.bufferedItems()).isZero();
        rig.pass(Duration.ofSeconds(30));
        assertThat(rig.isQuiet()).isTrue();
    }

    @Test
    @DisplayName("BATCH-4: a batch that is sent again after a reservation leaves out what is too late by then")
    void leavesOutWhatIsLate() {
        batcher.submit("k", Item.of("first"));
        PendingItem<String> late = batcher.submit("k", Item.of("a", 1));
        PendingItem<String> bad = batcher.submit("k", Item.of("b", 2));
        rig.next().done();
        rig.next()
                .response(new BatchReply.PerItem<String>(List.of(
                                new ItemReply.Unsent<>(), new ItemReply.ItemFailed<>(new IllegalStateException("bad"))))
                        .reservedFor(Duration.ofSeconds(30)));
        rig.pass(TIMEOUT);
        timedOut(late, "to be sent again");
        assertThat(bad.isDone()).isTrue();
        rig.pass(Duration.ofSeconds(30));
        assertThat(rig.isQuiet()).isTrue();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-4: items that were coalesced have the time of the first")
    void coalescedOnesGoTogether() {
        Batcher<String, Item, String> merging =
                rig.batcher(given -> given.deliveryTimeout(TIMEOUT).coalesce(true));
        merging.submit("k", Item.of("a", 2));
        PendingItem<String> first = merging.submit("k", Item.of("b", 4));
        rig.pass(Duration.ofSeconds(3));
        PendingItem<String> second = merging.submit("k", Item.of("b", 6));
        rig.pass(Duration.ofSeconds(2));
        timedOut(first, "queued");
        timedOut(second, "queued");
    }

    @Test
    @DisplayName("BATCH-4: an item that is late stops its entity where that is asked for")
    void stopsItsEntity() {
        Batcher<String, Item, String> strict =
                rig.batcher(given -> given.deliveryTimeout(TIMEOUT).stopEntityOnFailure(true));
        strict.submit("k", Item.of("x"));
        PendingItem<String> late = strict.submit("k", Item.of("a", 1));
        rig.pass(REST);
        PendingItem<String> behind = strict.submit("k", Item.of("a", 2));
        rig.pass(ALMOST);
        timedOut(late, "queued");
        assertThatThrownBy(behind::await).isInstanceOf(PredecessorFailedException.class);
    }

    @Test
    @DisplayName("BATCH-8 BATCH-10: what has ended in time is not ended again, and a flush is told of what is late")
    void endsOnce() {
        batcher.submit("k", Item.of("a", 1));
        PendingItem<String> cancelled = batcher.submit("k", Item.of("b", 2));
        batcher.submit("k", Item.of("c", 3));
        List<FlushCounts> reports = new ArrayList<>();
        var unused = batcher.flush().subscribe(reports::add);
        assertThat(cancelled.cancel()).isTrue();
        rig.pass(TIMEOUT);
        rig.next().done();
        assertThat(reports).containsExactly(new FlushCounts(1, 1));
        assertThat(rig.isQuiet()).isTrue();
    }

    @Test
    @DisplayName("BATCH-6: there is no timer per item, and the times of several writers are kept apart")
    void setsFewTimers() {
        Batcher<String, Item, String> quick = rig.batcher(
                given -> given.deliveryTimeout(Duration.ofSeconds(1)).bufferItems(100_000));
        PendingItem<String> last = batcher.submit("k", Item.of("first"));
        for (int i = 0; i < 10_000; i++) {
            last = (i % 2 == 0 ? quick : batcher).submit("k" + i % 10, Item.of("e" + i, i));
            rig.pass(Duration.ofNanos(10_000));
        }
        assertThat(rig.time.getScheduledTaskCount()).isLessThan(10);
        rig.pass(TIMEOUT);
        assertThat(last.isDone()).isTrue();
        assertThat(batcher.bufferedItems() + quick.bufferedItems()).isEqualTo(11);
        rig.finishAll();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-16: an item of a writer without a limit has all the time there is")
    void hasAllTheTime() {
        Batcher<String, Item, String> patient =
                rig.batcher(given -> given.withoutDeliveryTimeout().withoutGivingUp());
        patient.submit("k", Item.of("a", 1));
        PendingItem<String> second = patient.submit("k", Item.of("b", 2));
        rig.pass(Duration.ofDays(2));
        assertThat(second.isDone()).isFalse();
        assertThat(rig.sent.get(0).batch.timeLeft()).isNull();
        rig.finishAll();
        assertThat(second.toFuture()).isCompletedWithValue("done b 2");
    }
}
