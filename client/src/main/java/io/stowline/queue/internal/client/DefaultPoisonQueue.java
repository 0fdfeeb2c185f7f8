package io.stowline.queue.internal.client;

import io.stowline.queue.PoisonQueue;
import io.stowline.queue.ReactivePoisonQueue;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** {@link PoisonQueue} that waits for its reactive face. */
final class DefaultPoisonQueue<T> implements PoisonQueue<T> {

    private final DefaultReactivePoisonQueue<T> reactive;

    DefaultPoisonQueue(DefaultReactivePoisonQueue<T> reactive) {
        this.reactive = reactive;
    }

    @Override
    public String name() {
        return reactive.name();
    }

    @Override
    public ReactivePoisonQueue<T> reactive() {
        return reactive;
    }

    @Override
    public long count() {
        return await(reactive.counting());
    }

    @Override
    public List<Message<T>> peek(int max) {
        return reactive.read(await(reactive.peeking(max)));
    }

    @Override
    public long redrive(Predicate<? super Message<T>> filter) {
        Objects.requireNonNull(filter, "filter");
        return await(reactive.redriving(filter));
    }

    @Override
    public long remove(Predicate<? super Message<T>> filter) {
        Objects.requireNonNull(filter, "filter");
        return await(reactive.removing(filter));
    }

    @Override
    public void forEach(Consumer<? super Message<T>> action) {
        Objects.requireNonNull(action, "action");
        BlockingAwait.on(reactive.visiting(action));
    }

    @Override
    public void clear() {
        BlockingAwait.on(reactive.clearing());
    }

    private static <R> R await(Mono<R> result) {
        @Nullable R value = BlockingAwait.on(result);
        return Objects.requireNonNull(value, "the operation ended without a result");
    }

    @Override
    public String toString() {
        return "PoisonQueue[" + name() + "]";
    }
}
