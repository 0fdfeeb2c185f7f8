package io.stowline.queue;

import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.access.QueueSasBuilder;
import io.stowline.access.ReactiveAccessPolicies;
import io.stowline.access.SharedAccessSignature;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link MessageQueue}: the same methods, as {@code Mono}. Nothing is sent before a subscription. Each
 * subscription starts a separate operation; cancelling it sends nothing more. Bodies are decoded and results arrive on the callback
 * threads, not on an I/O thread unless {@code callbacks(Runnable::run)} was set, so that user code cannot stall the transport.
 *
 * <p>Thread-safe. Failures are those of {@link MessageQueue}.
 *
 * @param <T> the type of the bodies
 */
public interface ReactiveMessageQueue<T> {

    /**
     * Returns the queue's name.
     *
     * @return the name
     */
    String name();

    /**
     * Returns the SDK's client of this queue; see {@link MessageQueue#unwrap}.
     *
     * @return the SDK's client
     */
    QueueAsyncClient unwrap();

    /**
     * Creates the queue; see {@link MessageQueue#create}.
     *
     * @return the end of it
     */
    Mono<Void> create();

    /**
     * Creates the queue unless it exists; see {@link MessageQueue#createIfMissing}.
     *
     * @return whether it was made
     */
    Mono<Boolean> createIfMissing();

    /**
     * Removes the queue; see {@link MessageQueue#drop}.
     *
     * @return the end of it
     */
    Mono<Void> drop();

    /**
     * Removes the queue if it is there; see {@link MessageQueue#dropIfExists}.
     *
     * @return whether it was there
     */
    Mono<Boolean> dropIfExists();

    /**
     * Begins a signature that opens this queue for others; see {@link MessageQueue#sas}.
     *
     * @return its builder
     */
    QueueSasBuilder<Mono<SharedAccessSignature>> sas();

    /**
     * Returns the stored access policies of this queue; see {@link MessageQueue#policies()}.
     *
     * @return its policies; making them costs nothing
     */
    ReactiveAccessPolicies<QueueSasBuilder<?>> policies();

    /**
     * Returns whether the queue is there; see {@link MessageQueue#exists}.
     *
     * @return whether it is
     */
    Mono<Boolean> exists();

    /**
     * Puts a message into the queue; see {@link MessageQueue#send(Object)}.
     *
     * @param body its body
     * @return the message's id and times, and whether it may be stored twice
     */
    default Mono<SendResult> send(T body) {
        return send(body, settings -> settings);
    }

    /**
     * Puts a message into the queue; see {@link MessageQueue#send(Object, UnaryOperator)}.
     *
     * @param body its body
     * @param settings sets when it is visible and how long it is kept
     * @return the message's id and times, and whether it may be stored twice
     */
    Mono<SendResult> send(T body, UnaryOperator<SendSettings.Builder> settings);

    /**
     * Puts many messages into the queue; see {@link MessageQueue#sendAll(Iterable)}.
     *
     * @param bodies their bodies
     * @return what became of each, in the order of the bodies
     */
    default Mono<List<ItemResult<T, SendResult>>> sendAll(Iterable<? extends T> bodies) {
        return sendAll(bodies, settings -> settings);
    }

    /**
     * Puts many messages into the queue; see {@link MessageQueue#sendAll(Iterable, UnaryOperator)}.
     *
     * @param bodies their bodies
     * @param settings sets when they are visible and how long they are kept
     * @return what became of each, in the order of the bodies
     */
    Mono<List<ItemResult<T, SendResult>>> sendAll(
            Iterable<? extends T> bodies, UnaryOperator<SendSettings.Builder> settings);

    /**
     * Receives one message; see {@link MessageQueue#receive()}.
     *
     * @return the message; empty if there is none to be had
     */
    default Mono<ReceivedMessage<T>> receive() {
        return receive(1).flatMap(batch -> Mono.justOrEmpty(batch.stream().findFirst()));
    }

    /**
     * Receives messages; see {@link MessageQueue#receive(int)}.
     *
     * @param max how many at most, 1 to 32
     * @return the messages, an empty list if there are none to be had
     */
    Mono<List<ReceivedMessage<T>>> receive(int max);

    /**
     * Receives messages; see {@link MessageQueue#receive(int, Duration)}.
     *
     * @param max how many at most, 1 to 32
     * @param lease how long they are hidden from others, 1 second to 7 days
     * @return the messages, an empty list if there are none to be had
     */
    Mono<List<ReceivedMessage<T>>> receive(int max, Duration lease);

    /**
     * Looks at messages without receiving them; see {@link MessageQueue#peek}.
     *
     * @param max how many at most, 1 to 32
     * @return those that are visible, an empty list if none are
     */
    Mono<List<PeekedMessage<T>>> peek(int max);

    /**
     * Renews a message's lease; see {@link MessageQueue#update(ReceivedMessage, Duration)}.
     *
     * @param message the message, as its latest receive or update gave it
     * @param lease how long it is hidden from now on
     * @return the message with its new receipt
     */
    Mono<ReceivedMessage<T>> update(ReceivedMessage<T> message, Duration lease);

    /**
     * Replaces a message's body; see {@link MessageQueue#update(ReceivedMessage, Object, Duration)}.
     *
     * @param message the message, as its latest receive or update gave it
     * @param newBody its new body
     * @param lease how long it is hidden from now on
     * @return the message with its new body and its new receipt
     */
    Mono<ReceivedMessage<T>> update(ReceivedMessage<T> message, T newBody, Duration lease);

    /**
     * Removes a message; see {@link MessageQueue#delete(ReceivedMessage)}.
     *
     * @param message the message, as its latest receive or update gave it
     * @return its result
     */
    Mono<WriteResult> delete(ReceivedMessage<?> message);

    /**
     * Removes a message if it is ours still; see {@link MessageQueue#deleteIfOurs(ReceivedMessage)}.
     *
     * @param message the message, as its latest receive or update gave it
     * @return false if it is no longer ours
     */
    Mono<Boolean> deleteIfOurs(ReceivedMessage<?> message);

    /**
     * Takes back a message that was sent; see {@link MessageQueue#delete(SendResult)}.
     *
     * @param message what its send gave
     * @return its result
     */
    Mono<WriteResult> delete(SendResult message);

    /**
     * Takes back a message that was sent if it was not received; see {@link MessageQueue#deleteIfOurs(SendResult)}.
     *
     * @param message what its send gave
     * @return false if it was received or removed, or has expired
     */
    Mono<Boolean> deleteIfOurs(SendResult message);

    /**
     * Removes all messages; see {@link MessageQueue#clear}.
     *
     * @return the end of it
     */
    Mono<Void> clear();

    /**
     * Returns how many messages there are; see {@link MessageQueue#approximateCount}.
     *
     * @return about the number, never less than it
     */
    Mono<Long> approximateCount();

    /**
     * Returns the properties of the queue; see {@link MessageQueue#info}.
     *
     * @return message count, metadata, and where they were read
     */
    Mono<QueueInfo> info();

    /**
     * Replaces the queue's metadata; see {@link MessageQueue#setMetadata}.
     *
     * @param metadata all of it
     * @return its result
     */
    Mono<WriteResult> setMetadata(Map<String, String> metadata);

    /**
     * Prepares a consumer of this queue, whose handler gives a publisher.
     *
     * @param handler handles a message: the completion of its publisher completes the message, an error has it received again
     * @return the consumer's settings; it runs after {@link QueueConsumer.Builder#start}
     */
    QueueConsumer.Builder consume(Function<? super MessageLease<T>, ? extends Publisher<?>> handler);

    /**
     * Holds a received message; see {@link MessageQueue#hold(ReceivedMessage)}.
     *
     * @param message the message, as its latest receive or update gave it
     * @return the held message; to be closed
     */
    MessageLease<T> hold(ReceivedMessage<T> message);

    /**
     * Holds a received message; see {@link MessageQueue#hold(ReceivedMessage, Duration)}.
     *
     * @param message the message, as its latest receive or update gave it
     * @param lease how long each renewal hides it, 10 s to 7 days
     * @return the held message; to be closed
     */
    MessageLease<T> hold(ReceivedMessage<T> message, Duration lease);

    /**
     * Returns the queue {@code <name>-poison}; see {@link MessageQueue#poison}.
     *
     * @return the poison queue, which exists once it has got a message
     */
    ReactivePoisonQueue<T> poison();

    /**
     * Returns the same queue with bodies of another form; see {@link MessageQueue#withCodec}.
     *
     * @param codec what writes and reads them
     * @param <R> their type
     * @return the queue of that type
     */
    <R> ReactiveMessageQueue<R> withCodec(MessageCodec<R> codec);

    /**
     * Returns the same queue, writing its bodies in another encoding; see {@link MessageQueue#withEncoding}.
     *
     * @param encoding the encoding
     * @return the narrowed queue
     */
    ReactiveMessageQueue<T> withEncoding(QueueMessageEncoding encoding);

    /**
     * Returns the same queue with bodies in envelopes; see {@link MessageQueue#withEnvelope}.
     *
     * @param settings sets what is compressed, and where large bodies go
     * @return the narrowed queue
     */
    ReactiveMessageQueue<T> withEnvelope(UnaryOperator<EnvelopeSettings.Builder> settings);

    /**
     * Removes blobs with bodies that no message of this queue needs; see {@link MessageQueue#sweepBodies}.
     *
     * @param olderThan the least age of a blob, 1 hour to 10 years
     * @return how many were removed
     */
    Mono<Long> sweepBodies(Duration olderThan);

    /**
     * Returns the same queue with one more header on all its requests; see {@link MessageQueue#withHeader}.
     *
     * @param name its name
     * @param value its value
     * @return the narrowed queue
     */
    ReactiveMessageQueue<T> withHeader(String name, String value);

    /**
     * Returns the same queue with other retry settings; see {@link MessageQueue#withRetry}.
     *
     * @param settings changes the settings that this queue has
     * @return the narrowed queue
     */
    ReactiveMessageQueue<T> withRetry(UnaryOperator<RetrySettings.Builder> settings);

    /**
     * Returns the same queue with reads that may go to the secondary; see {@link MessageQueue#withReadPreference}.
     *
     * @param source where safe reads go
     * @return the narrowed queue
     */
    ReactiveMessageQueue<T> withReadPreference(ReadFrom source);
}
