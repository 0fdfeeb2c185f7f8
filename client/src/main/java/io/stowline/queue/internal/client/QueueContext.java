package io.stowline.queue.internal.client;

import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.internal.SettingRanges;
import io.stowline.outcome.WriteResult;
import io.stowline.queue.EnvelopeSettings;
import io.stowline.queue.MessageCodec;
import io.stowline.queue.MessageLease;
import io.stowline.queue.PeekedMessage;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.SendResult;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.queue.internal.body.BodyFormat;
import io.stowline.queue.internal.body.ClaimCheckStore;
import io.stowline.queue.internal.body.EnvelopeFormat;
import io.stowline.queue.internal.body.OutgoingMessage.Replacement;
import io.stowline.queue.internal.body.ReadingTime;
import io.stowline.queue.internal.consumer.ConsumerRegistry;
import io.stowline.queue.internal.consumer.channel.QueueChannel;
import io.stowline.queue.internal.consumer.handler.BlockingHandling;
import io.stowline.queue.internal.poison.PoisonEnvelope;
import io.stowline.queue.internal.rule.QueueTimeLimits;
import io.stowline.queue.internal.shard.ShardLayout;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.concurrent.Callbacks;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * The common part of both faces of a queue. Its codec runs on the thread that calls it. Immutable.
 *
 * @param shards the queues that this one is one of, or {@code null} for a plain queue
 * @param bodyRequests the view of a container for bodies, which has the retry settings and headers of this view
 */
record QueueContext<T>(
        QueueOperations operations,
        BodyFormat<T> format,
        Callbacks callbacks,
        @Nullable ConsumerRegistry registry,
        @Nullable ShardLayout shards,
        UnaryOperator<ReactiveBlobContainer> bodyRequests) {

    private static final Duration MIN_HOLD = Duration.ofSeconds(10);
    private static final Duration MAX_HOLD = Duration.ofDays(7);

    QueueContext(
            QueueOperations operations,
            BodyFormat<T> format,
            Callbacks callbacks,
            @Nullable ConsumerRegistry registry) {
        this(operations, format, callbacks, registry, null, UnaryOperator.identity());
    }

    /** Returns the same queue as one of several. */
    QueueContext<T> in(ShardLayout layout) {
        return new QueueContext<>(operations, format, callbacks, registry, layout, bodyRequests);
    }

    private QueueContext<T> with(QueueOperations changed) {
        return new QueueContext<>(changed, format, callbacks, registry, shards, bodyRequests);
    }

    private <R> QueueContext<R> with(BodyFormat<R> changed) {
        return new QueueContext<>(operations, changed, callbacks, registry, shards, bodyRequests);
    }

    private QueueContext<T> withBodies(UnaryOperator<ReactiveBlobContainer> change) {
        return new QueueContext<>(
                operations,
                format.with(change),
                callbacks,
                registry,
                shards,
                container -> change.apply(bodyRequests.apply(container)));
    }

    QueueContext<T> retry(UnaryOperator<RetrySettings.Builder> settings) {
        Objects.requireNonNull(settings, "settings");
        RetrySettings narrowed = settings.apply(operations.retry().toBuilder()).build();
        return with(operations.with(narrowed)).withBodies(container -> container.withRetry(settings));
    }

    QueueContext<T> readFrom(ReadFrom source) {
        return with(operations.with(source));
    }

    QueueContext<T> header(String name, String value) {
        return with(operations.header(name, value)).withBodies(container -> container.withHeader(name, value));
    }

    <R> QueueContext<R> codec(MessageCodec<R> codec) {
        return with(format.with(Objects.requireNonNull(codec, "codec")));
    }

    QueueContext<T> encoding(QueueMessageEncoding encoding) {
        return with(format.with(Objects.requireNonNull(encoding, "encoding")));
    }

    QueueContext<T> envelope(UnaryOperator<EnvelopeSettings.Builder> settings) {
        Objects.requireNonNull(settings, "settings");
        EnvelopeSettings chosen = Objects.requireNonNull(
                        settings.apply(EnvelopeSettings.builder()), "the result of settings")
                .build();
        EnvelopeFormat envelope = new EnvelopeFormat(
                        format.encoding(),
                        chosen.type(),
                        chosen.compressAbove(),
                        chosen.maxBody(),
                        chosen.claimCheck()
                                .map(container -> new ClaimCheckStore(container.reactive(), folder()))
                                .orElse(null))
                .with(bodyRequests);
        return with(new BodyFormat<>(format.codec(), format.encoding(), envelope));
    }

    /** Returns the sender of bodies to this queue. */
    MessageSender<T> sender() {
        return new MessageSender<>(this, operations::send);
    }

    /** Returns the consumers of the client. */
    ConsumerRegistry consumers() {
        return Objects.requireNonNull(registry, "a queue of a client");
    }

    /** Returns the poison queue of this queue; several shards share one. */
    QueueOperations poison() {
        return operations.beside(consumers().queue(QueueChannel.poisonOf(folder())));
    }

    /** Returns the folder of the blobs with bodies; several queues share one. */
    String folder() {
        return shards == null ? operations.name() : shards.name();
    }

    /**
     * Returns the queues to which a message from the poison queue may go back: the one that its copy names, and then
     * each of these queues.
     */
    List<QueueOperations> homes(PoisonEnvelope message) {
        ShardLayout layout = shards;
        String before = message.queue();
        if (layout == null) {
            return before != null && ShardLayout.isShard(operations.name(), before)
                    ? List.of(sibling(before), operations)
                    : List.of(operations);
        }
        String key = message.id() == null ? message.body() : message.id();
        Stream<String> named = before != null && before.equals(layout.name()) ? Stream.of(before) : Stream.empty();
        return Stream.concat(named, layout.homesOf(before, key).stream())
                .map(this::sibling)
                .toList();
    }

    private QueueOperations sibling(String name) {
        return operations.beside(consumers().queue(name)).with(operations.retry());
    }

    /** Returns this queue for a consumer. */
    QueueChannel channel() {
        return new QueueChannel(operations, poison(), consumers().timer());
    }

    DefaultConsumerBuilder consume(QueueConsumer.Handler<MessageLease<T>> handler) {
        Objects.requireNonNull(handler, "handler");
        return new DefaultConsumerBuilder(
                this,
                1,
                task -> consumers().handlerThreads().execute(task),
                BlockingHandling::checked,
                executor -> consumed().blocking(executor, handler));
    }

    DefaultConsumerBuilder consumeBatches(int size, QueueConsumer.Handler<QueueConsumer.Batch<T>> handler) {
        Objects.requireNonNull(handler, "handler");
        return new DefaultConsumerBuilder(
                this,
                SettingRanges.between("size", size, 1, StorageLimits.RECEIVE_MAX_MESSAGES),
                task -> consumers().handlerThreads().execute(task),
                BlockingHandling::checked,
                executor -> consumed().batches(executor, handler));
    }

    DefaultConsumerBuilder consumeReactively(Function<? super MessageLease<T>, ? extends Publisher<?>> handler) {
        Objects.requireNonNull(handler, "handler");
        return new DefaultConsumerBuilder(this, 1, callbacks::run, executor -> executor, executor -> consumed()
                .reactive(executor, handler));
    }

    private ConsumedMessages<T> consumed() {
        return new ConsumedMessages<>(format, callbacks, consumers());
    }

    /** Opens the envelope of a message, and reads the body from its blob if that comes within a part of the lease. */
    Mono<MessageView> read(MessageView message, Duration lease) {
        return openedWithin(ReadingTime.within(lease), List.of(message)).map(opened -> opened.get(0));
    }

    MessageLease<T> hold(ReceivedMessage<T> message, Duration lease) {
        Objects.requireNonNull(message, "message");
        SettingRanges.between("lease", lease, MIN_HOLD, MAX_HOLD);
        DefaultReceivedMessage<T> own = own(message);
        DeliveredMessage delivered = new DeliveredMessage(new MessageView(own.header(), own.raw()), own.lease());
        return new DefaultMessageLease<>(
                consumers().hold(operations, poison(), format.envelope(), delivered, QueueTimeLimits.delay(lease)),
                own.content(),
                callbacks);
    }

    /** Receives messages, and opens their envelopes; their bodies are not decoded yet. */
    Mono<List<DeliveredMessage>> receive(int max, Duration lease) {
        return whole("receive", operations.receive(max, lease).flatMap(deliveries -> opened(deliveries, lease)));
    }

    /** Requests to blobs belong to the operation that needs them: closing the client waits for all of it. */
    private <R> Mono<R> whole(String verb, Mono<R> work) {
        return EnvelopeFormat.bodiesOf(format.envelope()) == null
                ? work
                : operations.asOperation(verb, operations::name, work);
    }

    /** Opens the envelopes of received messages, which takes a part of the lease at most. */
    Mono<List<DeliveredMessage>> opened(List<DeliveredMessage> deliveries, Duration lease) {
        return format.envelope() == null
                ? Mono.just(deliveries)
                : DeliveredMessage.opened(deliveries, views -> openedWithin(ReadingTime.within(lease), views));
    }

    List<ReceivedMessage<T>> received(List<DeliveredMessage> deliveries) {
        return deliveries.stream()
                .<ReceivedMessage<T>>map(delivery -> new DefaultReceivedMessage<>(
                        delivery.view().header(), MessageBody.read(delivery.view(), format), delivery.lease()))
                .toList();
    }

    /** Peeks at messages, and opens their envelopes. */
    Mono<List<MessageView>> peek(int max) {
        return whole("peek", operations.peek(max).flatMap(this::opened));
    }

    /**
     * Opens the envelopes of messages that stay in the queue. They have no lease: their bodies have the time of one
     * operation.
     */
    Mono<List<MessageView>> opened(List<MessageView> peeked) {
        return openedWithin(operations.retry().deadline(), peeked);
    }

    private Mono<List<MessageView>> openedWithin(Duration atMost, List<MessageView> peeked) {
        return format.opened(peeked, operations.timer(), atMost);
    }

    List<PeekedMessage<T>> peeked(List<MessageView> peeked) {
        return peeked.stream()
                .<PeekedMessage<T>>map(view -> new DefaultPeekedMessage<>(view, MessageBody.read(view, format)))
                .toList();
    }

    Mono<ReceivedMessage<T>> update(ReceivedMessage<T> message, Duration lease) {
        DefaultReceivedMessage<T> own = own(message);
        return operations.update(own.header(), own.lease(), null, lease).map(own::with);
    }

    Mono<ReceivedMessage<T>> update(ReceivedMessage<T> message, T newBody, Duration lease) {
        Objects.requireNonNull(message, "message");
        DefaultReceivedMessage<T> own = own(message);
        MessageEnvelope before = own.content().envelope();
        Mono<Replacement> update = format.outgoing(Objects.requireNonNull(newBody, "newBody"))
                .replace(
                        folder(),
                        own.header(),
                        before,
                        text -> operations.update(own.header(), own.lease(), text, lease));
        return whole("update", update.flatMap(made -> discarded(before)
                .thenReturn(
                        own.with(MessageBody.written(made.text(), newBody, format.own(made.text())), made.receipt()))));
    }

    Mono<WriteResult> delete(ReceivedMessage<?> message) {
        DefaultReceivedMessage<?> own = own(message);
        Mono<WriteResult> delete = operations.delete(own.header(), own.lease());
        return EnvelopeFormat.bodiesOf(format.envelope()) == null
                ? delete
                : whole("delete", delete.flatMap(removed -> discarded(
                                own.content().envelope())
                        .thenReturn(removed)));
    }

    /** Removes the blob with the body of a finished message. */
    private Mono<Void> discarded(@Nullable MessageEnvelope envelope) {
        return EnvelopeFormat.discard(format.envelope(), envelope);
    }

    Mono<Boolean> deleteIfOurs(ReceivedMessage<?> message) {
        return ours(delete(message));
    }

    Mono<WriteResult> delete(SendResult message) {
        Objects.requireNonNull(message, "message");
        own(message.id(), "sent", "to", message.queue());
        return operations.delete(message);
    }

    Mono<Boolean> deleteIfOurs(SendResult message) {
        return ours(delete(message));
    }

    private static Mono<Boolean> ours(Mono<WriteResult> deletion) {
        return deletion.thenReturn(true).onErrorResume(PreconditionFailedException.class, e -> Mono.just(false));
    }

    private <B> DefaultReceivedMessage<B> own(ReceivedMessage<B> message) {
        DefaultReceivedMessage<B> own = DefaultReceivedMessage.of(message);
        own(own.id(), "received", "from", own.header().queue());
        return own;
    }

    private void own(String id, String how, String way, String queue) {
        if (!queue.equals(operations.name())) {
            throw new IllegalArgumentException("message " + id + " was " + how + " " + way + " queue " + queue
                    + ", not " + way + " " + operations.name());
        }
    }
}
