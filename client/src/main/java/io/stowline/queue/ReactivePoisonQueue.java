package io.stowline.queue;

import io.stowline.error.NotFoundException;
import io.stowline.queue.internal.ClaimCheckStore;
import io.stowline.queue.internal.EnvelopeFormat;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.queue.internal.poison.PoisonEnvelope;
import io.stowline.queue.internal.poison.PoisonRedrive;
import io.stowline.queue.internal.poison.PoisonRemoval;
import io.stowline.queue.internal.poison.PoisonRun;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link PoisonQueue}: the same methods, as {@code Mono}. Nothing is sent before a subscription. Thread-safe.
 *
 * @param <T> the type of the bodies
 */
public final class ReactivePoisonQueue<T> {

    private final QueueContext<T> context;
    private final QueueOperations poison;

    ReactivePoisonQueue(QueueContext<T> context) {
        this.context = context;
        this.poison = context.poison().with(context.operations().retry());
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
        return context.callbacks().deliver(counting());
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
        return context.callbacks().deliver(peeking(max)).map(this::read);
    }

    /** Peeks at the copies, whose bodies the caller decodes. */
    Mono<List<MessageView>> peeking(int max) {
        return Mono.defer(() -> poison.peek(max))
                .onErrorResume(NotFoundException.class, absent -> Mono.just(List.of()))
                .flatMap(this::opened);
    }

    /** Returns the copies with the envelopes of their originals opened. */
    private Mono<List<MessageView>> opened(List<MessageView> copies) {
        return context.opened(copies.stream().map(ReactivePoisonQueue::original).toList())
                .map(originals -> IntStream.range(0, copies.size())
                        .mapToObj(i -> copies.get(i).opened(originals.get(i).opened()))
                        .toList());
    }

    private static MessageView original(MessageView copy) {
        String body = PoisonEnvelope.read(copy.raw()).body();
        return new MessageView(copy.header(), body, copy.origin(), copy.opened());
    }

    List<PoisonQueue.Message<T>> read(List<MessageView> copies) {
        return copies.stream().map(this::read).toList();
    }

    private PoisonQueue.Message<T> read(MessageView copy) {
        PoisonEnvelope envelope = PoisonEnvelope.read(copy.raw());
        return new PoisonQueue.Message<>(
                envelope,
                envelope.damaged()
                        ? MessageBody.undecodable(copy, "it is the damaged copy of a message, whose body it has lost")
                        : MessageBody.read(original(copy), context.format()));
    }

    /**
     * Sends messages back to their queue; see {@link PoisonQueue#redrive}.
     *
     * @param filter which messages
     * @return how many were moved
     */
    public Mono<Long> redrive(Predicate<? super PoisonQueue.Message<T>> filter) {
        Objects.requireNonNull(filter, "filter");
        return context.callbacks().deliver(redriving(filter));
    }

    Mono<Long> redriving(Predicate<? super PoisonQueue.Message<T>> filter) {
        return run(
                "redrive",
                () -> new PoisonRedrive(poison, context::homes, context.format().envelope(), context.consumers()::sent),
                filter);
    }

    private Mono<Long> run(
            String verb, Supplier<PoisonRun.Treatment> treatment, Predicate<? super PoisonQueue.Message<T>> filter) {
        Mono<Long> run = Mono.defer(() -> new PoisonRun(
                        poison, treatment.get(), copy -> filter.test(read(copy)), this::opened, context.callbacks())
                .run());
        return poison.asOperation(verb, poison::name, run);
    }

    /**
     * Removes chosen messages with their bodies; see {@link PoisonQueue#remove}.
     *
     * @param filter which messages
     * @return how many were removed
     */
    public Mono<Long> remove(Predicate<? super PoisonQueue.Message<T>> filter) {
        Objects.requireNonNull(filter, "filter");
        return context.callbacks().deliver(removing(filter));
    }

    Mono<Long> removing(Predicate<? super PoisonQueue.Message<T>> filter) {
        return run("remove", () -> new PoisonRemoval(poison, context.format().envelope()), filter);
    }

    /**
     * Looks at all messages; see {@link PoisonQueue#forEach}.
     *
     * @param action hears each message
     * @return the end of it
     */
    public Mono<Void> forEach(Consumer<? super PoisonQueue.Message<T>> action) {
        Objects.requireNonNull(action, "action");
        return context.callbacks().deliver(visiting(action));
    }

    Mono<Void> visiting(Consumer<? super PoisonQueue.Message<T>> action) {
        return run("forEach", () -> new PoisonRemoval(poison, context.format().envelope()), message -> {
                    action.accept(message);
                    return false;
                })
                .then();
    }

    /**
     * Removes all messages with their bodies; see {@link PoisonQueue#clear}.
     *
     * @return the end of it
     */
    public Mono<Void> clear() {
        return context.callbacks().deliver(clearing());
    }

    Mono<Void> clearing() {
        EnvelopeFormat envelopes = context.format().envelope();
        ClaimCheckStore bodies = envelopes == null ? null : envelopes.bodies();
        Mono<Void> withBodies = bodies == null ? Mono.empty() : new PoisonRemoval(poison, envelopes).run();
        return poison.asOperation("clear", poison::name, withBodies.then(Mono.defer(poison::clear)))
                .onErrorResume(NotFoundException.class, absent -> Mono.empty());
    }

    @Override
    public String toString() {
        return "ReactivePoisonQueue[" + name() + "]";
    }
}
