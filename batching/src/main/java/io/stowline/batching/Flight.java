package io.stowline.batching;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/** One batch on its way; ends once, whatever the sender does. */
final class Flight<K, I, R> implements Batch<K, I>, CoreSubscriber<BatchReply<R>> {

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<Flight, Admission.@Nullable Ticket> TICKET =
            AtomicReferenceFieldUpdater.newUpdater(Flight.class, Admission.Ticket.class, "ticket");

    final Lane<K, I, R> lane;
    final Load<K, I, R> load;

    /** Guarded by the engine's lock. */
    boolean ended;

    /** Changed under the engine's lock: whether it counts against the batches on the wire. */
    volatile boolean onWire = true;

    private final Engine<K, I, R> engine;
    private final List<I> items;
    private volatile Admission.@Nullable Ticket ticket;
    private volatile @Nullable Subscription subscription;
    private volatile boolean cancelled;
    private final @Nullable Expiry<K, I, R> firstDue;
    private final List<Batcher<K, I, R>> writers;
    private boolean answered;

    Flight(Engine<K, I, R> engine, Lane<K, I, R> lane, Load<K, I, R> load, Admission.Ticket ticket) {
        this.engine = engine;
        this.lane = lane;
        this.load = load;
        this.items = load.items();
        this.firstDue = load.firstDue();
        this.writers = load.writers();
        this.ticket = ticket;
    }

    /** The writers that it carries items of, each once. */
    List<Batcher<K, I, R>> writers() {
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
        return load instanceof Group;
    }

    @Override
    public Admission.Ticket takeTicket() {
        Admission.Ticket held = TICKET.getAndSet(this, null);
        if (held == null) {
            throw new IllegalStateException("the ticket was taken before or the batch has ended");
        }
        return held;
    }

    @Override
    public @Nullable Duration timeLeft() {
        return firstDue == null ? null : Duration.ofNanos(Math.max(0, firstDue.due - engine.now()));
    }

    @Override
    public @Nullable Duration deliveryTimeout() {
        return firstDue == null ? null : firstDue.timeout;
    }

    @Override
    public boolean isWanted() {
        return engine.read(() -> !ended && load.isWanted() ? 1 : 0) > 0;
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

    void send() {
        try {
            Mono<BatchReply<R>> reply = engine.sender().send(this);
            reply.subscribe(this);
        } catch (Throwable error) {
            engine.end(this, new BatchReply.Failed<>(error));
        }
    }

    /** Releases the ticket unless the sender took it. */
    void releaseTicket() {
        Admission.Ticket held = ticket == null ? null : TICKET.getAndSet(this, null);
        if (held != null) {
            held.release();
        }
    }

    /** Stops the sender, whose answer is no longer of use. */
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
        answered = true;
        engine.end(this, reply);
    }

    @Override
    public void onError(Throwable error) {
        engine.end(this, new BatchReply.Failed<>(error));
    }

    @Override
    public void onComplete() {
        if (!answered) {
            engine.end(this, new BatchReply.Failed<>(new BatchProtocolException("the batch ended without a reply")));
        }
    }
}
