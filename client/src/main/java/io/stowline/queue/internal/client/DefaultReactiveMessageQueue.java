package io.stowline.queue.internal.client;

import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.access.QueueSasBuilder;
import io.stowline.access.ReactiveAccessPolicies;
import io.stowline.access.SharedAccessSignature;
import io.stowline.access.internal.DefaultQueueSasBuilder;
import io.stowline.access.internal.policy.DefaultReactiveAccessPolicies;
import io.stowline.access.internal.policy.PolicyOperations;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.queue.EnvelopeSettings;
import io.stowline.queue.MessageCodec;
import io.stowline.queue.MessageLease;
import io.stowline.queue.PeekedMessage;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.QueueInfo;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.queue.ReactivePoisonQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.SendResult;
import io.stowline.queue.SendSettings;
import io.stowline.queue.internal.rule.QueueTimeLimits;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** {@link ReactiveMessageQueue} that delivers the operations of its {@link QueueContext}. */
final class DefaultReactiveMessageQueue<T> implements ReactiveMessageQueue<T> {

    private final QueueContext<T> context;

    DefaultReactiveMessageQueue(QueueContext<T> context) {
        this.context = context;
    }

    static <T> QueueContext<T> contextOf(ReactiveMessageQueue<T> queue) {
        return ((DefaultReactiveMessageQueue<T>) queue).context;
    }

    @Override
    public String name() {
        return context.operations().name();
    }

    @Override
    public QueueAsyncClient unwrap() {
        return context.operations().applicationClient();
    }

    @Override
    public Mono<Void> create() {
        return delivered(() -> context.operations().create());
    }

    @Override
    public Mono<Boolean> createIfMissing() {
        return delivered(() -> context.operations().createIfMissing());
    }

    @Override
    public Mono<Void> drop() {
        return delivered(() -> context.operations().delete());
    }

    @Override
    public Mono<Boolean> dropIfExists() {
        return delivered(() -> context.operations().deleteIfExists());
    }

    @Override
    public QueueSasBuilder<Mono<SharedAccessSignature>> sas() {
        return new DefaultQueueSasBuilder<>(
                context.operations().signer(), name(), signature -> delivered(() -> signature));
    }

    @Override
    public ReactiveAccessPolicies<QueueSasBuilder<?>> policies() {
        return new DefaultReactiveAccessPolicies<>(
                context.operations().policies(),
                () -> new DefaultQueueSasBuilder<>(context.operations().signer(), name(), PolicyOperations.UNSIGNED),
                context.callbacks());
    }

    @Override
    public Mono<Boolean> exists() {
        return delivered(() -> context.operations().exists());
    }

    @Override
    public Mono<SendResult> send(T body, UnaryOperator<SendSettings.Builder> settings) {
        return delivered(() -> context.sender().send(body, settings));
    }

    @Override
    public Mono<List<ItemResult<T, SendResult>>> sendAll(
            Iterable<? extends T> bodies, UnaryOperator<SendSettings.Builder> settings) {
        return delivered(() -> context.sender().sendAll(bodies, settings));
    }

    @Override
    public Mono<List<ReceivedMessage<T>>> receive(int max) {
        return receive(max, QueueTimeLimits.DEFAULT_LEASE);
    }

    @Override
    public Mono<List<ReceivedMessage<T>>> receive(int max, Duration lease) {
        return delivered(() -> context.receive(max, lease)).map(context::received);
    }

    @Override
    public Mono<List<PeekedMessage<T>>> peek(int max) {
        return delivered(() -> context.peek(max)).map(context::peeked);
    }

    @Override
    public Mono<ReceivedMessage<T>> update(ReceivedMessage<T> message, Duration lease) {
        return delivered(() -> context.update(message, lease));
    }

    @Override
    public Mono<ReceivedMessage<T>> update(ReceivedMessage<T> message, T newBody, Duration lease) {
        return delivered(() -> context.update(message, newBody, lease));
    }

    @Override
    public Mono<WriteResult> delete(ReceivedMessage<?> message) {
        return delivered(() -> context.delete(message));
    }

    @Override
    public Mono<Boolean> deleteIfOurs(ReceivedMessage<?> message) {
        return delivered(() -> context.deleteIfOurs(message));
    }

    @Override
    public Mono<WriteResult> delete(SendResult message) {
        return delivered(() -> context.delete(message));
    }

    @Override
    public Mono<Boolean> deleteIfOurs(SendResult message) {
        return delivered(() -> context.deleteIfOurs(message));
    }

    @Override
    public Mono<Void> clear() {
        return delivered(() -> context.operations().clear());
    }

    @Override
    public Mono<Long> approximateCount() {
        return delivered(() -> context.operations().approximateCount());
    }

    @Override
    public Mono<QueueInfo> info() {
        return delivered(() -> context.operations().info());
    }

    @Override
    public Mono<WriteResult> setMetadata(Map<String, String> metadata) {
        return delivered(() -> context.operations().setMetadata(metadata));
    }

    @Override
    public QueueConsumer.Builder consume(Function<? super MessageLease<T>, ? extends Publisher<?>> handler) {
        return context.consumeReactively(handler);
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
    public ReactivePoisonQueue<T> poison() {
        return new DefaultReactivePoisonQueue<>(context, true);
    }

    @Override
    public <R> ReactiveMessageQueue<R> withCodec(MessageCodec<R> codec) {
        return new DefaultReactiveMessageQueue<>(context.codec(codec));
    }

    @Override
    public ReactiveMessageQueue<T> withEncoding(QueueMessageEncoding encoding) {
        return new DefaultReactiveMessageQueue<>(context.encoding(encoding));
    }

    @Override
    public ReactiveMessageQueue<T> withEnvelope(UnaryOperator<EnvelopeSettings.Builder> settings) {
        return new DefaultReactiveMessageQueue<>(context.envelope(settings));
    }

    @Override
    public Mono<Long> sweepBodies(Duration olderThan) {
        return delivered(() -> new BodySweep(context).olderThan(olderThan));
    }

    @Override
    public ReactiveMessageQueue<T> withHeader(String name, String value) {
        return new DefaultReactiveMessageQueue<>(context.header(name, value));
    }

    @Override
    public ReactiveMessageQueue<T> withRetry(UnaryOperator<RetrySettings.Builder> settings) {
        return new DefaultReactiveMessageQueue<>(context.retry(settings));
    }

    @Override
    public ReactiveMessageQueue<T> withReadPreference(ReadFrom source) {
        return new DefaultReactiveMessageQueue<>(context.readFrom(source));
    }

    private <R> Mono<R> delivered(Supplier<Mono<R>> operation) {
        return context.callbacks().deliver(Mono.defer(operation));
    }

    @Override
    public String toString() {
        return "ReactiveMessageQueue[" + name() + "]";
    }
}
