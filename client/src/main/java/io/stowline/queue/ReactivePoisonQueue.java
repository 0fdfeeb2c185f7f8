package io.stowline.queue;

import io.stowline.error.NotFoundException;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.queue.internal.consumer.PoisonEnvelope;
import io.stowline.queue.internal.consumer.PoisonRedrive;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link PoisonQueue}: the same methods, as {@code Mono}. Nothing is sent before a subscription. Thread-safe.
 *
 * @param <T> the type of the bodies
 */
public final class ReactivePoisonQueue<T> {

    private final QueueContext<T> scope;
    private final QueueOperations poison;

    ReactivePoisonQueue(QueueContext<T> scope) {
        this.scope = scope;
        this.poison = scope.poison().with(scope.client().retry());
    }

    /**
     * Returns the name of the poison queue.
     *
     * @return the name
     */
    public String name() {
        return poison.name();
    }

    /**
     * Returns how many messages there are; see {@link PoisonQueue#count}.
     *
     * @return about the number, never less than it
     */
    public Mono<Long> count() {
        return scope.callbacks().deliver(counting());
    }

    Mono<Long> counting() {
        return poison.approximateCount().onErrorResume(NotFoundException.class, absent -> Mono.just(0L));
    }

    /**
     * Looks at messages; see {@link PoisonQueue#peek}.
     *
     * @param max how many at most, 1 to 32
     * @return the first ones, an empty list if there are none
     */
    public Mono<List<PoisonQueue.Message<T>>> peek(int max) {
        return scope.callbacks().deliver(peeking(max)).map(this::read);
    }

    /** The same, whose bodies the caller decodes. */
    Mono<List<MessageView>> peeking(int max) {
        return Mono.defer(() -> poison.peek(max))
                .onErrorResume(NotFoundException.class, absent -> Mono.just(List.of()));
    }

    List<PoisonQueue.Message<T>> read(List<MessageView> looks) {
        return looks.stream().map(this::read).toList();
    }

    private PoisonQueue.Message<T> read(MessageView look) {
        PoisonEnvelope envelope = PoisonEnvelope.read(look.raw());
        MessageView original = new MessageView(look.envelope(), envelope.body(), look.origin());
        return new PoisonQueue.Message<>(envelope, MessageBody.read(original, scope.format()));
    }

    /**
     * Sends messages back to their queue; see {@link PoisonQueue#redrive}.
     *
     * @param filter which messages
     * @return how many were moved
     */
    public Mono<Long> redrive(Predicate<? super PoisonQueue.Message<T>> filter) {
        Objects.requireNonNull(filter, "filter");
        return scope.callbacks().deliver(redriving(filter));
    }

    Mono<Long> redriving(Predicate<? super PoisonQueue.Message<T>> filter) {
        Predicate<DeliveredMessage> chosen = message -> filter.test(read(message.look()));
        return Mono.defer(
                () -> new PoisonRedrive(poison, scope::home, chosen, scope.callbacks(), scope.consumers()::sent).run());
    }

    @Override
    public String toString() {
        return "ReactivePoisonQueue[" + name() + "]";
    }
}
