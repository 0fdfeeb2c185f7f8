package io.stowline.queue;

import io.stowline.batching.internal.callback.Callbacks;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.queue.internal.BodyFormat;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.queue.internal.QueueTimeLimits;
import io.stowline.queue.internal.consumer.ConsumerRegistry;
import io.stowline.queue.internal.consumer.MessageChannel;
import io.stowline.queue.internal.consumer.PoisonEnvelope;
import io.stowline.queue.internal.consumer.QueueChannel;
import io.stowline.queue.internal.shard.ShardLayout;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.StorageLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What both faces of a queue stand on. Its codec runs on the thread that calls it. Immutable. */
record QueueContext<T>(
        QueueOperations client,
        BodyFormat<T> format,
        Callbacks callbacks,
        @Nullable ConsumerRegistry registry,
        @Nullable ShardLayout shards) {

    /** As many as the permits of a service can become. */
    private static final int SENDS_AT_ONCE = 64;

    private static final Duration LEAST_HOLD = Duration.ofSeconds(10);
    private static final Duration LONGEST_HOLD = Duration.ofDays(7);

    QueueContext(
            QueueOperations client, BodyFormat<T> format, Callbacks callbacks, @Nullable ConsumerRegistry registry) {
        this(client, format, callbacks, registry, null);
    }

    /** The same queue as one of several. */
    QueueContext<T> in(ShardLayout layout) {
        return new QueueContext<>(client, format, callbacks, registry, layout);
    }

    QueueContext<T> retry(UnaryOperator<RetrySettings.Builder> settings) {
        Objects.requireNonNull(settings, "settings");
        RetrySettings narrowed = settings.apply(client.retry().toBuilder()).build();
        return new QueueContext<>(client.with(narrowed), format, callbacks, registry, shards);
    }

    QueueContext<T> readFrom(ReadFrom source) {
        return new QueueContext<>(client.with(source), format, callbacks, registry, shards);
    }

    QueueContext<T> header(String name, String value) {
        return new QueueContext<>(client.header(name, value), format, callbacks, registry, shards);
    }

    <R> QueueContext<R> codec(MessageCodec<R> codec) {
        return new QueueContext<>(
                client,
                new BodyFormat<>(Objects.requireNonNull(codec, "codec"), format.encoding()),
                callbacks,
                registry,
                shards);
    }

    QueueContext<T> encoding(MessageEncoding encoding) {
        return new QueueContext<>(
                client,
                new BodyFormat<>(format.codec(), Objects.requireNonNull(encoding, "encoding")),
                callbacks,
                registry,
                shards);
    }

    Mono<SendResult> send(T body, UnaryOperator<MessageQueue.SendOptions> options) {
        return send(body, options, client::send);
    }

    /** The same with another way to the service, which may choose another queue. */
    Mono<SendResult> send(T body, UnaryOperator<MessageQueue.SendOptions> options, TextSender sender) {
        Objects.requireNonNull(options, "options");
        MessageQueue.SendOptions chosen =
                Objects.requireNonNull(options.apply(new MessageQueue.SendOptions()), "the result of options");
        Mono<SendResult> sent = sender.send(text(body), chosen.delay(), chosen.timeToLive());
        ConsumerRegistry consumers = registry;
        return consumers == null || chosen.delay() != null
                ? sent
                : sent.doOnSuccess(result -> consumers.sent(result.queue()));
    }

    /** Puts an encoded message into a queue. */
    @FunctionalInterface
    interface TextSender {

        Mono<SendResult> send(String text, @Nullable Duration delay, @Nullable Duration timeToLive);
    }

    /** The consumers of the client. */
    ConsumerRegistry consumers() {
        return Objects.requireNonNull(registry, "a queue of a client");
    }

    /** Where the poison of this queue goes; that of several queues goes to one. */
    QueueOperations poison() {
        return consumers().queue((shards == null ? client.name() : shards.name()) + QueueChannel.POISON_SUFFIX);
    }

    /** Where a message from the poison queue goes back to. */
    QueueOperations home(PoisonEnvelope message) {
        ShardLayout layout = shards;
        if (layout == null) {
            return client;
        }
        String key = message.id() == null ? message.body() : message.id();
        String home = layout.queues().get(layout.homeOf(message.queue(), key));
        return consumers().queue(home).with(client.retry());
    }

    /** This queue for a consumer. */
    MessageChannel channel() {
        return new QueueChannel(client, poison(), consumers().timer());
    }

    QueueConsumer.Builder consume(QueueConsumer.Handler<T> handler) {
        Objects.requireNonNull(handler, "handler");
        return new QueueConsumer.Builder(
                this, 1, task -> consumers().handlerThreads().execute(task), executor -> new ConsumedMessages<>(
                                format, callbacks, consumers())
                        .blocking(executor, handler));
    }

    QueueConsumer.Builder consumeBatches(int size, QueueConsumer.BatchHandler<T> handler) {
        Objects.requireNonNull(handler, "handler");
        return new QueueConsumer.Builder(
                this,
                QueueConsumer.Builder.between("size", size, 1, StorageLimits.RECEIVE_MAX_MESSAGES),
                task -> consumers().handlerThreads().execute(task),
                executor -> new ConsumedMessages<>(format, callbacks, consumers()).batches(executor, handler));
    }

    QueueConsumer.Builder consumeReactively(Function<? super MessageLease<T>, ? extends Publisher<?>> handler) {
        Objects.requireNonNull(handler, "handler");
        return new QueueConsumer.Builder(
                this, 1, callbacks::run, executor -> new ConsumedMessages<>(format, callbacks, consumers())
                        .reactive(executor, handler));
    }

    MessageLease<T> hold(ReceivedMessage<T> message, Duration lease) {
        Objects.requireNonNull(message, "message");
        QueueConsumer.Builder.between("lease", lease, LEAST_HOLD, LONGEST_HOLD);
        own(message);
        DeliveredMessage delivered =
                new DeliveredMessage(new MessageView(message.envelope(), message.raw()), message.lease());
        return new MessageLease<>(
                consumers().hold(client, poison(), delivered, QueueTimeLimits.delay(lease)),
                message.content(),
                callbacks);
    }

    Mono<List<MessageQueue.SendOutcome<T>>> sendAll(
            Iterable<? extends T> bodies, UnaryOperator<MessageQueue.SendOptions> options) {
        Objects.requireNonNull(bodies, "bodies");
        Objects.requireNonNull(options, "options");
        return outcomes(bodies, body -> send(body, options));
    }

    static <T> Mono<List<MessageQueue.SendOutcome<T>>> outcomes(
            Iterable<? extends T> bodies, Function<T, Mono<SendResult>> send) {
        List<Mono<MessageQueue.SendOutcome<T>>> sends = new ArrayList<>();
        for (T body : bodies) {
            sends.add(outcome(Objects.requireNonNull(body, "bodies has a null"), send));
        }
        return Flux.fromIterable(sends)
                .flatMapSequential(Function.identity(), SENDS_AT_ONCE)
                .collectList();
    }

    /** The body is encoded now, on the caller's thread. */
    private static <T> Mono<MessageQueue.SendOutcome<T>> outcome(T body, Function<T, Mono<SendResult>> send) {
        try {
            return send.apply(body)
                    .map(sent -> new MessageQueue.SendOutcome<>(body, sent, null))
                    .onErrorResume(
                            StorageException.class, e -> Mono.just(new MessageQueue.SendOutcome<>(body, null, e)));
        } catch (IllegalArgumentException e) {
            return Mono.just(new MessageQueue.SendOutcome<>(body, null, e));
        }
    }

    private String text(T body) {
        return format.write(Objects.requireNonNull(body, "body"));
    }

    List<ReceivedMessage<T>> received(List<DeliveredMessage> deliveries) {
        return deliveries.stream()
                .map(delivery -> new ReceivedMessage<>(
                        delivery.look().envelope(), MessageBody.read(delivery.look(), format), delivery.lease()))
                .toList();
    }

    List<PeekedMessage<T>> peeked(List<MessageView> looks) {
        return looks.stream()
                .map(look -> new PeekedMessage<>(look.envelope(), MessageBody.read(look, format), look.origin()))
                .toList();
    }

    Mono<ReceivedMessage<T>> update(ReceivedMessage<T> message, Duration lease) {
        return client.update(own(message).envelope(), message.lease(), null, lease)
                .map(message::with);
    }

    Mono<ReceivedMessage<T>> update(ReceivedMessage<T> message, T newBody, Duration lease) {
        Objects.requireNonNull(message, "message");
        String text = text(newBody);
        return client.update(own(message).envelope(), message.lease(), text, lease)
                .map(renewed -> message.with(MessageBody.written(text, newBody), renewed));
    }

    Mono<Void> delete(ReceivedMessage<?> message) {
        return client.delete(own(message).envelope(), message.lease());
    }

    Mono<Boolean> deleteIfOurs(ReceivedMessage<?> message) {
        return ours(delete(message));
    }

    Mono<Void> delete(SendResult message) {
        Objects.requireNonNull(message, "message");
        own(message.id(), "sent", "to", message.queue());
        return client.delete(message);
    }

    Mono<Boolean> deleteIfOurs(SendResult message) {
        return ours(delete(message));
    }

    private static Mono<Boolean> ours(Mono<Void> deletion) {
        return deletion.thenReturn(true).onErrorResume(PreconditionFailedException.class, e -> Mono.just(false));
    }

    private ReceivedMessage<?> own(ReceivedMessage<?> message) {
        Objects.requireNonNull(message, "message");
        own(message.id(), "received", "from", message.envelope().queue());
        return message;
    }

    private void own(String id, String how, String way, String queue) {
        if (!queue.equals(client.name())) {
            throw new IllegalArgumentException("message " + id + " was " + how + " " + way + " queue " + queue
                    + ", not " + way + " " + client.name());
        }
    }
}
