package io.stowline.queue;

import com.azure.storage.queue.QueueAsyncClient;
import io.stowline.queue.internal.Timing;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link MessageQueue}: the same verbs, as {@code Mono}. Nothing is sent before a subscription; each
 * subscription is an operation of its own, and cancelling it sends nothing more. Bodies are decoded and results arrive on the callback
 * threads, never on an I/O thread, so that user code cannot stall the transport.
 *
 * <p>Thread-safe. Failures are those of {@link MessageQueue}.
 *
 * @param <T> the type of the bodies
 */
public final class ReactiveMessageQueue<T> {

    private final QueueScope<T> scope;

    ReactiveMessageQueue(QueueScope<T> scope) {
        this.scope = scope;
    }

    /**
     * The queue's name.
     *
     * @return the name
     */
    public String name() {
        return scope.client().name();
    }

    /**
     * The SDK's client of this queue; see {@link MessageQueue#unwrap}.
     *
     * @return the SDK's client
     */
    public QueueAsyncClient unwrap() {
        return scope.client().lent();
    }

    /**
     * Makes the queue; see {@link MessageQueue#create}.
     *
     * @return the end of it
     */
    public Mono<Void> create() {
        return delivered(() -> scope.client().create());
    }

    /**
     * Makes the queue unless it is there; see {@link MessageQueue#createIfMissing}.
     *
     * @return whether it was made
     */
    public Mono<Boolean> createIfMissing() {
        return delivered(() -> scope.client().createIfMissing());
    }

    /**
     * Removes the queue; see {@link MessageQueue#deleteQueue}.
     *
     * @return the end of it
     */
    public Mono<Void> deleteQueue() {
        return delivered(() -> scope.client().delete());
    }

    /**
     * Removes the queue if it is there; see {@link MessageQueue#deleteQueueIfExists}.
     *
     * @return whether it was there
     */
    public Mono<Boolean> deleteQueueIfExists() {
        return delivered(() -> scope.client().deleteIfExists());
    }

    /**
     * Asks whether the queue is there; see {@link MessageQueue#exists}.
     *
     * @return whether it is
     */
    public Mono<Boolean> exists() {
        return delivered(() -> scope.client().exists());
    }

    /**
     * Puts a message into the queue; see {@link MessageQueue#send(Object)}.
     *
     * @param body its body
     * @return the message's id and times, and whether it may be there twice
     */
    public Mono<Sent> send(T body) {
        return send(body, options -> options);
    }

    /**
     * Puts a message into the queue; see {@link MessageQueue#send(Object, UnaryOperator)}.
     *
     * @param body its body
     * @param options says when it is visible and how long it is kept
     * @return the message's id and times, and whether it may be there twice
     */
    public Mono<Sent> send(T body, UnaryOperator<MessageQueue.SendOptions> options) {
        return delivered(() -> scope.send(body, options));
    }

    /**
     * Receives one message; see {@link MessageQueue#receive()}.
     *
     * @return the message; empty if there is none to be had
     */
    public Mono<Received<T>> receive() {
        return receive(1).flatMap(batch -> Mono.justOrEmpty(batch.stream().findFirst()));
    }

    /**
     * Receives messages; see {@link MessageQueue#receive(int)}.
     *
     * @param max how many at most, 1 to 32
     * @return the messages, an empty list if there are none to be had
     */
    public Mono<List<Received<T>>> receive(int max) {
        return receive(max, Timing.DEFAULT_LEASE);
    }

    /**
     * Receives messages; see {@link MessageQueue#receive(int, Duration)}.
     *
     * @param max how many at most, 1 to 32
     * @param lease how long they are hidden from others, 1 second to 7 days
     * @return the messages, an empty list if there are none to be had
     */
    public Mono<List<Received<T>>> receive(int max, Duration lease) {
        return delivered(() -> scope.client().receive(max, lease)).map(scope::received);
    }

    /**
     * Looks at messages without receiving them; see {@link MessageQueue#peek}.
     *
     * @param max how many at most, 1 to 32
     * @return those that are visible, an empty list if none are
     */
    public Mono<List<Peeked<T>>> peek(int max) {
        return delivered(() -> scope.client().peek(max)).map(scope::peeked);
    }

    /**
     * Sets the end of a message's lease anew; see {@link MessageQueue#update(Received, Duration)}.
     *
     * @param message the message, as its latest receive or update gave it
     * @param lease how long it is hidden from now on
     * @return the message with its new receipt
     */
    public Mono<Received<T>> update(Received<T> message, Duration lease) {
        return delivered(() -> scope.update(message, lease));
    }

    /**
     * Replaces a message's body; see {@link MessageQueue#update(Received, Object, Duration)}.
     *
     * @param message the message, as its latest receive or update gave it
     * @param newBody its new body
     * @param lease how long it is hidden from now on
     * @return the message with its new body and its new receipt
     */
    public Mono<Received<T>> update(Received<T> message, T newBody, Duration lease) {
        return delivered(() -> scope.update(message, newBody, lease));
    }

    /**
     * Removes a message; see {@link MessageQueue#delete(Received)}.
     *
     * @param message the message, as its latest receive or update gave it
     * @return the end of it
     */
    public Mono<Void> delete(Received<?> message) {
        return delivered(() -> scope.delete(message));
    }

    /**
     * Removes a message if it is ours still; see {@link MessageQueue#deleteIfOurs(Received)}.
     *
     * @param message the message, as its latest receive or update gave it
     * @return false if it is not ours any more
     */
    public Mono<Boolean> deleteIfOurs(Received<?> message) {
        return delivered(() -> scope.deleteIfOurs(message));
    }

    /**
     * Takes back a message that was sent; see {@link MessageQueue#delete(Sent)}.
     *
     * @param message what its send gave
     * @return the end of it
     */
    public Mono<Void> delete(Sent message) {
        return delivered(() -> scope.delete(message));
    }

    /**
     * Takes back a message that was sent if it was not received; see {@link MessageQueue#deleteIfOurs(Sent)}.
     *
     * @param message what its send gave
     * @return false if it was received or removed, or has expired
     */
    public Mono<Boolean> deleteIfOurs(Sent message) {
        return delivered(() -> scope.deleteIfOurs(message));
    }

    /**
     * Removes all messages; see {@link MessageQueue#clear}.
     *
     * @return the end of it
     */
    public Mono<Void> clear() {
        return delivered(() -> scope.client().clear());
    }

    /**
     * How many messages there are; see {@link MessageQueue#approximateCount}.
     *
     * @return about the number, never less than it
     */
    public Mono<Long> approximateCount() {
        return delivered(() -> scope.client().approximateCount());
    }

    /**
     * The queue's metadata; see {@link MessageQueue#metadata}.
     *
     * @return names and values
     */
    public Mono<Map<String, String>> metadata() {
        return delivered(() -> scope.client().metadata());
    }

    /**
     * What the service knows of the queue; see {@link MessageQueue#facts}.
     *
     * @return count, metadata and their origin
     */
    public Mono<QueueFacts> facts() {
        return delivered(() -> scope.client().facts());
    }

    /**
     * Replaces the queue's metadata; see {@link MessageQueue#setMetadata}.
     *
     * @param metadata all of it
     * @return the end of it
     */
    public Mono<Void> setMetadata(Map<String, String> metadata) {
        return delivered(() -> scope.client().setMetadata(metadata));
    }

    /**
     * The same queue with bodies of another form; see {@link MessageQueue#codec}.
     *
     * @param codec what writes and reads them
     * @param <R> their type
     * @return the queue of that type
     */
    public <R> ReactiveMessageQueue<R> codec(MessageCodec<R> codec) {
        return new ReactiveMessageQueue<>(scope.codec(codec));
    }

    /**
     * The same queue, writing its bodies in another encoding; see {@link MessageQueue#encoding}.
     *
     * @param encoding the encoding
     * @return the narrowed queue
     */
    public ReactiveMessageQueue<T> encoding(MessageEncoding encoding) {
        return new ReactiveMessageQueue<>(scope.encoding(encoding));
    }

    /**
     * The same queue with one more header on all its requests; see {@link MessageQueue#header}.
     *
     * @param name its name
     * @param value its value
     * @return the narrowed queue
     */
    public ReactiveMessageQueue<T> header(String name, String value) {
        return new ReactiveMessageQueue<>(scope.header(name, value));
    }

    /**
     * The same queue with other retry settings; see {@link MessageQueue#retry}.
     *
     * @param settings changes the settings that this queue has
     * @return the narrowed queue
     */
    public ReactiveMessageQueue<T> retry(UnaryOperator<RetrySettings.Builder> settings) {
        return new ReactiveMessageQueue<>(scope.retry(settings));
    }

    /**
     * The same queue with reads that may go to the secondary; see {@link MessageQueue#readFrom}.
     *
     * @param source where safe reads go
     * @return the narrowed queue
     */
    public ReactiveMessageQueue<T> readFrom(ReadFrom source) {
        return new ReactiveMessageQueue<>(scope.readFrom(source));
    }

    private <R> Mono<R> delivered(Supplier<Mono<R>> operation) {
        return Mono.defer(operation).publishOn(scope.callbacks());
    }

    @Override
    public String toString() {
        return "ReactiveMessageQueue[" + name() + "]";
    }
}
