package io.stowline.transport.internal.concurrent;

import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/**
 * Result that a thread can subscribe to and cannot wait for, where waiting would wait for the thread itself: {@code block()},
 * {@code toIterable()}, {@code toStream()} and {@code toFuture()} are refused.
 */
public final class UnblockableMono<T> extends Mono<T> {

    private final Mono<T> source;
    private final Supplier<@Nullable String> refusal;

    /**
     * A result with a rule.
     *
     * @param refusal why the current thread cannot wait, or {@code null} if it can
     */
    public UnblockableMono(Mono<T> source, Supplier<@Nullable String> refusal) {
        this.source = Objects.requireNonNull(source, "source");
        this.refusal = Objects.requireNonNull(refusal, "refusal");
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        String why = isForWaiting(actual) ? refusal.get() : null;
        if (why == null) {
            source.subscribe(actual);
        } else {
            Operators.error(actual, new IllegalStateException(why));
        }
    }

    /**
     * Reactor's last subscriber is a latch in {@code block()}, an iterator in {@code toIterable()}, a future in {@code
     * toFuture()}.
     */
    private static boolean isForWaiting(CoreSubscriber<?> actual) {
        Object last = actual;
        while (last instanceof Scannable operator && operator.scanUnsafe(Scannable.Attr.ACTUAL) != null) {
            last = operator.scanUnsafe(Scannable.Attr.ACTUAL);
        }
        return last instanceof CountDownLatch || last instanceof Iterator || last instanceof Future;
    }
}
