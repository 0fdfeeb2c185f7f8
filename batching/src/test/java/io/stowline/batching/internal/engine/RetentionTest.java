package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.engine.TestErrors.UncollectedFailuresException;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Proves that the engine keeps nothing that has ended, and that an item costs no walk over writers, lanes or waiters. */
@Timeout(60)
class RetentionTest {

    private static final int MANY = Integer.getInteger("stowline.explore", 1) > 1 ? 50_000 : 10_000;

    private final Rig rig = new Rig();

    private static EngineLock<String, Item, String> engine(Batcher<String, Item, String> writer) {
        return ((EngineBatcher<String, Item, String>) writer).engine();
    }

    private static void keepsNothing(Batcher<String, Item, String> writer) {
        EngineLock<String, Item, String> engine = engine(writer);
        assertThat(engine.giveUpTimes().watched()).isZero();
        assertThat(engine.deadlines().open()).isZero();
        assertThat(engine.crowded()).isEmpty();
        assertThat(((EngineBatcher<String, Item, String>) writer).buffer().bufferedBytes())
                .isZero();
    }

    @Test
    @DisplayName("BATCH-16: no timer keeps a writer that has nothing to deliver, closed or not")
    void forgetsAnIdleWriter() {
        Batcher<String, Item, String> writer = rig.batcher();
        writer.submit("k", Item.of("a")).whenComplete((value, error) -> {});
        assertThat(engine(writer).giveUpTimes().watched()).isEqualTo(1);
        assertThat(engine(writer).deadlines().open()).isEqualTo(1);
        rig.next().done();

        keepsNothing(writer);
        writer.close();
        keepsNothing(writer);
    }

    @Test
    @DisplayName("BATCH-9: the failures that a close reports are kept by its error alone")
    void forgetsReportedFailures() {
        Batcher<String, Item, String> writer = rig.batcher();
        for (int i = 0; i < 4; i++) {
            writer.submit("k" + i, Item.of("a", i));
            rig.next().response(new BatchReply.BatchFailed<>(new IllegalStateException("refused")));
        }
        List<Throwable> ends = new ArrayList<>();
        Mono<Void> close = writer.closeAsync();
        close.subscribe(nothing -> {}, ends::add);
        close.subscribe(nothing -> {}, ends::add);

        assertThat(ends).hasSize(2).allSatisfy(end -> assertThat(end)
                .isInstanceOfSatisfying(UncollectedFailuresException.class, failures -> assertThat(failures.failures())
                        .hasSize(4)));
        assertThat(writer.takeFailures()).isEmpty();
        keepsNothing(writer);
    }

    @Test
    @DisplayName("BATCH-9: no timer keeps a writer whose close was over while a request of it had no response")
    void forgetsAWriterThatHasLeftOvers() {
        Batcher<String, Item, String> writer = rig.batcher(given -> given.closeTimeout(Duration.ofSeconds(1)));
        writer.submit("k", Item.of("a")).whenComplete((value, error) -> {});
        writer.submit("k", Item.of("b")).whenComplete((value, error) -> {});
        writer.closeAsync().subscribe(nothing -> {}, error -> {});
        rig.pass(Duration.ofSeconds(2));

        assertThat(writer.isClosed()).isTrue();
        keepsNothing(writer);
        rig.next().done();
        keepsNothing(writer);
    }

    @Test
    @DisplayName("BATCH-6: a pause keeps no lane whose items have ended")
    void forgetsAPausedLane() {
        Batcher<String, Item, String> writer = rig.batcher();
        PendingItem<String> paused = writer.submit("k", Item.of("a"));
        rig.next()
                .response(new BatchReply.Late<>(
                        new IllegalStateException("busy"), Duration.ofMinutes(1), Duration.ofSeconds(1)));
        assertThat(engine(writer).scheduler().paused()).isEqualTo(1);
        paused.cancel();

        assertThat(engine(writer).scheduler().paused()).isZero();
        assertThat(rig.lanes.laneCount()).isZero();
        keepsNothing(writer);
    }

    @Test
    @DisplayName("BATCH-9: no timer keeps an engine that is closed")
    void endsTheTimersOfAClosedEngine() {
        List<Disposable> tasks = new ArrayList<>();
        Scheduler timer = new Scheduler() {
            @Override
            public Disposable schedule(Runnable task) {
                throw new UnsupportedOperationException("without a time");
            }

            @Override
            public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
                Disposable set = Disposables.single();
                tasks.add(set);
                return set;
            }

            @Override
            public Worker createWorker() {
                throw new UnsupportedOperationException("a worker");
            }
        };
        Rig own = new Rig(given -> given.timer(timer));
        Batcher<String, Item, String> writer = own.batcher();
        writer.submit("k", Item.of("a")).whenComplete((value, error) -> {});
        own.next().done();
        writer.closeAsync().subscribe();
        assertThat(tasks).isNotEmpty();
        own.lanes.closeAsync(Duration.ofSeconds(10)).subscribe();

        assertThat(tasks).allMatch(Disposable::isDisposed);
    }

    @Test
    @DisplayName("BATCH-4: the reservations of a closed engine end at their times, and its timers with them")
    void endsTheReservationsOfAClosedEngine() {
        Batcher<String, Item, String> writer = rig.batcher();
        writer.submit("k", Item.of("a")).whenComplete((value, error) -> {});
        rig.next().doneHeld(Duration.ofSeconds(30));
        rig.lanes.closeAsync(Duration.ofSeconds(1)).subscribe();
        assertThat(rig.lanes.reservedEntities()).isEqualTo(1);
        rig.pass(Duration.ofSeconds(31));

        assertThat(rig.lanes.reservedEntities()).isZero();
    }

    @Test
    @DisplayName("BATCH-16: an item costs no walk over the writers with items queued, and each ends in its own time")
    void servesManyWriters() {
        List<Batcher<String, Item, String>> writers = new ArrayList<>();
        Random random = new Random(1);
        for (int i = 0; i < MANY; i++) {
            Duration timeout = Duration.ofMillis(1_000 + random.nextInt(60_000));
            Batcher<String, Item, String> writer =
                    rig.batcher(given -> given.deliveryTimeout(timeout).withoutGivingUp());
            writers.add(writer);
            writer.submit("k", Item.of("e" + i)).whenComplete((value, error) -> {});
        }
        EngineLock<String, Item, String> engine = engine(writers.get(0));
        assertThat(engine.deadlines().open()).isEqualTo(MANY);
        for (int i = 0; i < MANY; i++) {
            writers.get(i).submit("k", Item.of("f" + i)).whenComplete((value, error) -> {});
        }
        for (int second = 1; second <= 61; second++) {
            rig.pass(Duration.ofSeconds(1));
            long now = second * 1_000L;
            assertThat(writers.stream()
                            .filter(writer ->
                                    writer.settings().deliveryTimeout().toMillis() <= now)
                            .allMatch(writer -> writer.bufferedItems() <= 1))
                    .as("the second items have ended after %d s", second)
                    .isTrue();
        }
        assertThat(engine.deadlines().open()).isLessThanOrEqualTo(1);
    }

    @Test
    @DisplayName("BATCH-8: a flush costs no walk over the lanes of other writers")
    void flushesManyWriters() {
        List<Batcher<String, Item, String>> writers = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Batcher<String, Item, String> writer = rig.batcher(given ->
                    given.linger(Duration.ofHours(1)).withoutDeliveryTimeout().withoutGivingUp());
            writers.add(writer);
            writer.submit("k" + i, Item.of("e")).whenComplete((value, error) -> {});
        }
        assertThat(rig.isQuiet()).isTrue();
        for (int i = 0; i < MANY; i++) {
            writers.get(i).flush().subscribe();
            assertThat(rig.next().batch.key()).isEqualTo("k" + i);
            assertThat(rig.isQuiet()).isTrue();
            rig.sent.get(i).done();
        }
    }

    @Test
    @DisplayName("BATCH-8: a flush sends a lane that a second writer has come to while it waited for a fuller batch")
    void flushesASharedLane() {
        Batcher<String, Item, String> one = rig.batcher(given -> given.linger(Duration.ofHours(1)));
        Batcher<String, Item, String> other = rig.batcher(given -> given.linger(Duration.ofHours(1)));
        one.submit("k", Item.of("a"));
        other.submit("k", Item.of("b"));
        assertThat(rig.isQuiet()).isTrue();
        other.flush().subscribe();
        assertThat(rig.next().ids()).hasSize(2);
    }

    @Test
    @DisplayName("BATCH-7: submits that wait for one full partition cost those of others nothing")
    void passesOverAFullLane() {
        Batcher<String, Item, String> writer = rig.batcher(
                given -> given.bufferItems(1_600).withoutDeliveryTimeout().withoutGivingUp());
        for (int i = 0; i < 200 + MANY; i++) {
            writer.write("full", Item.of("e" + i)).subscribe();
        }
        rig.next();
        List<String> done = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            writer.write("k", Item.of("e" + i)).subscribe(done::add);
            rig.next().done();
        }
        assertThat(done).hasSize(MANY);
        assertThat(((EngineBatcher<String, Item, String>) writer).buffer().waiting())
                .isEqualTo(MANY);
        rig.sent.get(0).done();
        rig.finishAll();
        assertThat(((EngineBatcher<String, Item, String>) writer).buffer().waiting())
                .isZero();
        keepsNothing(writer);
    }
}
