package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.Admission;
import io.stowline.batching.internal.batch.BatchDescriptor;
import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchSender;
import io.stowline.batching.internal.batch.BatchingBounds;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.batching.internal.callback.CallbackRunner;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.BatcherErrors;
import io.stowline.batching.internal.writer.BatcherSettings;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The engine that turns many operations into few requests; one for all writers of a client (decision 30).
 *
 * <ul>
 *   <li>Items are queued by lane, and a lane has at most one batch in flight, so that while it is on its way the next
 *       one fills.
 *   <li>A batch is cut when it is admitted, in the order of the lane's items, never beyond the {@linkplain Builder#limits limits} and
 *       never with an entity twice.
 *   <li>The entities of a batch whose reply was {@link BatchReply#reservedFor reserving} stay reserved for that time: their
 *       later items wait, in order, and a group with such an entity waits as a whole; all others go ahead of them.
 *   <li>Lanes that are ready are served in turn, every fourth turn goes to one with a whole batch. A lane without items and reserved entities takes no memory, and there
 *       is one timer for all.
 *   <li>What a sender, a callback or an executor throws fails the items concerned and nothing else.
 * </ul>
 *
 * <p>Safe for use by many threads.
 */
public final class BatchingEngine<K, I, R> {

    private final EngineLock<K, I, R> engine;

    private BatchingEngine(EngineLock<K, I, R> engine) {
        this.engine = engine;
    }

    /**
     * Returns a builder.
     *
     * @param descriptor what the engine must know of an item
     */
    public static <K, I, R> Builder<K, I, R> builder(BatchDescriptor<I> descriptor, BatchSender<K, I, R> sender) {
        return new Builder<>(
                Objects.requireNonNull(descriptor, "descriptor"), Objects.requireNonNull(sender, "sender"));
    }

    /**
     * Returns a new writer over these lanes.
     *
     * @param settings how it buffers, waits and ends
     * @throws IllegalArgumentException if the buffer has no room for one full batch
     * @throws RuntimeException {@link BatcherErrors#closed} if the engine is closed
     */
    public Batcher<K, I, R> batcher(BatcherSettings settings) {
        return engine.batcher(settings);
    }

    /**
     * Sends items as one batch that succeeds or fails as a whole, behind all that is queued in the lane. Not limited by
     * a writer's buffer. Starts on subscription; cancelling removes the group when it is not yet sent and detaches the
     * caller otherwise.
     *
     * @return the results in the order of the items; or the error of the item that failed or of the whole,
     *     {@link IllegalArgumentException} for a group that cannot be one batch, {@link BatcherErrors#closed}
     */
    public Mono<List<R>> submitAtomic(K key, List<I> items) {
        Objects.requireNonNull(key, "key");
        List<I> copy = List.copyOf(items);
        return Mono.create(sink -> engine.submitter().submitAtomic(key, copy, null, sink));
    }

    /**
     * Sends items as {@link #submitAtomic(Object, List)} does, within a time that counts from the subscription. A group that
     * is not sent by then never will be. The {@link BatchSender} receives the time that is left.
     *
     * @param key the lane
     * @param items the items, each of another entity
     * @param timeout the time, 1 ms to 365 days
     * @return the results in the order of the items; or the error of the item that failed or of the whole,
     *     {@link BatcherErrors#deliveryTimeout} for a group that was not sent in time, {@link IllegalArgumentException} for one that
     *     cannot be one batch, {@link BatcherErrors#closed}
     * @throws IllegalArgumentException if the time is out of range
     */
    public Mono<List<R>> submitAtomic(K key, List<I> items, Duration timeout) {
        Objects.requireNonNull(key, "key");
        BatchingBounds.between("timeout", timeout, Duration.ofMillis(1), Duration.ofDays(365));
        List<I> copy = List.copyOf(items);
        return Mono.create(sink -> engine.submitter().submitAtomic(key, copy, timeout, sink));
    }

    /**
     * Refuses whatever is new, sends what is queued, and fails what has no outcome when the time is over. The time of
     * the first call counts, and every call has the same result. Starts on subscription.
     *
     * @param timeout the time, zero or more
     * @return empty when nothing is queued or in flight any more
     */
    public Mono<Void> closeAsync(Duration timeout) {
        BatchingBounds.between("timeout", timeout, Duration.ZERO, Duration.ofDays(1));
        return Mono.defer(() -> engine.callbacks().deliver(engine.shutdown().close(timeout)));
    }

    /**
     * Closes like {@link #closeAsync}, and signals the end on the thread that ends the engine, in place of a callback.
     *
     * @param timeout the time, zero or more
     * @return the same end
     */
    public Mono<Void> closeWithoutCallbacks(Duration timeout) {
        BatchingBounds.between("timeout", timeout, Duration.ZERO, Duration.ofDays(1));
        return Mono.defer(() -> Mono.fromFuture(engine.shutdown().close(timeout), true));
    }

    /** Returns the number of batches in flight. */
    public int batchesInFlight() {
        return (int) engine.read(engine.scheduler()::inFlight);
    }

    /**
     * Returns the number of lanes with something queued, in flight or waiting for room. A lane that has nothing but
     * reserved entities is not counted.
     */
    public int laneCount() {
        return (int) engine.read(engine.lanes()::size);
    }

    /** Returns the number of entities that are reserved because a reply was {@link BatchReply#reservedFor reserving}. */
    public long reservedEntities() {
        return engine.read(engine.scheduler()::reserved);
    }

    /** Returns how many parts of replies belonged to no item. */
    public long unknownParts() {
        return engine.read(engine::unknownParts);
    }

    /** Returns how many callbacks threw or were refused by their executor. */
    public long callbackFailures() {
        return engine.callbacks().failures();
    }

    /**
     * A builder that collects what an engine is made of. Not safe for use by many threads.
     *
     * <pre>
     * limits              100 items, 4 MiB, no envelope
     * admission           at once
     * maxBatchesInFlight  64
     * timer               Schedulers.parallel()
     * </pre>
     */
    public static final class Builder<K, I, R> {

        private static final int MAX_IN_FLIGHT = 100_000;
        private static final int MAX_ITEMS = 100_000;

        final BatchDescriptor<I> descriptor;
        final BatchSender<K, I, R> sender;
        int maxItems = 100;
        int maxBytes = 4 << 20;
        int envelopeBytes;
        Admission admission = Admission.atOnce();
        int maxBatchesInFlight = 64;
        Scheduler timer = Schedulers.parallel();
        Function<Batcher<?, ?, R>, EngineSubmission<R>> submissions = EngineSubmission::new;

        @Nullable
        CallbackRunner callbacks;

        @Nullable
        BatcherErrors errors;

        OpenWriterWarning warning = OpenWriterWarning.shared();

        private Builder(BatchDescriptor<I> descriptor, BatchSender<K, I, R> sender) {
            this.descriptor = descriptor;
            this.sender = sender;
        }

        /**
         * Sets the hard limits of a batch, which are never exceeded: its bytes are {@code envelope} plus the exact sizes of
         * its items.
         *
         * @param maxItems the most items of a batch, 1 to 100,000
         * @param maxBytes the most bytes of a batch, at least 1
         * @param envelopeBytes the bytes that a batch takes without its items, 0 to below {@code maxBytes}
         * @throws IllegalArgumentException if a number is out of range
         */
        public Builder<K, I, R> limits(int maxItems, int maxBytes, int envelopeBytes) {
            BatchingBounds.between("maxItems", maxItems, 1, MAX_ITEMS);
            BatchingBounds.between("maxBytes", maxBytes, 1, Integer.MAX_VALUE);
            BatchingBounds.between("envelope", envelopeBytes, 0, maxBytes - 1);
            this.maxItems = maxItems;
            this.maxBytes = maxBytes;
            this.envelopeBytes = envelopeBytes;
            return this;
        }

        /** Sets the admission of batches. */
        public Builder<K, I, R> admission(Admission admission) {
            this.admission = Objects.requireNonNull(admission, "admission");
            return this;
        }

        /**
         * Sets the most batches of all lanes that are on the wire at once. A batch whose sender {@linkplain
         * DeliveryBatch#leaveWire waits} for something else, such as the back-off, is not counted, so that lanes that have to wait
         * never stop the others.
         *
         * @param maxBatchesInFlight the number, 1 to 100,000
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder<K, I, R> maxBatchesInFlight(int maxBatchesInFlight) {
            BatchingBounds.between("maxBatchesInFlight", maxBatchesInFlight, 1, MAX_IN_FLIGHT);
            this.maxBatchesInFlight = maxBatchesInFlight;
            return this;
        }

        /** Sets the factory of the submissions, of the client's type that extends the engine's. */
        public Builder<K, I, R> submissions(Function<Batcher<?, ?, R>, EngineSubmission<R>> submissions) {
            this.submissions = Objects.requireNonNull(submissions, "submissions");
            return this;
        }

        /** Sets the scheduler of the timers, which is not disposed. */
        public Builder<K, I, R> timer(Scheduler timer) {
            this.timer = Objects.requireNonNull(timer, "timer");
            return this;
        }

        /** Sets the runner of the callbacks; there is no default. A writer's executor replaces only the executor. */
        public Builder<K, I, R> callbacks(CallbackRunner callbacks) {
            this.callbacks = Objects.requireNonNull(callbacks, "callbacks");
            return this;
        }

        /** Sets the factory of the exceptions that callers get; there is no default. */
        public Builder<K, I, R> errors(BatcherErrors errors) {
            this.errors = Objects.requireNonNull(errors, "errors");
            return this;
        }

        /** Builds the engine. */
        public BatchingEngine<K, I, R> build() {
            return new BatchingEngine<>(new EngineLock<>(this));
        }
    }
}
