package io.stowline.blob.internal;

import java.util.concurrent.atomic.AtomicReference;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Lets work begin when the work before it has ended, in the order of subscription and whatever came of it. Thread-safe. */
final class Turns {

    private final AtomicReference<Mono<Void>> last = new AtomicReference<>(Mono.empty());

    <T> Mono<T> take(Mono<T> work) {
        return Mono.defer(() -> {
            Sinks.Empty<Void> mine = Sinks.empty();
            Mono<Void> before = last.getAndSet(mine.asMono());
            // Whoever is cancelled while it waits hands its place on, and the one behind still waits for those before.
            return before.then(work).doFinally(signal -> before.subscribe(done -> {}, error -> {}, mine::tryEmitEmpty));
        });
    }
}
