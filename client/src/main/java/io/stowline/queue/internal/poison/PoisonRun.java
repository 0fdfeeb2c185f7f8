package io.stowline.queue.internal.poison;

import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.retry.internal.timeout.RenewalTimes;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.concurrent.AwaitedCode;
import io.stowline.transport.internal.concurrent.Callbacks;
import io.stowline.transport.internal.concurrent.FatalErrors;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.concurrent.OperationScope;
import io.stowline.transport.internal.concurrent.UserCode;
import io.stowline.transport.internal.error.ExceptionCopier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Run over a poison queue that takes the messages which the application chooses. Messages that stay are hidden while the others are found, as far
 * as their leases last, and shown again at the end. One run; not thread-safe.
 */
public final class PoisonRun {

    /** Hides a message during a run that is cut, or whose receive has lost its response. */
    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final Duration MIN_LEFT = LEASE.dividedBy(2);
    private static final int AT_ONCE = 8;

    private final QueueOperations poison;
    private final Treatment treatment;
    private final Predicate<MessageView> chosen;
    private final Function<List<MessageView>, Mono<List<MessageView>>> opening;
    private final Callbacks callbacks;
    private final Map<String, DeliveredMessage> staying = new ConcurrentHashMap<>();
    private final BeginningOfRun beginning = new BeginningOfRun(LEASE);
    private final AtomicLong count = new AtomicLong();
    private volatile boolean responseLost;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /** Fate of the messages that a run takes. */
    public interface Treatment {

        /** Returns whether the run offers a message to the application. */
        boolean takes(MessageHeader header, PoisonEnvelope copy);

        /**
         * Takes a message from the poison queue.
         *
         * @param over runs once the message is not to be shown again, whatever comes then
         */
        Mono<Void> take(DeliveredMessage message, PoisonEnvelope copy, Runnable over);
    }

    /**
     * A run.
     *
     * @param treatment what becomes of a message
     * @param chosen which of them; called on the callback threads
     * @param opening opens the envelopes of their originals
     * @param callbacks those threads
     */
    public PoisonRun(
            QueueOperations poison,
            Treatment treatment,
            Predicate<MessageView> chosen,
            Function<List<MessageView>, Mono<List<MessageView>>> opening,
            Callbacks callbacks) {
        this.poison = poison;
        this.treatment = treatment;
        this.chosen = chosen;
        this.callbacks = callbacks;
        this.opening = opening;
    }

    /**
     * Takes them; ends with their number once each message was seen that was there when the run began. After an error, and when it is cancelled,
     * what was not taken is shown again, too.
     */
    public Mono<Long> run() {
        return Mono.usingWhen(
                Mono.just(this),
                run -> next().then(Mono.fromSupplier(count::get)),
                run -> showStaying(),
                (run, error) -> showStaying(),
                run -> showStaying());
    }

    private Mono<Void> next() {
        return AwaitedCode.behind(Mono.defer(() -> callbacks.deliver(received())))
                .flatMap(messages -> {
                    List<DeliveredMessage> taken = choose(messages);
                    boolean over = beginning.isOver();
                    return Flux.fromIterable(taken)
                            .flatMap(message -> takeInTurn(message).onErrorResume(e -> failed(message, e)), AT_ONCE)
                            .then(Mono.defer(() -> end(over)));
                })
                .repeat()
                .takeUntil(end -> end)
                .then();
    }

    /** The run ends once it finds no message of the beginning. */
    private Mono<Boolean> end(boolean over) {
        Throwable first = failure.get();
        if (first != null) {
            return Mono.error(first);
        }
        if (!over || !responseLost) {
            return Mono.just(over);
        }
        responseLost = false;
        Mono<Long> hidden = FatalErrors.handingOver(Mono.delay(LEASE.plus(RenewalTimes.MARGIN), poison.timer()));
        return Mono.deferContextual(context -> {
                    InFlightRegistry operations = OperationScope.inFlight(context);
                    return operations == null ? hidden : operations.unlessAbandoned(hidden);
                })
                .thenReturn(false);
    }

    /** The first failure is that of the run; it names its message, and the others are suppressed in it. */
    private Mono<Void> failed(DeliveredMessage message, Throwable error) {
        Throwable named = error instanceof StorageException known ? named(known, header(message)) : error;
        Throwable first = failure.compareAndExchange(null, named);
        if (first != null) {
            first.addSuppressed(named);
        }
        return Mono.empty();
    }

    private static StorageException named(StorageException error, MessageHeader message) {
        FailureDetails details = error.failure();
        return details.resource().contains(message.resource())
                ? error
                : ExceptionCopier.with(
                        error, details.of(details.operation(), details.resource() + " for " + message.resource()));
    }

    private Mono<List<DeliveredMessage>> received() {
        return poison.receive(StorageLimits.RECEIVE_MAX_MESSAGES, LEASE, () -> responseLost = true)
                .onErrorResume(NotFoundException.class, absent -> Mono.just(List.of()))
                .flatMap(messages -> {
                    messages.forEach(message -> staying.put(header(message).id(), message));
                    return DeliveredMessage.opened(messages, opening);
                });
    }

    /** Each message counts as one that stays until its treatment is over. */
    private List<DeliveredMessage> choose(List<DeliveredMessage> messages) {
        beginning.received(messages);
        List<DeliveredMessage> taken = new ArrayList<>();
        for (DeliveredMessage message : messages) {
            if (beginning.isNew(message)
                    && treatment.takes(header(message), copy(message))
                    && UserCode.call(() -> chosen.test(message.view()))) {
                taken.add(message);
            }
        }
        return taken;
    }

    private static PoisonEnvelope copy(DeliveredMessage message) {
        return PoisonEnvelope.read(message.view().raw());
    }

    /** A failure stops further messages; one whose treatment has begun is still deleted, and its body after it. */
    private Mono<Void> takeInTurn(DeliveredMessage message) {
        return Mono.defer(
                () -> failure.get() != null ? Mono.empty() : leased(message).flatMap(this::take));
    }

    /** Renews the lease of a message that waited for its turn. */
    private Mono<DeliveredMessage> leased(DeliveredMessage message) {
        if (message.lease().leaseTimer().left().compareTo(MIN_LEFT) > 0) {
            return Mono.just(message);
        }
        String id = header(message).id();
        return poison.update(header(message), message.lease(), null, LEASE)
                .map(lease -> new DeliveredMessage(message.view(), lease))
                .doOnNext(renewed -> staying.put(id, renewed))
                .onErrorResume(PreconditionFailedException.class, taken -> {
                    staying.remove(id);
                    return Mono.empty();
                });
    }

    private Mono<Void> take(DeliveredMessage message) {
        return treatment
                .take(
                        message,
                        copy(message),
                        () -> staying.remove(header(message).id()))
                .doOnSuccess(done -> count.incrementAndGet());
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
        return message.view().header();
    }
}
