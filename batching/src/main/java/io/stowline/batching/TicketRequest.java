package io.stowline.batching;

import org.jspecify.annotations.Nullable;

/** One wait for an admission ticket. */
final class TicketRequest<K, I, R> {

    private final Engine<K, I, R> engine;
    private final Admission admission;
    private volatile Admission.@Nullable Waiting waiting;
    private volatile boolean cancelled;

    TicketRequest(Engine<K, I, R> engine, Admission admission) {
        this.engine = engine;
        this.admission = admission;
    }

    void start() {
        if (cancelled) {
            return;
        }
        try {
            waiting = admission.request(ticket -> engine.admitted(this, ticket));
        } catch (Throwable error) {
            engine.refused(this, error);
            return;
        }
        if (cancelled) {
            leave();
        }
    }

    /** Leaves the line; a ticket that comes all the same is used or released. */
    void cancel() {
        cancelled = true;
        leave();
    }

    private void leave() {
        Admission.Waiting place = waiting;
        if (place != null) {
            place.cancel();
        }
    }
}
