package io.stowline.retry.internal.timeout;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Operators;

/** The subscription to a source that can be cancelled before it has come. */
public final class Upstream {

    private static final AtomicReferenceFieldUpdater<Upstream, Subscription> SUBSCRIPTION =
            AtomicReferenceFieldUpdater.newUpdater(Upstream.class, Subscription.class, "subscription");

    private volatile @Nullable Subscription subscription;

    /** Subscribes for everything, unless cancelled before or in use already. */
    public void start(Subscription s) {
        if (SUBSCRIPTION.compareAndSet(this, null, s)) {
            s.request(Long.MAX_VALUE);
        } else {
            s.cancel();
        }
    }

    public void cancel() {
        Subscription running = SUBSCRIPTION.getAndSet(this, Operators.cancelledSubscription());
        if (running != null) {
            running.cancel();
        }
    }

    public boolean isCancelled() {
        return subscription == Operators.cancelledSubscription();
    }
}
