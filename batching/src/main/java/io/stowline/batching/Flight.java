package io.stowline.batching;

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

    private final Engine<K, I, R> engine;
    private final List<I> items;
    private volatile Admission.@Nullable Ticket ticket;
    private volatile @Nullable Subscription subscription;
    private volatile boolean cancelled;
    private boolean answered;

    Flight(Engine<K, I, R> engine, Lane<K, I, R> lane, Load<K, I, R> load, Admission.Ticket ticket) {
        this.engine = engine;
        this.lane = lane;
        this.load = load;
        this.items = load.items();
        this.ticket = ticket;
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
