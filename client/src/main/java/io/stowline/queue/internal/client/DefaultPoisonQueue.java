package io.stowline.queue.internal.client;

import io.stowline.queue.PoisonQueue;
import io.stowline.queue.ReactivePoisonQueue;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** {@link PoisonQueue} that waits for the verbs of its reactive face. */
final class DefaultPoisonQueue<T> implements PoisonQueue<T> {

    private final QueueContext<T> context;
    private final DefaultReactivePoisonQueue<T> verbs;

    DefaultPoisonQueue(QueueContext<T> context) {
        this.context = context;
        this.verbs = new DefaultReactivePoisonQueue<>(context, false);
    }

    @Override
    public String name() {
        return verbs.name();
    }

    @Override
    public ReactivePoisonQueue<T> reactive() {
        return new DefaultReactivePoisonQueue<>(context, true);
    }

    @Override
    public long count() {
        return BlockingAwait.result(verbs.count());
    }

    @Override
    public List<Message<T>> peek(int max) {
        return verbs.read(BlockingAwait.result(verbs.peeking(max)));
    }

    @Override
    public long redrive(Predicate<? super Message<T>> filter) {
        return BlockingAwait.result(verbs.redrive(filter));
    }

    @Override
    public long remove(Predicate<? super Message<T>> filter) {
        return BlockingAwait.result(verbs.remove(filter));
    }

    @Override
    public void forEach(Consumer<? super Message<T>> action) {
        BlockingAwait.on(verbs.forEach(action));
    }

    @Override
    public void clear() {
        BlockingAwait.on(verbs.clear());
    }

    @Override
    public String toString() {
        return "PoisonQueue[" + name() + "]";
    }
}
