package io.stowline.retry;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Operators;

/** The subscription to a source that can be cancelled before it has come. */
final class Upstream {

    private final AtomicReference<@Nullable Subscription> subscription = new AtomicReference<>();

    /** Requests everything, unless cancelled before or in use already. */
    void start(Subscription s) {
        if (subscription.compareAndSet(null, s)) {
            s.request(Long.MAX_VALUE);
        } else {
            s.cancel();
        }
    }

    void cancel() {
        Subscription running = subscription.getAndSet(Operators.cancelledSubscription());
        if (running != null) {
            running.cancel();
        }
    }

    boolean isCancelled() {
        return subscription.get() == Operators.cancelledSubscription();
    }
}
