package io.stowline.caching.internal;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.util.context.ContextView;

/**
 * One load and those who wait for it. Whoever leaves leaves the others alone; the load is cancelled when the last has left. Thread-safe.
 */
final class Flight {

    private final Stamp stamp;
    private final Consumer<Flight> ended;
    private final Set<MonoSink<Ticket>> seats = new LinkedHashSet<>();
    private final Disposable.Swap load = Disposables.swap();
    private boolean over;

    /** A flight that is not on its way yet; {@code ended} is told before anybody is told of its end. */
    Flight(Stamp stamp, Consumer<Flight> ended) {
        this.stamp = stamp;
        this.ended = ended;
    }

    Stamp stamp() {
        return stamp;
    }

    /** Whether there is still room: not after the landing, nor after the last has left. */
    synchronized boolean board(MonoSink<Ticket> reader) {
        return !over && seats.add(reader);
    }

    void leave(MonoSink<Ticket> reader) {
        synchronized (this) {
            if (!seats.remove(reader) || !seats.isEmpty()) {
                return;
            }
            over = true;
        }
        ended.accept(this);
        load.dispose();
    }

    void start(Mono<Landing> landing, ContextView context) {
        load.update(landing.switchIfEmpty(
                        Mono.error(() -> new IllegalStateException("the load has ended without an answer")))
                .doOnNext(this::land)
                .contextWrite(context)
                .subscribe(landed -> {}, this::crash));
    }

    private void land(Landing landing) {
        boolean first = true;
        for (MonoSink<Ticket> seat : disembark()) {
            Ticket ticket = new Ticket(landing, first);
            seat.success(ticket);
            first &= !ticket.claimed();
        }
        if (first) {
            landing.close();
        }
    }

    private void crash(Throwable failure) {
        for (MonoSink<Ticket> seat : disembark()) {
            seat.error(failure);
        }
    }

    private List<MonoSink<Ticket>> disembark() {
        ended.accept(this);
        synchronized (this) {
            over = true;
            List<MonoSink<Ticket>> left = new ArrayList<>(seats);
            seats.clear();
            return left;
        }
    }
}
