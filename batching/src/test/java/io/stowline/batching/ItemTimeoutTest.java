package io.stowline.batching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ItemTimeoutTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ALMOST = TIMEOUT.minusMillis(1);
    private static final Duration REST = Duration.ofMillis(1);

    private final Rig rig = new Rig();
    private final Batcher<String, Item, String> batcher = rig.batcher(given -> given.itemTimeout(TIMEOUT));

    private static void timedOut(Submission<String> submission, String where) {
        assertThatThrownBy(submission::await)
                .isInstanceOfSatisfying(ItemTimeoutException.class, error -> assertThat(error.timeout())
                        .isEqualTo(TIMEOUT))
                .hasMessageContaining("PT5S")
                .hasMessageContaining(where);
    }

    @Test
    @DisplayName("BATCH-1: an item that waits too long in its lane fails and is never sent")
    void failsInTheLane() {
        batcher.submit("k", Item.of("a", 1));
        Submission<String> late = batcher.submit("k", Item.of("b", 2));
        rig.pass(ALMOST);
        Submission<String> later = batcher.submit("k", Item.of("c", 3));
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
    @DisplayName("BATCH-7: an item that waits too long for room fails, and was not accepted")
    void failsInTheLine() {
        Batcher<String, Item, String> small =
                rig.batcher(given -> given.itemTimeout(TIMEOUT).bufferItems(1));
        small.submit("k", Item.of("a", 1));
        List<Throwable> errors = new ArrayList<>();
        var unused = small.write("k", Item.of("b", 2)).subscribe(value -> {}, errors::add);
        rig.pass(TIMEOUT);
        assertThat(errors).hasSize(1);
        assertThat(errors.get(0)).isInstanceOf(ItemTimeoutException.class).hasMessageContaining("waited for room");
        rig.next().done();
        assertThat(rig.isQuiet()).isTrue();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-7: a submit that waits too long for room throws it")
    void throwsInTheLine() throws Exception {
        Batcher<String, Item, String> small =
                rig.batcher(given -> given.itemTimeout(TIMEOUT).bufferItems(1).submitTimeout(Duration.ofHours(1)));
        small.submit("k", Item.of("a", 1));
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<?> blocked = thread.submit(() -> small.submit("other", Item.of("b", 2)));
            while (rig.lanes.laneCount() < 2) {
                Thread.onSpinWait();
            }
            rig.pass(TIMEOUT);
            assertThatThrownBy(() -> blocked.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(ItemTimeoutException.class);
        } finally {
            thread.shutdownNow();
        }
        assertThat(small.bufferedItems()).isEqualTo(1);
    }

    @Test
    @DisplayName("BATCH-7: the wait for room counts, and an item that gets it in time has the rest")
    void countsTheWaitForRoom() {
        Batcher<String, Item, String> small =
                rig.batcher(given -> given.itemTimeout(TIMEOUT).bufferItems(2));
        small.submit("k", Item.of("a", 1));
        small.submit("other", Item.of("a", 2));
        List<Throwable> errors = new ArrayList<>();
        var unused = small.write("k", Item.of("b", 3)).subscribe(value -> {}, errors::add);
        rig.pass(Duration.ofSeconds(3));
        rig.sent.get(1).done();
        assertThat(small.bufferedItems()).isEqualTo(2);
        rig.pass(Duration.ofSeconds(2));
        assertThat(errors).hasSize(1);
        assertThat(errors.get(0)).hasMessageContaining("queued in its lane");
    }

    @Test
    @DisplayName("BATCH-1: what is in flight is not cut short")
    void leavesWhatIsInFlight() {
        Submission<String> sent = batcher.submit("k", Item.of("a", 1));
        rig.pass(TIMEOUT.multipliedBy(3));
        assertThat(sent.isDone()).isFalse();
        rig.next().done();
        assertThat(sent.toFuture()).isCompletedWithValue("done a 1");
    }

    @Test
    @DisplayName("BATCH-5: an item that had no effect is not sent again after its time")
    void isNotSentAgain() {
        Submission<String> sent = batcher.submit("k", Item.of("a", 1));
        Submission<String> other = batcher.submit("k", Item.of("b", 2));
        Submission<String> culprit = batcher.submit("k", Item.of("c", 3));
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
        Submission<String> late = batcher.submit("k", Item.of("a", 2));
        Submission<String> free = batcher.submit("k", Item.of("b", 3));
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
        Submission<String> late = batcher.submit("k", Item.of("a", 1));
        Submission<String> bad = batcher.submit("k", Item.of("b", 2));
        rig.next().done();
        rig.next()
                .answer(new BatchReply.PerItem<String>(List.of(
                                new ItemReply.Unsent<>(), new ItemReply.Failed<>(new IllegalStateException("bad"))))
                        .heldFor(Duration.ofSeconds(30)));
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
                rig.batcher(given -> given.itemTimeout(TIMEOUT).coalesce(true));
        merging.submit("k", Item.of("a", 2));
        Submission<String> first = merging.submit("k", Item.of("b", 4));
        rig.pass(Duration.ofSeconds(3));
        Submission<String> second = merging.submit("k", Item.of("b", 6));
        rig.pass(Duration.ofSeconds(2));
        timedOut(first, "queued");
        timedOut(second, "queued");
    }

    @Test
    @DisplayName("BATCH-4: an item that is late stops its entity where that is asked for")
    void stopsItsEntity() {
        Batcher<String, Item, String> strict =
                rig.batcher(given -> given.itemTimeout(TIMEOUT).stopEntityOnFailure(true));
        strict.submit("k", Item.of("x"));
        Submission<String> late = strict.submit("k", Item.of("a", 1));
        rig.pass(REST);
        Submission<String> behind = strict.submit("k", Item.of("a", 2));
        rig.pass(ALMOST);
        timedOut(late, "queued");
        assertThatThrownBy(behind::await).isInstanceOf(PredecessorFailedException.class);
    }

    @Test
    @DisplayName("BATCH-8 BATCH-10: what has ended in time is not ended again, and a flush is told of what is late")
    void endsOnce() {
        batcher.submit("k", Item.of("a", 1));
        Submission<String> cancelled = batcher.submit("k", Item.of("b", 2));
        batcher.submit("k", Item.of("c", 3));
        List<FlushReport> reports = new ArrayList<>();
        var unused = batcher.flush().subscribe(reports::add);
        assertThat(cancelled.cancel()).isTrue();
        rig.pass(TIMEOUT);
        rig.next().done();
        assertThat(reports).containsExactly(new FlushReport(1, 1));
        assertThat(rig.isQuiet()).isTrue();
    }

    @Test
    @DisplayName("BATCH-6: there is no timer per item, and the times of several writers are kept apart")
    void setsFewTimers() {
        Batcher<String, Item, String> quick =
                rig.batcher(given -> given.itemTimeout(Duration.ofSeconds(1)).bufferItems(100_000));
        Submission<String> last = batcher.submit("k", Item.of("first"));
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
    @DisplayName("BATCH-1: without the setting an item waits as long as it takes")
    void waitsWithoutIt() {
        assertThat(BatcherSettings.defaults().itemTimeout()).isNull();
        Batcher<String, Item, String> patient = rig.batcher();
        patient.submit("k", Item.of("a", 1));
        Submission<String> second = patient.submit("k", Item.of("b", 2));
        rig.pass(Duration.ofDays(2));
        assertThat(second.isDone()).isFalse();
        rig.finishAll();
        assertThat(second.toFuture()).isCompletedWithValue("done b 2");
    }

    @Test
    void refusesATimeThatNoItemCouldKeep() {
        assertThatThrownBy(() -> BatcherSettings.builder().itemTimeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("itemTimeout")
                .hasMessageContaining("PT0S");
        assertThatThrownBy(() -> BatcherSettings.builder()
                        .linger(Duration.ofSeconds(1))
                        .itemTimeout(Duration.ofSeconds(1))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("itemTimeout must be longer than linger, PT1S, but was PT1S");
    }
}
