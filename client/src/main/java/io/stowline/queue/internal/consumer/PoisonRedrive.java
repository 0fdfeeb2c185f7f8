package io.stowline.queue.internal.consumer;

import io.stowline.batching.internal.callback.Callbacks;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.concurrent.UserCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Moves messages of a poison queue back. Each is sent first and then deleted, so that a crash in between leaves two and loses none. Messages
 * that stay are hidden while the others are found, and shown again at the end. One run; not thread-safe.
 */
public final class PoisonRedrive {

    private static final Duration LEASE = Duration.ofMinutes(5);
    private static final int AT_ONCE = 8;

    private final QueueOperations poison;
    private final QueueOperations origin;
    private final Predicate<DeliveredMessage> chosen;
    private final Callbacks callbacks;
    private final Consumer<String> moved;
    private final List<DeliveredMessage> staying = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private final AtomicLong count = new AtomicLong();

    /**
     * A run.
     *
     * @param origin where the messages go
     * @param chosen which of them; called on the callback threads
     * @param callbacks those threads
     * @param moved hears the name of a queue that has a message more
     */
    public PoisonRedrive(
            QueueOperations poison,
            QueueOperations origin,
            Predicate<DeliveredMessage> chosen,
            Callbacks callbacks,
            Consumer<String> moved) {
        this.poison = poison;
        this.origin = origin;
        this.chosen = chosen;
        this.callbacks = callbacks;
        this.moved = moved;
    }

    /** Moves them; ends with their number once each message of the queue was seen. An error leaves the rest where it is. */
    public Mono<Long> run() {
        return next().then(Mono.fromSupplier(count::get))
                .onErrorResume(e -> showStaying().then(Mono.error(e)))
                .flatMap(number -> showStaying().thenReturn(number));
    }

    private Mono<Void> next() {
        return Mono.defer(() -> callbacks.deliver(poison.receive(StorageLimits.RECEIVE_MAX_MESSAGES, LEASE)))
                .flatMap(messages -> Flux.fromIterable(choose(messages))
                        .flatMap(this::move, AT_ONCE)
                        .then(Mono.just(messages.isEmpty())))
                .repeat()
                .takeUntil(empty -> empty)
                .then();
    }

    private List<DeliveredMessage> choose(List<DeliveredMessage> messages) {
        List<DeliveredMessage> moving = new ArrayList<>();
        for (DeliveredMessage message : messages) {
            boolean moves = seen.add(header(message).id()) && UserCode.call(() -> chosen.test(message));
            (moves ? moving : staying).add(message);
        }
        return moving;
    }

    private Mono<Void> move(DeliveredMessage message) {
        String body = PoisonEnvelope.read(message.look().raw()).body();
        return origin.send(body, null, null)
                .then(poison.delete(header(message), message.lease()))
                .doOnSuccess(done -> {
                    count.incrementAndGet();
                    moved.accept(origin.name());
                });
    }

    private Mono<Void> showStaying() {
        return Flux.fromIterable(staying)
                .flatMap(
                        message -> poison.update(header(message), message.lease(), null, Duration.ZERO)
                                .onErrorComplete(),
                        AT_ONCE)
                .then();
    }

    private static MessageHeader header(DeliveredMessage message) {
        return message.look().envelope();
    }
}
