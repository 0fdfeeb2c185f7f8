package io.stowline.queue.internal.poison;

import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.queue.internal.body.EnvelopeFormat;
import io.stowline.transport.StorageLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Removal of messages from a poison queue, each before its body, so that no message is left without one. Immutable.
 *
 * @param format how envelopes are read, with the blobs of bodies; {@code null} if messages have none
 */
public record PoisonRemoval(
        QueueOperations poison, @Nullable EnvelopeFormat format) implements PoisonRun.Treatment {

    private static final Duration LEASE = Duration.ofMinutes(5);
    private static final int AT_ONCE = 8;

    /** Removes all messages; ends when none is visible, or when all that are were put there after the beginning. */
    public Mono<Void> run() {
        return Mono.defer(() -> run(new BeginningOfRun(LEASE)));
    }

    private Mono<Void> run(BeginningOfRun beginning) {
        return Mono.defer(() -> poison.receive(StorageLimits.RECEIVE_MAX_MESSAGES, LEASE))
                .flatMap(messages -> {
                    beginning.received(messages);
                    messages.forEach(beginning::isNew);
                    boolean over = beginning.isOver();
                    return Flux.fromIterable(messages)
                            .flatMap(this::remove, AT_ONCE)
                            .then(Mono.just(over));
                })
                .repeat()
                .takeUntil(over -> over)
                .then();
    }

    private Mono<Void> remove(DeliveredMessage message) {
        return take(message, PoisonEnvelope.read(message.view().raw()), () -> {});
    }

    @Override
    public boolean takes(MessageHeader header, PoisonEnvelope copy) {
        return true;
    }

    @Override
    public Mono<Void> take(DeliveredMessage message, PoisonEnvelope copy, Runnable over) {
        Mono<Void> deletion =
                poison.delete(message.view().header(), message.lease()).then().doOnSuccess(done -> over.run());
        return deletion.then(
                Mono.defer(() -> EnvelopeFormat.discard(format, format == null ? null : format.own(copy.body()))));
    }
}
