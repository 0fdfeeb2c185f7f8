package io.stowline.queue.internal.client;

import com.azure.core.util.serializer.JsonSerializer;
import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.access.AccessPolicies;
import io.stowline.access.QueueSasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.access.internal.DefaultQueueSasBuilder;
import io.stowline.access.internal.policy.DefaultAccessPolicies;
import io.stowline.access.internal.policy.PolicyOperations;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.queue.EnvelopeSettings;
import io.stowline.queue.MessageCodec;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PeekedMessage;
import io.stowline.queue.PoisonQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.QueueInfo;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.SendResult;
import io.stowline.queue.SendSettings;
import io.stowline.queue.internal.body.BodyFormat;
import io.stowline.queue.internal.consumer.ConsumerRegistry;
import io.stowline.queue.internal.rule.QueueTimeLimits;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** {@link MessageQueue} that waits for the operations of its {@link QueueContext}. */
public final class DefaultMessageQueue<T> implements MessageQueue<T> {

    private final QueueContext<T> context;

    DefaultMessageQueue(QueueContext<T> context) {
        this.context = context;
    }

    public static <T> MessageQueue<T> of(ConsumerRegistry client, String name, Class<T> type) {
        return new DefaultMessageQueue<>(context(client, name, type));
    }

    /** Returns the builder of a consumer whose polls create the queue if it is missing. */
    public static <T> QueueConsumer.Builder creatingConsumer(
            MessageQueue<T> queue, Function<? super MessageLease<T>, ? extends Publisher<?>> handler) {
        QueueContext<T> context = contextOf(queue);
        return context.consumeReactively(handler).over(() -> context.channel().creating());
    }

    static <T> QueueContext<T> context(ConsumerRegistry client, String name, Class<T> type) {
        return new QueueContext<>(
                client.queue(name),
                new BodyFormat<>(codecOf(type, client.messageSerializer()), QueueMessageEncoding.BASE64),
                client.callbacks(),
                client);
    }

    /** Views of a queue are made by it alone. */
    static <T> QueueContext<T> contextOf(MessageQueue<T> queue) {
        if (queue instanceof DefaultMessageQueue<T> ours) {
            return ours.context;
        }
        throw new IllegalArgumentException("view must return a view of the queue that it is given, not a "
                + queue.getClass().getName());
    }

    @SuppressWarnings("unchecked") // each codec is chosen for its own type only
    static <T> MessageCodec<T> codecOf(Class<T> type, @Nullable JsonSerializer serializer) {
        if (type == String.class) {
            return (MessageCodec<T>) MessageCodec.text();
        }
        if (type == byte[].class) {
            return (MessageCodec<T>) MessageCodec.bytes();
        }
        return serializer == null ? MessageCodec.json(type) : MessageCodec.json(type, serializer);
    }

    @Override
    public String name() {
        return context.operations().name();
    }

    @Override
    public ReactiveMessageQueue<T> reactive() {
        return new DefaultReactiveMessageQueue<>(context);
    }

    @Override
    public QueueAsyncClient unwrap() {
        return context.operations().applicationClient();
    }

    @Override
    public void create() {
        BlockingAwait.on(context.operations().create());
    }

    @Override
    public boolean createIfMissing() {
        return BlockingAwait.result(context.operations().createIfMissing());
    }

    @Override
    public void drop() {
        BlockingAwait.on(context.operations().delete());
    }

    @Override
    public boolean dropIfExists() {
        return BlockingAwait.result(context.operations().deleteIfExists());
    }

    @Override
    public QueueSasBuilder<SharedAccessSignature> sas() {
        return new DefaultQueueSasBuilder<>(context.operations().signer(), name(), BlockingAwait::result);
    }

    @Override
    public AccessPolicies<QueueSasBuilder<?>> policies() {
        return new DefaultAccessPolicies<>(
                context.operations().policies(),
                () -> new DefaultQueueSasBuilder<>(context.operations().signer(), name(), PolicyOperations.UNSIGNED));
    }

    @Override
    public boolean exists() {
        return BlockingAwait.result(context.operations().exists());
    }

    @Override
    public SendResult send(T body, UnaryOperator<SendSettings.Builder> settings) {
        return BlockingAwait.result(context.sender().send(body, settings));
    }

    @Override
    public List<ItemResult<T, SendResult>> sendAll(
            Iterable<? extends T> bodies, UnaryOperator<SendSettings.Builder> settings) {
        return BlockingAwait.result(context.sender().sendAll(bodies, settings));
    }

    @Override
    public List<ReceivedMessage<T>> receive(int max) {
        return receive(max, QueueTimeLimits.DEFAULT_LEASE);
    }

    @Override
    public List<ReceivedMessage<T>> receive(int max, Duration lease) {
        return context.received(BlockingAwait.result(context.receive(max, lease)));
    }

    @Override
    public List<PeekedMessage<T>> peek(int max) {
        return context.peeked(BlockingAwait.result(context.peek(max)));
    }

    @Override
    public ReceivedMessage<T> update(ReceivedMessage<T> message, Duration lease) {
        return BlockingAwait.result(context.update(message, lease));
    }

    @Override
    public ReceivedMessage<T> update(ReceivedMessage<T> message, T newBody, Duration lease) {
        return BlockingAwait.result(context.update(message, newBody, lease));
    }

    @Override
    public WriteResult delete(ReceivedMessage<?> message) {
        return BlockingAwait.result(context.delete(message));
    }

    @Override
    public boolean deleteIfOurs(ReceivedMessage<?> message) {
        return BlockingAwait.result(context.deleteIfOurs(message));
    }

    @Override
    public WriteResult delete(SendResult message) {
        return BlockingAwait.result(context.delete(message));
    }

    @Override
    public boolean deleteIfOurs(SendResult message) {
        return BlockingAwait.result(context.deleteIfOurs(message));
    }

    @Override
    public void clear() {
        BlockingAwait.on(context.operations().clear());
    }

    @Override
    public long approximateCount() {
        return BlockingAwait.result(context.operations().approximateCount());
    }

    @Override
    public QueueInfo info() {
        return BlockingAwait.result(context.operations().info());
    }

    @Override
    public WriteResult setMetadata(Map<String, String> metadata) {
        return BlockingAwait.result(context.operations().setMetadata(metadata));
    }

    @Override
    public QueueConsumer.Builder consume(QueueConsumer.Handler<MessageLease<T>> handler) {
        return context.consume(handler);
    }

    @Override
    public QueueConsumer.Builder consumeBatches(int size, QueueConsumer.Handler<QueueConsumer.Batch<T>> handler) {
        return context.consumeBatches(size, handler);
    }

    @Override
    public MessageLease<T> hold(ReceivedMessage<T> message) {
        return hold(message, QueueTimeLimits.DEFAULT_LEASE);
    }

    @Override
    public MessageLease<T> hold(ReceivedMessage<T> message, Duration lease) {
        return context.hold(message, lease);
    }

    @Override
    public PoisonQueue<T> poison() {
        return new DefaultPoisonQueue<>(context);
    }

    @Override
    public <R> MessageQueue<R> withCodec(MessageCodec<R> codec) {
        return new DefaultMessageQueue<>(context.codec(codec));
    }

    @Override
    public MessageQueue<T> withEncoding(QueueMessageEncoding encoding) {
        return new DefaultMessageQueue<>(context.encoding(encoding));
    }

    @Override
    public MessageQueue<T> withEnvelope(UnaryOperator<EnvelopeSettings.Builder> settings) {
        return new DefaultMessageQueue<>(context.envelope(settings));
    }

    @Override
    public long sweepBodies(Duration olderThan) {
        return BlockingAwait.result(new BodySweep(context).olderThan(olderThan));
    }

    @Override
    public MessageQueue<T> withHeader(String name, String value) {
        return new DefaultMessageQueue<>(context.header(name, value));
    }

    @Override
    public MessageQueue<T> withRetry(UnaryOperator<RetrySettings.Builder> settings) {
        return new DefaultMessageQueue<>(context.retry(settings));
    }

    @Override
    public MessageQueue<T> withReadPreference(ReadFrom source) {
        return new DefaultMessageQueue<>(context.readFrom(source));
    }

    @Override
    public String toString() {
        return "MessageQueue[" + name() + "]";
    }
}
