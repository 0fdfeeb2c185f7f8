package io.stowline.table.simulation;

import io.stowline.journal.JournalSettings;
import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.outcome.WriteMarkers;
import io.stowline.outcome.WriteResult;
import io.stowline.table.Submission;
import io.stowline.table.WriterSettings;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.http.PlayTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One seed's play of a writer with a journal whose process dies at any point, and starts again: one process after the other over one
 * table and one network, in virtual time, each with a real journal that begins with the remains of the crashed one before.
 */
final class Restarts {

    private static final int STEPS = 60;
    private static final int PARTITIONS = 2;
    private static final Duration HORIZON = Duration.ofSeconds(10);
    private static final Duration REST = Duration.ofMinutes(20);
    private static final Duration ROUND_TRIP = Duration.ofMillis(50);

    final Trace trace;
    final PlayTime time = new PlayTime();
    final SimulationScenario scenario;
    final SimulatedService service;
    final Random random;
    private final SimulatedStore store;
    private final Books books;
    private final Path folder;
    private final UnaryOperator<WriterSettings.Builder> settings;
    private int processes;
    private MortalWriter process;

    Restarts(long seed, Path folder) {
        this.random = new Random(seed);
        this.folder = folder;
        this.scenario = scenario(random);
        this.trace = new Trace(time);
        this.store = new SimulatedStore(time, Bench.START);
        this.books = new Books(trace);
        this.service = new SimulatedService(
                time,
                trace,
                store,
                books,
                new SimulatedService.Setting(new Random(31 * seed + 2), scenario, SimulatedService.Mutation.NONE));
        int linger = random.nextInt(3) == 0 ? random.nextInt(2_000) : 0;
        boolean coalesce = random.nextInt(3) == 0;
        this.settings = w -> w.linger(Duration.ofMillis(linger)).coalesce(coalesce);
        this.process = start(folder.resolve("1"));
    }

    private static SimulationScenario scenario(Random random) {
        boolean lossy = random.nextInt(4) == 0;
        return new SimulationScenario(
                STEPS,
                PARTITIONS,
                2 + random.nextInt(6),
                1,
                lossy ? 0.6 : new double[] {0, 0.1, 0.3, 0.6}[random.nextInt(4)],
                lossy,
                0,
                BatchReading.MAX_BYTES,
                0,
                true,
                true,
                WriteMarkers.DECISIVE,
                true,
                false,
                false,
                1 + random.nextInt(6),
                0);
    }

    private MortalWriter start(Path home) {
        processes++;
        trace.note("process " + processes + " starts");
        JournalSettings durable = JournalSettings.builder().build();
        return new MortalWriter(this, RecordJournal.open(home, durable), settings);
    }

    Restarts run() {
        try {
            for (int step = 0; step < STEPS; step++) {
                step();
            }
            rest();
            check();
        } finally {
            process.end();
        }
        return this;
    }

    private void step() {
        int dice = random.nextInt(100);
        if (dice < 60) {
            handOver();
        } else if (dice < 66) {
            cancel();
        } else if (dice < 72) {
            crash();
        } else if (dice < 74) {
            time.advanceTimeBy(HORIZON);
        } else {
            time.advanceTimeBy(service.millis(dice < 90 ? 30 : 3_000));
        }
        if (random.nextBoolean()) {
            process.settle();
        }
    }

    private void handOver() {
        SimulatedKey key = new SimulatedKey(
                "p" + random.nextInt(PARTITIONS),
                random.nextInt(3) == 0 ? "new" + books.ops().size() : "r" + random.nextInt(scenario.rows()));
        EntityVerb verb = key.row().startsWith("new")
                ? EntityVerb.INSERT
                : random.nextBoolean() ? EntityVerb.INSERT_OR_REPLACE : EntityVerb.INSERT_OR_MERGE;
        MortalWriter by = process;
        SimulatedOperation op = books.open(
                new SimulatedOperation.Wish(verb, key, null, "text", 0), SimulatedOperation.Way.OFFERED, this);
        op.handedOver = service.now();
        trace.note("hands over " + op);
        Submission<WriteResult> submission = by.offer(op);
        op.submission = submission;
        submission.whenComplete((written, error) -> by.reported(op, written, error));
    }

    /**
     * A promise of a cancel that an operation will never be sent holds in later processes, too, once it has left the
     * disk.
     */
    private void cancel() {
        List<SimulatedOperation> open = books.ops().stream()
                .filter(op -> op.submission != null && process.owns(op) && op.results == 0)
                .toList();
        if (open.isEmpty()) {
            return;
        }
        SimulatedOperation op = open.get(random.nextInt(open.size()));
        boolean never = op.submission != null && op.submission.cancel();
        trace.note("cancelled " + op.id + " " + never);
        op.detached = true;
        process.settle();
        op.neverFrom = never ? service.now() : -1;
    }

    private void crash() {
        Path next = folder.resolve("" + (processes + 1));
        process.crash(next);
        if (random.nextInt(4) == 0) {
            time.advanceTimeBy(service.millis(20_000));
        }
        process = start(next);
        books.restarted();
    }

    private void rest() {
        service.calm();
        for (int i = 0; i < 40; i++) {
            while (process.settle()) {
                time.advanceTimeBy(ROUND_TRIP);
            }
            time.advanceTimeBy(REST.dividedBy(40));
        }
        process.settle();
        process.checkIdle();
    }

    void ended(SimulatedOperation op, @Nullable WriteResult written, @Nullable Throwable error) {
        op.ended(written, error, service.now());
        trace.note("told " + op.id + " " + (error == null ? String.valueOf(written) : error.toString()));
        trace.expect(op.results == 1, () -> "BATCH-1: " + op + " has another result");
    }

    private void check() {
        books.ops().forEach(this::check);
        OrderCheck order = new OrderCheck(trace, books);
        for (List<Event> history : store.histories()) {
            if (coalesces()) {
                lastIsNewest(history);
            } else {
                order.of(history);
            }
        }
    }

    /** A replay repeats one by one what was sent as one, so that the entity passes through older states again. */
    private void lastIsNewest(List<Event> history) {
        int newest =
                history.stream().mapToInt(event -> event.change().op()).max().orElse(0);
        trace.expect(
                history.isEmpty() || history.get(history.size() - 1).of(newest),
                () -> "BATCH-4: " + books.op(newest) + " was carried out, and is not what stands there in the end");
    }

    private boolean coalesces() {
        return settings.apply(WriterSettings.builder()).build().coalesce();
    }

    private void check(SimulatedOperation op) {
        if (op.neverFrom >= 0) {
            trace.expect(op.applied.isEmpty(), () -> op + " was given back, and carried out");
            return;
        }
        boolean stands = !op.applied.isEmpty() || isCovered(op) || op.detached;
        trace.expect(stands, () -> "BATCH-15: " + op + " was accepted and is lost, told " + op.error);
        trace.expect(
                op.error == null || op.detached,
                () -> "BATCH-15: " + op + " failed although nothing refuses it: " + op.error);
        trace.expect(
                op.wish.verb() != EntityVerb.INSERT || op.applied.size() <= 1,
                () -> "BATCH-15: " + op + " was carried out " + op.applied.size() + " times");
        List<Event> before = new ArrayList<>(op.applied);
        before.removeIf(event -> op.endedAt >= 0 && event.at() > op.endedAt);
        trace.expect(
                op.written == null
                        || before.size() <= 1
                        || op.written.mayHaveRepeated()
                        || op.wish.verb() != EntityVerb.INSERT_OR_REPLACE,
                () -> "OUTCOME-3: " + op + " was carried out " + before.size() + " times, and told " + op.written);
    }

    /** A later one of its entity stands for it where the writer coalesces. */
    private boolean isCovered(SimulatedOperation op) {
        return coalesces()
                && books.ops().stream()
                        .anyMatch(later -> later.id > op.id
                                && later.wish.key().equals(op.wish.key())
                                && later.wish.verb() == EntityVerb.INSERT_OR_REPLACE
                                && !later.applied.isEmpty());
    }
}
