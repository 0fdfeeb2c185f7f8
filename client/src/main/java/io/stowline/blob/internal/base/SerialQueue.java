package io.stowline.blob.internal.base;

import io.stowline.transport.internal.concurrent.FatalErrors;
import io.stowline.transport.internal.concurrent.SerialExecutor;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.ContextView;

/**
 * A queue that lets work begin when the work before it has ended, in the order of subscription and whatever came of it. Work that is
 * cancelled while it waits leaves its place. Thread-safe.
 */
public final class SerialQueue {

    private final SerialExecutor serial = new SerialExecutor();
    private final Set<Place> waiting = new LinkedHashSet<>();
    private @Nullable Place current;

    /** Returns the work in its turn. */
    public <T> Mono<T> take(Mono<T> work) {
        return placed(place -> place.turn(), work);
    }

    /**
     * Returns the work in its turn, which it waits for at most so long.
     *
     * @param max the time, from the subscription on
     * @param late the error of work whose turn has not come by then
     */
    public <T> Mono<T> take(Mono<T> work, Duration max, Supplier<? extends Throwable> late, Scheduler timer) {
        return placed(place -> place.turn().timeout(max, Mono.error(late), timer), work);
    }

    /** The wait for a place's turn. */
    private interface Wait {
        Mono<Void> of(Place place);
    }

    private <T> Mono<T> placed(Wait wait, Mono<T> work) {
        return Mono.deferContextual(context -> {
            Place place = new Place(context);
            serial.execute(() -> enter(place));
            return wait.of(place).then(work).doFinally(signal -> serial.execute(() -> leave(place)));
        });
    }

    private void enter(Place place) {
        waiting.add(place);
        next();
    }

    private void leave(Place place) {
        waiting.remove(place);
        if (place.equals(current)) {
            current = null;
        }
        next();
    }

    /** The work may end before its beginning returns: the tasks of its end wait for this one. */
    private void next() {
        if (current == null && !waiting.isEmpty()) {
            current = waiting.iterator().next();
            waiting.remove(current);
            current.begin();
        }
    }

    /** The place of work in a queue. */
    private static final class Place {

        private final Sinks.Empty<Void> turn = Sinks.empty();
        private final ContextView context;

        Place(ContextView context) {
            this.context = context;
        }

        Mono<Void> turn() {
            return turn.asMono();
        }

        void begin() {
            try {
                turn.tryEmitEmpty();
            } catch (Throwable thrown) {
                FatalErrors.thrown(thrown, context);
            }
        }
    }
}
