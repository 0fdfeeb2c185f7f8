package io.stowline.queue.internal.poison;

import io.stowline.queue.internal.ClaimCheckStore;
import io.stowline.queue.internal.EnvelopeFormat;
import io.stowline.queue.internal.MessageEnvelope.Claim;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.transport.StorageLimits;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Removes the visible messages of a poison queue, each before its body, so that no message is left without one. Immutable. */
public final class PoisonRemoval {

    private static final Duration LEASE = Duration.ofMinutes(5);
    private static final int AT_ONCE = 8;

    private final QueueOperations poison;
    private final EnvelopeFormat format;
    private final ClaimCheckStore bodies;

    /**
     * A removal.
     *
     * @param format reads envelopes
     * @param bodies the blobs with bodies
     */
    public PoisonRemoval(QueueOperations poison, EnvelopeFormat format, ClaimCheckStore bodies) {
        this.poison = poison;
        this.format = format;
        this.bodies = bodies;
    }

    /** Removes them; ends when none is visible, or when all that are were put there after the beginning. */
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
        Claim claim = bodies.claim(
                format.own(PoisonEnvelope.read(message.look().raw()).body()));
        Mono<Void> deletion = poison.delete(message.look().envelope(), message.lease());
        return claim == null ? deletion : deletion.then(Mono.defer(() -> bodies.discard(claim)));
    }
}
