package io.stowline.queue.internal.poison;

import io.stowline.batching.internal.callback.Callbacks;
import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.queue.internal.EnvelopeFormat;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.LeaseReceipt.LeaseTimer;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.concurrent.OperationScope;
import io.stowline.transport.internal.concurrent.UserCode;
import io.stowline.transport.internal.error.ExceptionCopier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Moves messages of a poison queue back. Each is sent first and then deleted, so that a crash in between leaves two and loses none. Messages
 * that stay are hidden while the others are found, as far as their leases last, and shown again at the end. One run; not thread-safe.
 */
public final class PoisonRedrive {

    private static final Logger LOG = LoggerFactory.getLogger(PoisonRedrive.class);

    /** How long a message is hidden by a redrive that is cut, or whose receive has lost its answer. */
    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final Duration LEAST_LEFT = LEASE.dividedBy(2);
    private static final int AT_ONCE = 8;

    private final QueueOperations poison;
    private final Function<PoisonEnvelope, QueueOperations> origin;
    private final Predicate<MessageView> chosen;
    private final Function<List<MessageView>, Mono<List<MessageView>>> opening;
    private final Callbacks callbacks;
    private final RedrivenBodies bodies;
    private final Consumer<String> moved;
    private final Map<String, DeliveredMessage> staying = new ConcurrentHashMap<>();
    private final BeginningOfRun beginning = new BeginningOfRun(LEASE);
    private final Set<String> sent = ConcurrentHashMap.newKeySet();
    private final AtomicLong count = new AtomicLong();
    private volatile boolean answerLost;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /**
     * A run.
     *
     * @param origin where a message goes
     * @param chosen which of them; called on the callback threads
     * @param opening opens the envelopes of their originals
     * @param envelopes how envelopes are written, or {@code null} if messages have none
     * @param callbacks those threads
     * @param moved hears the name of a queue that has a message more
     */
    public PoisonRedrive(
            QueueOperations poison,
            Function<PoisonEnvelope, QueueOperations> origin,
            Predicate<MessageView> chosen,
            Function<List<MessageView>, Mono<List<MessageView>>> opening,
            @Nullable EnvelopeFormat envelopes,
            Callbacks callbacks,
            Consumer<String> moved) {
        this.poison = poison;
        this.origin = origin;
        this.chosen = chosen;
        this.callbacks = callbacks;
        this.opening = opening;
        this.bodies = new RedrivenBodies(envelopes);
        this.moved = moved;
    }

    /**
     * Moves them; ends with their number once each message was seen that was there when the run began. After an error, and when it is cancelled,
     * what was not sent is shown again, too.
     */
    public Mono<Long> run() {
        return Mono.usingWhen(
                Mono.just(this),
                redrive -> next().then(Mono.fromSupplier(count::get)),
                redrive -> showStaying(),
                (redrive, error) -> showStaying(),
                redrive -> showStaying());
    }

    private Mono<Void> next() {
        return Mono.defer(() -> callbacks.deliver(received()))
                .flatMap(messages -> {
                    List<DeliveredMessage> moving = choose(messages);
                    boolean over = beginning.isOver();
                    return Flux.fromIterable(moving)
                            .flatMap(message -> move(message).onErrorResume(e -> failed(message, e)), AT_ONCE)
                            .then(Mono.defer(() -> end(over)));
                })
                .repeat()
                .takeUntil(end -> end)
                .then();
    }

    /** The end comes once no message of the beginning is found. What a lost answer has hidden is waited for. */
    private Mono<Boolean> end(boolean over) {
        Throwable first = failure.get();
        if (first != null) {
            return Mono.error(first);
        }
        if (!over || !answerLost) {
            return Mono.just(over);
        }
        answerLost = false;
        Mono<Long> hidden = Mono.delay(LEASE.plus(LeaseTimer.MARGIN), poison.timer());
        return Mono.deferContextual(context -> {
                    InFlightRegistry operations = OperationScope.inFlight(context);
                    return operations == null ? hidden : operations.unlessAbandoned(hidden);
                })
                .thenReturn(false);
    }

    /** The first failure is that of the run; it names its message, and the others lie beneath it. */
    private Mono<Void> failed(DeliveredMessage message, Throwable error) {
        Throwable named = error instanceof StorageException known ? named(known, header(message)) : error;
        Throwable first = failure.compareAndExchange(null, named);
        if (first != null) {
            first.addSuppressed(named);
        }
        return Mono.empty();
    }

    private static StorageException named(StorageException error, MessageHeader message) {
        FailureDetails facts = error.failure();
        return facts.resource().contains(message.resource())
                ? error
                : ExceptionCopier.with(
                        error, facts.of(facts.operation(), facts.resource() + " for " + message.resource()));
    }

    private Mono<List<DeliveredMessage>> received() {
        return poison.receive(StorageLimits.RECEIVE_MAX_MESSAGES, LEASE, () -> answerLost = true)
                .onErrorResume(NotFoundException.class, absent -> Mono.just(List.of()))
                .flatMap(messages -> {
                    messages.forEach(message -> staying.put(header(message).id(), message));
                    return opening.apply(messages.stream()
                                    .map(DeliveredMessage::look)
                                    .toList())
                            .map(looks -> IntStream.range(0, looks.size())
                                    .mapToObj(i -> new DeliveredMessage(
                                            looks.get(i), messages.get(i).lease()))
                                    .toList());
                });
    }

    /** Until it is sent, each message counts as one that stays. One that this run has sent, and that is poison again, stays, too,
     * and so does one that has lost its body. */
    private List<DeliveredMessage> choose(List<DeliveredMessage> messages) {
        beginning.received(messages);
        List<DeliveredMessage> moving = new ArrayList<>();
        for (DeliveredMessage message : messages) {
            if (beginning.isNew(message) && goesBack(message) && UserCode.call(() -> chosen.test(message.look()))) {
                moving.add(message);
            }
        }
        return moving;
    }

    private boolean goesBack(DeliveredMessage message) {
        PoisonEnvelope copy = PoisonEnvelope.read(message.look().raw());
        if (copy.damaged()) {
            LOG.warn(
                    "{} stays in the poison queue: it is the damaged copy of a message, whose body it has lost",
                    header(message).resource());
        }
        return !copy.damaged() && (copy.id() == null || !sent.contains(copy.id()));
    }

    /** After a failure no further message is sent; what was sent is deleted still, and its body after it. */
    private Mono<Void> move(DeliveredMessage message) {
        return Mono.defer(
                () -> failure.get() != null ? Mono.empty() : held(message).flatMap(this::moveHeld));
    }

    /** A message that waited for its turn is held again. One that another client has received since is left to that client. */
    private Mono<DeliveredMessage> held(DeliveredMessage message) {
        if (message.lease().tenure().left().compareTo(LEAST_LEFT) > 0) {
            return Mono.just(message);
        }
        String id = header(message).id();
        return poison.update(header(message), message.lease(), null, LEASE)
                .map(lease -> new DeliveredMessage(message.look(), lease))
                .doOnNext(renewed -> staying.put(id, renewed))
                .onErrorResume(PreconditionFailedException.class, taken -> {
                    staying.remove(id);
                    return Mono.empty();
                });
    }

    private Mono<Void> moveHeld(DeliveredMessage message) {
        PoisonEnvelope copy = PoisonEnvelope.read(message.look().raw());
        QueueOperations home = origin.apply(copy);
        return bodies.sent(message.look().opened(), copy, home)
                .doOnNext(result -> sent.add(result.id()))
                .doOnSuccess(result -> staying.remove(header(message).id()))
                .then(poison.delete(header(message), message.lease()))
                .then(bodies.removed(copy))
                .doOnSuccess(done -> {
                    count.incrementAndGet();
                    moved.accept(home.name());
                });
    }

    private Mono<Void> showStaying() {
        return Flux.fromIterable(staying.values())
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
