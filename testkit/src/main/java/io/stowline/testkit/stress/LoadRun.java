package io.stowline.testkit.stress;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a test at a rate. They start when they are due, whatever the latency of those before. If as many as allowed are in flight,
 * those that are due are not sent, and counted. Driven by one thread.
 */
final class LoadRun {

    private static final double WARM_UP = 0.2;
    private static final long PAUSE = 2_000_000;

    /** Calls that are due for longer are not sent: after a pause of the machine they would come as a burst, which no user sends. */
    private static final long MAX_DELAY = 100_000_000;

    private static final int PRELOAD_IN_FLIGHT = 32;
    private static final int MAX_REPETITIONS = 50;
    private static final long REPETITION_PAUSE = 100_000_000;

    private final StressPlan plan;
    private final Executor threads;
    private long number;
    private @Nullable Throwable firstFailure;

    LoadRun(StressPlan plan, Executor threads, long number) {
        this.plan = plan;
        this.threads = threads;
        this.number = number;
    }

    long number() {
        return number;
    }

    @Nullable
    Throwable firstFailure() {
        return firstFailure;
    }

    /** Offers a rate of entities to some partitions; the first fifth of the time does not count. */
    StressStep offer(int partitions, double rate, Duration length) throws InterruptedException {
        double calls = rate / plan.mix().entities() / 1e9;
        long start = plan.time().nanoTime();
        long end = start + length.toNanos();
        long from = start + (long) (WARM_UP * length.toNanos());
        LoadTally tally = new LoadTally(plan.mix().operations(), from, end);
        Semaphore room = new Semaphore(plan.maxInFlight());
        double heldBack = 0;
        double late = 0;
        long due = 0;
        for (long now = start; now < end; now = plan.time().nanoTime()) {
            for (; now < end && due < (now - start) * calls; due++) {
                boolean behind = due < (now - start - MAX_DELAY) * calls;
                if (!behind && room.tryAcquire()) {
                    send(partitions, due, tally, room);
                } else if (now >= from) {
                    late += behind ? plan.mix().entities() : 0;
                    heldBack += behind ? 0 : plan.mix().entities();
                }
                now = plan.time().nanoTime();
            }
            plan.time().sleep(PAUSE);
        }
        late += Math.max(0, (end - start) * calls - due - 1) * plan.mix().entities();
        int hanging = awaitAll(room);
        firstFailure = firstFailure == null ? tally.firstFailure() : firstFailure;
        return tally.step(partitions, rate, heldBack, late, hanging * plan.mix().entities());
    }

    private void send(int partitions, long due, LoadTally tally, Semaphore room) {
        long each = plan.preloaded() + number++;
        int place = plan.mix().place(each);
        StressOperation operation = plan.mix().operations().get(place);
        StressCall call = new StressCall(
                plan.partitions().apply((int) (due % partitions)),
                each,
                plan.preloaded(),
                plan.mix().seed(each),
                operation.entities());
        start(operation, call, (began, failure) -> {
            long now = plan.time().nanoTime();
            count(tally, place, call, began, now, failure);
            room.release();
        });
    }

    private void count(LoadTally tally, int place, StressCall call, long began, long now, @Nullable Throwable failure) {
        StressFailure kind = failure == null ? null : plan.kind(failure);
        tally.ended(place, now);
        if (call.isThrottled() || kind == StressFailure.THROTTLED) {
            tally.refused(call.entities(), now);
        }
        if (failure == null || kind == null) {
            tally.succeeded(place, call.entities(), began, now);
        } else if (kind == StressFailure.TIMED_OUT) {
            tally.timedOut(call.entities(), now);
        } else if (kind == StressFailure.OTHER) {
            tally.failed(failure);
        }
    }

    /** Starts a call; its end is given with the time of its beginning, once. */
    private void start(StressOperation operation, StressCall call, BiConsumer<Long, @Nullable Throwable> end) {
        StressOperation.Blocking blocking = operation.blocking();
        if (blocking != null) {
            threads.execute(() -> {
                long began = plan.time().nanoTime();
                end.accept(began, failure(() -> blocking.carryOut(call)));
            });
            return;
        }
        long began = plan.time().nanoTime();
        StressOperation.Async async = Objects.requireNonNull(operation.async(), "async");
        @Nullable CompletionStage<?>[] stage = new CompletionStage<?>[1];
        Throwable failure =
                failure(() -> stage[0] = Objects.requireNonNull(async.begin(call), "the stage of an async call"));
        if (failure != null || stage[0] == null) {
            end.accept(began, failure);
        } else {
            stage[0].whenComplete((value, error) -> end.accept(began, unwrapped(error)));
        }
    }

    /** Code of a test that may throw anything. */
    @FunctionalInterface
    private interface ThrowingCode {
        void run() throws Exception;
    }

    /** An assertion of the lambda is a failed call too. */
    private static @Nullable Throwable failure(ThrowingCode code) {
        try {
            code.run();
            return null;
        } catch (Throwable e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return e;
        }
    }

    private static @Nullable Throwable unwrapped(@Nullable Throwable error) {
        boolean wrapped = error instanceof CompletionException || error instanceof ExecutionException;
        Throwable cause = error == null ? null : error.getCause();
        return wrapped && cause != null ? cause : error;
    }

    /** Waits for the calls in flight, and returns how many did not end in time. */
    private int awaitAll(Semaphore room) throws InterruptedException {
        long end = plan.time().nanoTime() + plan.patience().toNanos();
        while (room.availablePermits() < plan.maxInFlight() && plan.time().nanoTime() < end) {
            plan.time().sleep(PAUSE);
        }
        return plan.maxInFlight() - room.availablePermits();
    }

    /**
     * Carries out the preload: each row once, as fast as the calls in flight allow. Refused calls are repeated.
     *
     * @throws IllegalStateException if a call fails
     */
    void preload(StressOperation operation, int partitions) throws InterruptedException {
        LoadBacklog backlog = new LoadBacklog(partitions, plan.preloaded());
        Semaphore room = new Semaphore(Math.min(PRELOAD_IN_FLIGHT, plan.maxInFlight()));
        while (!backlog.isDone() && !plan.stopped().getAsBoolean()) {
            LoadBacklog.Row row = backlog.isPaused(plan.time().nanoTime()) ? null : backlog.next();
            if (row == null || !room.tryAcquire()) {
                if (row != null) {
                    backlog.putBack(row);
                }
                plan.time().sleep(PAUSE);
                continue;
            }
            StressCall call = new StressCall(
                    plan.partitions().apply(row.partition()),
                    row.number(),
                    plan.preloaded(),
                    plan.mix().seed(row.number()),
                    operation.entities());
            start(operation, call, (began, failure) -> {
                boolean repeated = failure != null
                        && plan.kind(failure) != StressFailure.OTHER
                        && row.repetitions() < MAX_REPETITIONS;
                if (failure == null) {
                    backlog.done();
                } else if (repeated) {
                    backlog.repeat(row, plan.time().nanoTime() + REPETITION_PAUSE * (1 + row.repetitions()));
                } else {
                    backlog.fail(failure);
                }
                room.release();
            });
        }
    }
}
