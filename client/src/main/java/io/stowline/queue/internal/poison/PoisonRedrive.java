package io.stowline.queue.internal.poison;

import io.stowline.error.NotFoundException;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.queue.internal.body.EnvelopeFormat;
import java.util.List;
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
    private final Function<PoisonEnvelope, List<QueueOperations>> homes;
    private final RedrivenBodies bodies;
    private final Consumer<String> moved;
    private final Set<String> sent = ConcurrentHashMap.newKeySet();

    /**
     * The way of one run.
     *
     * @param homes the queues that a message may go to, of which it goes to the first one that is there
     * @param envelopes how envelopes are written, or {@code null} if messages have none
     * @param moved receives the name of a queue that has a message more
     */
    public PoisonRedrive(
            QueueOperations poison,
            Function<PoisonEnvelope, List<QueueOperations>> homes,
            @Nullable EnvelopeFormat envelopes,
            Consumer<String> moved) {
        this.poison = poison;
        this.homes = homes;
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
        return sent(message, copy, homes.apply(copy))
                .doOnSuccess(home -> over.run())
                .flatMap(home -> poison.delete(message.view().header(), message.lease())
                        .then(bodies.removed(copy))
                        .doOnSuccess(done -> moved.accept(home.name())));
    }

    /**
     * The failure is that of the queue which the copy names, unless one of the others exists and refuses the message.
     */
    private Mono<QueueOperations> sent(DeliveredMessage message, PoisonEnvelope copy, List<QueueOperations> where) {
        QueueOperations home = where.get(0);
        List<QueueOperations> others = where.subList(1, where.size());
        return bodies.sent(message.view().opened(), copy, home)
                .doOnNext(result -> sent.add(result.id()))
                .thenReturn(home)
                .onErrorResume(gone -> !others.isEmpty() && isAbsent(gone), gone -> sent(message, copy, others)
                        .onErrorMap(PoisonRedrive::isAbsent, also -> gone));
    }

    private static boolean isAbsent(Throwable error) {
        return error instanceof NotFoundException absent
                && "QueueNotFound".equals(absent.failure().errorCode());
    }
}
