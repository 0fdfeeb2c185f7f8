package io.stowline.queue.internal.client;

import io.stowline.error.NotFoundException;
import io.stowline.queue.PoisonQueue;
import io.stowline.queue.ReactivePoisonQueue;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.queue.internal.body.EnvelopeFormat;
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

/** {@link ReactivePoisonQueue} beside the queue of a {@link QueueContext}. */
final class DefaultReactivePoisonQueue<T> implements ReactivePoisonQueue<T> {

    private final QueueContext<T> context;
    private final QueueOperations poison;
    private final boolean delivered;

    /**
     * Makes the face of a queue's poison queue.
     *
     * @param delivered whether results are delivered as callbacks; a blocking caller waits for them itself
     */
    DefaultReactivePoisonQueue(QueueContext<T> context, boolean delivered) {
        this.context = context;
        this.delivered = delivered;
        this.poison = context.poison().with(context.operations().retry());
    }

    @Override
    public String name() {
        return poison.name();
    }

    @Override
    public Mono<Long> count() {
        return delivered(poison.approximateCount().onErrorResume(NotFoundException.class, absent -> Mono.just(0L)));
    }

    private <R> Mono<R> delivered(Mono<R> result) {
        return delivered ? context.callbacks().deliver(result) : result;
    }

    @Override
    public Mono<List<PoisonQueue.Message<T>>> peek(int max) {
        return delivered(peeking(max)).map(this::read);
    }

    /** Peeks at the copies, whose bodies the caller decodes. */
    Mono<List<MessageView>> peeking(int max) {
        return Mono.defer(() -> poison.peek(max))
                .onErrorResume(NotFoundException.class, absent -> Mono.just(List.of()))
                .flatMap(this::opened);
    }

    /** Returns the copies with the envelopes of their originals opened. */
    private Mono<List<MessageView>> opened(List<MessageView> copies) {
        return context.opened(copies.stream()
                        .map(DefaultReactivePoisonQueue::original)
                        .toList())
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
        return new DefaultPoisonMessage<>(
                envelope,
                envelope.damaged()
                        ? MessageBody.undecodable(copy, "it is the damaged copy of a message, whose body it has lost")
                        : MessageBody.read(original(copy), context.format()));
    }

    @Override
    public Mono<Long> redrive(Predicate<? super PoisonQueue.Message<T>> filter) {
        Objects.requireNonNull(filter, "filter");
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
        return delivered(poison.asOperation(verb, poison::name, run));
    }

    @Override
    public Mono<Long> remove(Predicate<? super PoisonQueue.Message<T>> filter) {
        Objects.requireNonNull(filter, "filter");
        return run("remove", () -> new PoisonRemoval(poison, context.format().envelope()), filter);
    }

    @Override
    public Mono<Void> forEach(Consumer<? super PoisonQueue.Message<T>> action) {
        Objects.requireNonNull(action, "action");
        return run("forEach", () -> new PoisonRemoval(poison, context.format().envelope()), message -> {
                    action.accept(message);
                    return false;
                })
                .then();
    }

    @Override
    public Mono<Void> clear() {
        EnvelopeFormat envelopes = context.format().envelope();
        Mono<Void> withBodies =
                EnvelopeFormat.bodiesOf(envelopes) == null ? Mono.empty() : new PoisonRemoval(poison, envelopes).run();
        return delivered(poison.asOperation("clear", poison::name, withBodies.then(Mono.defer(poison::clear)))
                .onErrorResume(NotFoundException.class, absent -> Mono.empty()));
    }

    @Override
    public String toString() {
        return "ReactivePoisonQueue[" + name() + "]";
    }
}
