package io.stowline.queue.internal;

import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.models.QueueProperties;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.queue.Sent;
import io.stowline.retry.Priority;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.Effect;
import io.stowline.transport.internal.Operation;
import io.stowline.transport.internal.SdkCalls;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The operations on one queue, made by the SDK's client. What they give arrives on an I/O thread. Thread-safe. */
public final class QueueClient {

    private static final int MOST_MESSAGES = 32;
    private static final int CREATED = 201;
    private static final Set<String> LOST = Set.of("MessageNotFound", "PopReceiptMismatch");

    private final QueueAsyncClient sdk;
    private final SdkCalls calls;
    private final RetrySettings retry;

    /**
     * Stands on the SDK's client.
     *
     * @param sdk that client, made on the pipeline of the calls; it must not encode anything
     * @param calls how its calls become operations
     * @param retry how they are tried
     */
    public QueueClient(QueueAsyncClient sdk, SdkCalls calls, RetrySettings retry) {
        this.sdk = sdk;
        this.calls = calls;
        this.retry = retry;
    }

    /**
     * The same queue with other retry settings.
     *
     * @param settings the settings
     * @return a client that shares everything else
     */
    public QueueClient with(RetrySettings settings) {
        return new QueueClient(sdk, calls, settings);
    }

    /**
     * The queue's name.
     *
     * @return the name
     */
    public String name() {
        return sdk.getQueueName();
    }

    /**
     * How its operations are tried.
     *
     * @return the settings
     */
    public RetrySettings retry() {
        return retry;
    }

    /**
     * The SDK's client beneath.
     *
     * @return the client
     */
    public QueueAsyncClient sdk() {
        return sdk;
    }

    /**
     * Makes the queue.
     *
     * @return whether it was not there
     */
    public Mono<Boolean> create() {
        return calls.one(operation("create", Effect.CREATE), () -> sdk.createWithResponse(null))
                .map(answer -> answer.getStatusCode() == CREATED);
    }

    /**
     * Makes the queue unless it is there.
     *
     * @return whether it was made
     */
    public Mono<Boolean> createIfMissing() {
        return create().onErrorResume(
                        ConflictException.class,
                        e -> "QueueAlreadyExists".equals(e.failure().errorCode()) ? Mono.just(false) : Mono.error(e));
    }

    /**
     * Removes the queue with all that is in it.
     *
     * @return the end of it
     */
    public Mono<Void> delete() {
        return calls.one(operation("delete", Effect.WRITE), sdk::delete);
    }

    /**
     * Removes the queue if it is there.
     *
     * @return whether it was there
     */
    public Mono<Boolean> deleteIfExists() {
        return delete().thenReturn(true).onErrorResume(NotFoundException.class, e -> Mono.just(false));
    }

    /**
     * Asks whether the queue is there.
     *
     * @return whether it is
     */
    public Mono<Boolean> exists() {
        return properties("exists").thenReturn(true).onErrorResume(NotFoundException.class, e -> Mono.just(false));
    }

    /**
     * Counts the messages, hidden ones too.
     *
     * @return about the number, never less than it
     */
    public Mono<Long> approximateCount() {
        return properties("approximateCount").map(QueueProperties::getApproximateMessagesCountLong);
    }

    /**
     * Reads the metadata.
     *
     * @return names and values
     */
    public Mono<Map<String, String>> metadata() {
        return properties("metadata").map(found -> Map.copyOf(found.getMetadata()));
    }

    private Mono<QueueProperties> properties(String verb) {
        return calls.observed(operation(verb, Effect.READ), sdk::getProperties, (found, unanswered) -> found);
    }

    /**
     * Replaces the metadata.
     *
     * @param metadata all of it
     * @return the end of it
     */
    public Mono<Void> setMetadata(Map<String, String> metadata) {
        Map<String, String> checked = QueueMetadata.check(metadata);
        return calls.one(operation("setMetadata", Effect.WRITE), () -> sdk.setMetadata(checked));
    }

    /**
     * Removes all messages.
     *
     * @return the end of it
     */
    public Mono<Void> clear() {
        return calls.one(operation("clear", Effect.WRITE), sdk::clearMessages);
    }

    /**
     * Puts a message.
     *
     * @param text its text
     * @param delay how long it stays hidden, or {@code null} for not at all
     * @param timeToLive how long it is kept, or {@code null} for the service's default
     * @return the message
     */
    public Mono<Sent> send(String text, @Nullable Duration delay, @Nullable Duration timeToLive) {
        Timing.delayWithin(delay, timeToLive);
        return calls.observed(
                operation("send", Effect.WRITE),
                () -> sdk.sendMessageWithResponse(text, delay, timeToLive),
                (answer, unanswered) -> Arrivals.sent(answer.getValue(), unanswered > 0));
    }

    /**
     * Receives messages. Tried again without much ado: a lost answer hides what it held for the time of the lease, and loses nothing.
     *
     * @param max how many at most
     * @param lease how long they stay hidden
     * @return the messages
     */
    public Mono<List<Delivery>> receive(int max, Duration lease) {
        checkMax(max);
        Duration whole = Timing.receiveLease(lease);
        return calls.observed(
                operation("receive", Effect.READ),
                () -> sdk.receiveMessages(max, whole).collectList(),
                (messages, unanswered) -> messages.stream()
                        .map(message -> Arrivals.delivery(name(), message))
                        .toList());
    }

    /**
     * Looks at messages.
     *
     * @param max how many at most
     * @return the messages
     */
    public Mono<List<Look>> peek(int max) {
        checkMax(max);
        return calls.observed(
                operation("peek", Effect.READ),
                () -> sdk.peekMessages(max).collectList(),
                (messages, unanswered) -> messages.stream()
                        .map(message -> Arrivals.look(name(), message))
                        .toList());
    }

    private static void checkMax(int max) {
        if (max < 1 || max > MOST_MESSAGES) {
            throw new IllegalArgumentException("max is 1 to " + MOST_MESSAGES + " messages, not " + max);
        }
    }

    /**
     * Sets the end of a message's lease anew, and its text if one is given.
     *
     * @param id the message
     * @param popReceipt its latest receipt
     * @param text its new text, or {@code null} to leave it
     * @param lease how long it stays hidden from now on
     * @return the new receipt and the new end
     */
    public Mono<Lease> update(String id, String popReceipt, @Nullable String text, Duration lease) {
        Duration whole = Timing.updateLease(lease);
        return calls.observed(
                        settling("update", id),
                        () -> sdk.updateMessage(id, popReceipt, text, whole),
                        (renewed, unanswered) -> Arrivals.lease(renewed))
                .onErrorMap(StorageException.class, QueueClient::lost);
    }

    /**
     * Removes a message.
     *
     * @param id the message
     * @param popReceipt its latest receipt
     * @return the end of it
     */
    public Mono<Void> delete(String id, String popReceipt) {
        return calls.one(settling("delete", id), () -> sdk.deleteMessage(id, popReceipt))
                .onErrorMap(StorageException.class, QueueClient::lost);
    }

    /** Whether the message is gone or somebody else has it now: the receipt does not hold any more, whatever the status. */
    private static StorageException lost(StorageException e) {
        return LOST.contains(String.valueOf(e.failure().errorCode()))
                ? new PreconditionFailedException(e.failure(), null)
                : e;
    }

    private Operation operation(String verb, Effect effect) {
        return Operation.of(verb, name(), effect, retry);
    }

    /** Ends or prolongs earlier work, and therefore goes first. */
    private Operation settling(String verb, String id) {
        return new Operation(verb, name() + "(" + id + ")", Effect.WRITE, retry, Priority.SETTLE);
    }
}
