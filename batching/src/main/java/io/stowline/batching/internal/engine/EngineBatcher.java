package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.callback.CallbackRunner;
import io.stowline.batching.internal.callback.IntrusiveList;
import io.stowline.batching.internal.callback.RankedQueue.QueuePlace;
import io.stowline.batching.internal.callback.TaggedItem;
import io.stowline.batching.internal.callback.WriteFlux;
import io.stowline.batching.internal.callback.WriteMono;
import io.stowline.batching.internal.engine.DeliveryDeadlines.ItemExpiries;
import io.stowline.batching.internal.engine.GiveUpTimes.WriterProgress;
import io.stowline.batching.internal.engine.WriterBuffer.BlockedSubmit;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.BatcherErrors;
import io.stowline.batching.internal.writer.BatcherSettings;
import io.stowline.batching.internal.writer.FlushCounts;
import io.stowline.batching.internal.writer.ItemCounts;
import io.stowline.batching.internal.writer.UncollectedItems;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The writer over an engine: its settings, its buffer, its flushes and its close. */
final class EngineBatcher<K, I, R> implements Batcher<K, I, R>, WriteFlux.WriteTarget<K, I, R> {

    /** Guarded by the engine's lock: why nothing more is accepted. */
    @Nullable
    Throwable broken;

    /** Guarded by the engine's lock: items accepted up to this number do not linger. */
    long urgentSeq;

    /** Guarded by the engine's lock: whether it is looked at before the lock is left. */
    boolean touched;

    /** Guarded by the engine's lock: its place among the writers that try. */
    @Nullable
    QueuePlace<EngineBatcher<K, I, R>> watched;

    /** Guarded by the engine's lock: the lanes of this writer alone that wait for a fuller batch. */
    final IntrusiveList<Lane<K, I, R>> lingering = new IntrusiveList<>();

    private final EngineLock<K, I, R> engine;
    private final Submitter<K, I, R> submitter;
    private final BatcherSettings settings;
    private final CallbackRunner callbacks;
    private final long lingerNanos;
    private final WriterBuffer<K, I, R> buffer;
    private final @Nullable ItemExpiries<K, I, R> expiries;
    private final WriterProgress progress;
    private final UncollectedFailures<R> uncollected;
    private final WriterBarriers<K, I, R> barriers;

    EngineBatcher(
            EngineLock<K, I, R> engine,
            Submitter<K, I, R> submitter,
            BatcherSettings settings,
            WriterBuffer<K, I, R> buffer) {
        this.engine = engine;
        this.submitter = submitter;
        this.settings = settings;
        this.buffer = buffer;
        this.uncollected = new UncollectedFailures<>(buffer, settings.bufferBytes());
        this.lingerNanos = settings.linger().toNanos();
        Duration deliveryTimeout = settings.deliveryTimeout();
        this.expiries = deliveryTimeout == null ? null : new ItemExpiries<>(deliveryTimeout);
        this.progress = new WriterProgress(settings.giveUpAfter());
        Executor own = settings.callbacks();
        this.callbacks = own == null ? engine.callbacks() : engine.callbacks().with(own);
        this.barriers = new WriterBarriers<>(engine, this);
    }

    @Override
    public EngineSubmission<R> submit(K key, I item) {
        if (Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException("an operation may have to wait for room, and "
                    + Thread.currentThread().getName()
                    + " must not block: use failingFast(), or the reactive() face there");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw submitter.interrupted();
        }
        BufferedItem<K, I, R> entry = submitter.prepare(this, item);
        EngineSubmission<R> submission = entry.submission;
        if (admit(key, entry, null)) {
            return submission;
        }
        BlockedSubmit waiter = BlockedSubmit.blocked(callbacks);
        if (!submitter.admit(this, key, entry, waiter)) {
            submitter.waitForRoom(entry, waiter);
        }
        return submission;
    }

    @Override
    public EngineSubmission<R> offer(K key, I item) {
        BufferedItem<K, I, R> entry = submitter.prepare(this, item);
        EngineSubmission<R> submission = entry.submission;
        if (!merge(key, entry)) {
            submitter.offer(this, key, entry);
        }
        return submission;
    }

    @Override
    public Mono<R> write(K key, I item) {
        return WriteMono.write(this, () -> TaggedItem.of(key, item, key));
    }

    @Override
    public EngineSubmission<R> enlist(
            K key,
            I item,
            BiConsumer<? super @Nullable R, ? super @Nullable Throwable> callback,
            @Nullable Object requester) {
        BufferedItem<K, I, R> entry = submitter.prepare(this, item);
        EngineSubmission<R> submission = entry.submission;
        submission.listen(callback, requester);
        if (!admit(key, entry, null)) {
            submitter.admit(this, key, entry, BlockedSubmit.reactive(callbacks, requester));
        }
        return submission;
    }

    @Override
    public Mono<FlushCounts> flush() {
        return Mono.defer(() -> callbacks.deliver(barriers.flush()));
    }

    @Override
    public FlushCounts flushAndWait() {
        return barriers.await(barriers.flush(), "flushing", "flush()", "flush()");
    }

    @Override
    public Mono<Void> closeAsync() {
        return failing(Mono.defer(() -> callbacks.deliver(barriers.close())));
    }

    @Override
    public Mono<Void> closeWithoutCallbacks() {
        return failing(Mono.defer(() -> Mono.fromFuture(barriers.close(), true)));
    }

    private static Mono<Void> failing(Mono<Supplier<@Nullable RuntimeException>> end) {
        return end.flatMap(error -> Mono.defer(() -> {
            RuntimeException failures = error.get();
            return failures == null ? Mono.empty() : Mono.error(failures);
        }));
    }

    @Override
    public void close() {
        CompletableFuture<Supplier<@Nullable RuntimeException>> end = barriers.close();
        if (callbacks.current() != null) {
            return;
        }
        RuntimeException failures =
                barriers.await(end, "closing", "close()", "close()").get();
        if (failures != null) {
            throw failures;
        }
    }

    @Override
    public Optional<UncollectedItems> takeFailures() {
        engine.enter();
        try {
            Optional<UncollectedItems> failures = Optional.ofNullable(uncollected.poll());
            engine.touch(this);
            return failures;
        } finally {
            engine.leave();
        }
    }

    @Override
    public boolean isClosed() {
        return barriers.isClosed();
    }

    @Override
    public int bufferedItems() {
        return (int) engine.read(buffer::items);
    }

    @Override
    public long bufferedBytes() {
        return engine.read(buffer::bytes);
    }

    @Override
    public ItemCounts counts() {
        engine.enter();
        try {
            return new ItemCounts(
                    barriers.accepted(), progress.succeeded(), progress.failed(), buffer.items(), buffer.bytes());
        } finally {
            engine.leave();
        }
    }

    @Override
    public int undeliveredItems() {
        return (int) engine.read(buffer::results);
    }

    @Override
    public boolean isIdle() {
        return engine.read(() -> buffer.items() == 0 && buffer.results() == 0 && uncollected.isEmpty() ? 1 : 0) == 1;
    }

    @Override
    public BatcherSettings settings() {
        return settings;
    }

    @Override
    public CallbackRunner callbacks() {
        return callbacks;
    }

    BatcherErrors errors() {
        return engine.errors();
    }

    EngineLock<K, I, R> engine() {
        return engine;
    }

    WriterProgress progress() {
        return progress;
    }

    WriterBuffer<K, I, R> buffer() {
        return buffer;
    }

    @Nullable
    ItemExpiries<K, I, R> expiries() {
        return expiries;
    }

    WriterBarriers<K, I, R> barriers() {
        return barriers;
    }

    UncollectedFailures<R> uncollected() {
        return uncollected;
    }

    long lingerNanos() {
        return lingerNanos;
    }

    boolean cancel(EngineSubmission<R> submission) {
        return submitter.cancel(submission);
    }

    /** Notes that a result was taken after it had failed. */
    void collect(EngineSubmission<R> submission) {
        engine.locked(() -> {
            uncollected.remove(submission);
            if (buffer.isShort()) {
                engine.touch(this);
            }
        });
    }

    /** Has a result that waits for callbacks take room, beyond the bounds where there is none. */
    void holdResult(EngineSubmission<R> submission) {
        engine.enter();
        try {
            submission.undelivered(1);
        } finally {
            engine.leave();
        }
    }

    /** Gives the room back that a result had until its callbacks have run. */
    void releaseResult(EngineSubmission<R> submission) {
        boolean wanted = engine.note(() -> {
            submission.undelivered(-1);
            return buffer.isShort();
        });
        if (wanted) {
            engine.locked(() -> engine.touch(this));
        }
    }

    /** Ends the flushes and the close that wait for no item. Called under the engine's lock. */
    void settle() {
        if (buffer.items() == 0) {
            engine.giveUpTimes().rest(this);
        }
        barriers.settle();
    }

    private boolean admit(K key, BufferedItem<K, I, R> entry, @Nullable BlockedSubmit waiter) {
        return merge(key, entry) || submitter.admit(this, key, entry, waiter);
    }

    private boolean merge(K key, BufferedItem<K, I, R> entry) {
        Objects.requireNonNull(key, "key");
        return settings.coalesce() && submitter.merge(this, key, entry);
    }
}
