package io.stowline.transport.internal.concurrent;

import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/** Result that a thread can subscribe to and cannot wait for by {@code block()}, where waiting would wait for the thread itself. */
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
        String why = isWaiting(actual) ? refusal.get() : null;
        if (why == null) {
            source.subscribe(actual);
        } else {
            Operators.error(actual, new IllegalStateException(why));
        }
    }

    /** Reactor's {@code block()} waits at a latch, which is the last subscriber. */
    private static boolean isWaiting(CoreSubscriber<?> actual) {
        return actual instanceof CountDownLatch
                || Scannable.from(actual).actuals().anyMatch(CountDownLatch.class::isInstance);
    }
}
