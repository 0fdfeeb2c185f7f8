package io.stowline.queue.internal.client;

import io.stowline.error.ClosedException;
import io.stowline.error.StorageException;
import io.stowline.outcome.ItemResult;
import io.stowline.queue.SendResult;
import io.stowline.queue.SendSettings;
import io.stowline.queue.internal.body.OutgoingMessage;
import io.stowline.queue.internal.consumer.ConsumerRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A sender that encodes bodies on the caller's thread and puts them into a queue, and then wakes the queue's consumers. Immutable.
 *
 * @param context the queue
 * @param text puts encoded messages into the queue, or into another one that it chooses
 */
record MessageSender<T>(QueueContext<T> context, TextSender text) {

    /** The largest number of permits of a service. */
    private static final int SENDS_AT_ONCE = 64;

    /** A sender that puts an encoded message into a queue. */
    @FunctionalInterface
    interface TextSender {

        Mono<SendResult> send(String text, @Nullable Duration delay, @Nullable Duration timeToLive);
    }

    /** Returns the settings of one message. */
    static SendSettings chosen(UnaryOperator<SendSettings.Builder> settings) {
        Objects.requireNonNull(settings, "settings");
        return Objects.requireNonNull(settings.apply(SendSettings.builder()), "the result of settings")
                .build();
    }

    /**
     * Returns the settings of each of many messages.
     *
     * @throws IllegalArgumentException if they name one message
     */
    static SendSettings ofEach(UnaryOperator<SendSettings.Builder> settings) {
        SendSettings chosen = chosen(settings);
        if (chosen.eventId().isPresent()) {
            throw new IllegalArgumentException("eventId " + chosen.eventId().get()
                    + " is the id of one message, and sendAll would give it to each; send them one by one");
        }
        return chosen;
    }

    Mono<SendResult> send(T body, UnaryOperator<SendSettings.Builder> settings) {
        return send(body, chosen(settings));
    }

    Mono<SendResult> send(T body, SendSettings chosen) {
        Duration delay = chosen.delay().orElse(null);
        Duration timeToLive = chosen.timeToLive().orElse(null);
        OutgoingMessage message = context.format()
                .outgoing(Objects.requireNonNull(body, "body"), chosen.eventId().orElse(null));
        Mono<SendResult> sending =
                message.send(context.folder(), timeToLive, encoded -> text.send(encoded, delay, timeToLive));
        Mono<SendResult> sent =
                message.isEnveloped() ? context.operations().asOperation("send", context::folder, sending) : sending;
        ConsumerRegistry consumers = context.registry();
        return consumers == null || (delay != null && !delay.isZero())
                ? sent
                : sent.doOnSuccess(result -> consumers.sent(result.queue()));
    }

    Mono<List<ItemResult<T, SendResult>>> sendAll(
            Iterable<? extends T> bodies, UnaryOperator<SendSettings.Builder> settings) {
        Objects.requireNonNull(bodies, "bodies");
        Objects.requireNonNull(settings, "settings");
        return outcomes(bodies, body -> send(body, ofEach(settings)));
    }

    static <T> Mono<List<ItemResult<T, SendResult>>> outcomes(
            Iterable<? extends T> bodies, Function<T, Mono<SendResult>> send) {
        List<Mono<ItemResult<T, SendResult>>> sends = new ArrayList<>();
        for (T body : bodies) {
            sends.add(outcome(Objects.requireNonNull(body, "bodies has a null"), send));
        }
        return Flux.fromIterable(sends)
                .flatMapSequential(Function.identity(), SENDS_AT_ONCE)
                .collectList();
    }

    private static <T> Mono<ItemResult<T, SendResult>> outcome(T body, Function<T, Mono<SendResult>> send) {
        Function<RuntimeException, Mono<ItemResult<T, SendResult>>> failed =
                e -> Mono.just(new ItemResult<>(body, null, e));
        try {
            return send.apply(body)
                    .map(sent -> new ItemResult<>(body, sent, null))
                    .onErrorResume(StorageException.class, failed)
                    .onErrorResume(ClosedException.class, failed);
        } catch (IllegalArgumentException e) {
            return failed.apply(e);
        }
    }
}
