package io.stowline.queue.internal.poison;

import io.stowline.queue.internal.EnvelopeFormat;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.QueueOperations;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Way of messages from a poison queue back to their queue. Each is sent first and then deleted, so that a crash in between leaves two and loses
 * none. One that this run has sent, and that is poison again, stays, and so does one that has lost its body. One run; thread-safe.
 */
public final class PoisonRedrive implements PoisonRun.Treatment {

    private static final Logger LOG = LoggerFactory.getLogger(PoisonRedrive.class);

    private final QueueOperations poison;
    private final Function<PoisonEnvelope, QueueOperations> origin;
    private final RedrivenBodies bodies;
    private final Consumer<String> moved;
    private final Set<String> sent = ConcurrentHashMap.newKeySet();

    /**
     * The way of one run.
     *
     * @param origin where a message goes
     * @param envelopes how envelopes are written, or {@code null} if messages have none
     * @param moved hears the name of a queue that has a message more
     */
    public PoisonRedrive(
            QueueOperations poison,
            Function<PoisonEnvelope, QueueOperations> origin,
            @Nullable EnvelopeFormat envelopes,
            Consumer<String> moved) {
        this.poison = poison;
        this.origin = origin;
        this.bodies = new RedrivenBodies(envelopes);
        this.moved = moved;
    }

    @Override
    public boolean takes(MessageHeader header, PoisonEnvelope copy) {
        if (copy.damaged()) {
            LOG.warn(
                    "{} stays in the poison queue: it is the damaged copy of a message, whose body it has lost",
                    header.resource());
        }
        return !copy.damaged() && (copy.id() == null || !sent.contains(copy.id()));
    }

    @Override
    public Mono<Void> take(DeliveredMessage message, PoisonEnvelope copy, Runnable over) {
        QueueOperations home = origin.apply(copy);
        return bodies.sent(message.look().opened(), copy, home)
                .doOnNext(result -> sent.add(result.id()))
                .doOnSuccess(result -> over.run())
                .then(poison.delete(message.look().envelope(), message.lease()))
                .then(bodies.removed(copy))
                .doOnSuccess(done -> moved.accept(home.name()));
    }
}
