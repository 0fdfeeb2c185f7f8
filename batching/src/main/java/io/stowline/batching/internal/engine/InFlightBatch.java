package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.BatchProtocolException;
import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.batching.internal.callback.GuardedKey;
import io.stowline.batching.internal.engine.QueueNode.ItemGroup;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** One batch on its way; ends once, whatever the sender does. */
final class InFlightBatch<K, I, R> implements DeliveryBatch<K, I>, CoreSubscriber<BatchReply<R>> {

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<InFlightBatch, @Nullable Disposable> PERMIT =
            AtomicReferenceFieldUpdater.newUpdater(InFlightBatch.class, Disposable.class, "permit");

    final Lane<K, I, R> lane;
    final BatchPayload<K, I, R> payload;

    /** Guarded by the engine's lock. */
    boolean ended;

    /** Changed under the engine's lock: whether it counts against the batches on the wire. */
    volatile boolean onWire = true;

    /** Guarded by the engine's lock: whether its request has had no response for long. */
    boolean silent;

    /** Guarded by the engine's lock: whether its lane had a response lately when it was cut. */
    boolean responsive;

    private final EngineLock<K, I, R> engine;
    private final List<I> items;
    private volatile @Nullable Disposable permit;
    private volatile @Nullable Subscription subscription;
    private volatile boolean cancelled;
    private final @Nullable QueueNode<K, I, R> firstDue;
    private final List<EngineBatcher<K, I, R>> writers;
    private boolean responded;

    InFlightBatch(EngineLock<K, I, R> engine, Lane<K, I, R> lane, BatchPayload<K, I, R> payload, Disposable permit) {
        this.engine = engine;
        this.lane = lane;
        this.payload = payload;
        this.items = payload.items();
        this.firstDue = payload.firstDue();
        this.writers = payload.writers();
        this.permit = permit;
    }

    /** Returns the writers whose items it carries, each once. */
    List<EngineBatcher<K, I, R>> writers() {
        return writers;
    }

    @Override
    public K key() {
        return lane.key;
    }

    @Override
    public List<I> items() {
        return items;
    }

    @Override
    public boolean atomic() {
        return payload instanceof ItemGroup;
    }

    @Override
    public <P extends Disposable> @Nullable P takePermit(Class<P> type) {
        Disposable reserved = permit;
        P typed = reserved == null ? null : type.cast(reserved);
        return typed != null && PERMIT.compareAndSet(this, reserved, null) ? typed : null;
    }

    @Override
    public @Nullable Duration timeLeft() {
        return firstDue == null ? null : Duration.ofNanos(Math.max(0, firstDue.expiry - engine.now()));
    }

    @Override
    public @Nullable Duration deliveryTimeout() {
        return firstDue == null || firstDue.expiries == null ? null : firstDue.expiries.timeout();
    }

    @Override
    public boolean wantsAttempt(boolean due) {
        return engine.read(() -> !ended && payload.wantsAttempt(due) ? 1 : 0) > 0;
    }

    @Override
    public void leaveWire() {
        if (onWire) {
            engine.onWire(this, false);
        }
    }

    @Override
    public void enterWire() {
        if (!onWire) {
            engine.onWire(this, true);
        }
    }

    @Override
    public void fallSilent() {
        engine.fallSilent(this);
    }

    void send() {
        try {
            Mono<BatchReply<R>> reply = engine.sender().send(this);
            reply.subscribe(this);
        } catch (Throwable error) {
            engine.end(this, new BatchReply.BatchFailed<>(error));
        }
    }

    /** Releases the permit unless the sender took it. */
    void releasePermit() {
        Disposable notTaken = permit == null ? null : PERMIT.getAndSet(this, null);
        if (notTaken != null) {
            notTaken.dispose();
        }
    }

    /** Stops the sender, whose reply has no use left. */
    void cancel() {
        cancelled = true;
        Subscription started = subscription;
        if (started != null) {
            started.cancel();
        }
    }

    @Override
    public void onSubscribe(Subscription started) {
        subscription = started;
        if (cancelled) {
            started.cancel();
        } else {
            started.request(Long.MAX_VALUE);
        }
    }

    @Override
    public void onNext(BatchReply<R> reply) {
        responded = true;
        engine.end(this, reply);
    }

    @Override
    public void onError(Throwable error) {
        engine.end(this, new BatchReply.BatchFailed<>(error));
    }

    @Override
    public void onComplete() {
        if (!responded) {
            engine.end(
                    this, new BatchReply.BatchFailed<>(new BatchProtocolException("the batch ended without a reply")));
        }
    }

    /** The payload of one request. */
    sealed interface BatchPayload<K, I, R> permits BatchPart, ItemGroup {

        /** Returns the items, not modifiable. */
        List<I> items();

        /** Returns its weight in items. */
        int weight();

        /** Returns the weight of its heaviest item. */
        int heaviest();

        List<GuardedKey> entities();

        /** Returns the node whose time is over first; null when none has a time. */
        @Nullable
        QueueNode<K, I, R> firstDue();

        /** Returns the writers of its items, each once. */
        List<EngineBatcher<K, I, R>> writers();

        /** Behaves like {@link DeliveryBatch#wantsAttempt}. */
        boolean wantsAttempt(boolean due);
    }
}
