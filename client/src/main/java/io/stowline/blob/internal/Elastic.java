package io.stowline.blob.internal;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Work that waits or reads and writes what belongs to the user, on Reactor's bounded elastic threads. */
final class Elastic {

    private Elastic() {}

    /** Cancelling it interrupts the work; what the work then throws is of interest to nobody. */
    static <T> Mono<T> call(Callable<T> work) {
        return Mono.defer(() -> {
            AtomicBoolean cancelled = new AtomicBoolean();
            return Mono.fromCallable(() -> {
                        try {
                            return work.call();
                        } catch (Exception e) {
                            if (cancelled.get()) {
                                return null;
                            }
                            throw e;
                        }
                    })
                    .subscribeOn(Schedulers.boundedElastic())
                    .doOnCancel(() -> cancelled.set(true));
        });
    }
}
