package io.stowline.queue.internal;

import com.azure.storage.queue.QueueAsyncClient;
import io.stowline.access.internal.SasSigner;
import io.stowline.access.internal.policy.PolicyOperations;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteResult;
import io.stowline.queue.QueueInfo;
import io.stowline.queue.SendResult;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.LeaseReceipt.LeaseTimer;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.QueueRequests.QueueState;
import io.stowline.queue.internal.rule.QueueTimeLimits;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.concurrent.Stopwatch;
import io.stowline.transport.internal.error.Absence;
import io.stowline.transport.internal.outcome.MetadataRules;
import io.stowline.transport.internal.outcome.StoredTexts;
import io.stowline.transport.internal.outcome.WriteIdMetadata;
import io.stowline.transport.internal.pipeline.DirectCalls;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.pipeline.ViewSettings;
import io.stowline.transport.internal.request.ExecutionOptions;
import io.stowline.transport.internal.request.RequestCost;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** The operations on one queue. What they give arrives on an I/O thread. Thread-safe. */
public final class QueueOperations {

    private static final int MAX_MESSAGES = StorageLimits.RECEIVE_MAX_MESSAGES;
    private static final String SET_METADATA = "setMetadata";
    private static final Logger LOG = LoggerFactory.getLogger(QueueOperations.class);

    private final Supplier<QueueAsyncClient> applicationClient;
    private final ViewSettings view;
    private final StoragePipeline pipeline;
    private final DirectCalls calls;
    private final QueueRequests requests;
    private final UnconfirmedDeletes completed;
    private final SasSigner signer;

    /**
     * Stands on the pipeline of the queue service.
     *
     * @param applicationClient makes the SDK's client for the application
     * @param view the settings of its requests
     * @param completed the messages that are not to be handed out again
     * @param requests the requests for the queue and its messages
     * @param signer the signer of access for others
     */
    QueueOperations(
            Supplier<QueueAsyncClient> applicationClient,
            ViewSettings view,
            StoragePipeline pipeline,
            UnconfirmedDeletes completed,
            QueueRequests requests,
            SasSigner signer) {
        this.applicationClient = applicationClient;
        this.view = view;
        this.pipeline = pipeline;
        this.calls = DirectCalls.of(pipeline);
        this.requests = requests;
        this.completed = completed;
        this.signer = signer;
    }

    /** Returns the queue with other retry settings. */
    public QueueOperations with(RetrySettings settings) {
        return with(view.with(settings));
    }

    /**
     * Returns the queue with reads that go elsewhere.
     *
     * @throws IllegalArgumentException if the account has no such place
     */
    public QueueOperations with(ReadFrom from) {
        return with(view.with(from));
    }

    /**
     * Returns the queue with one more header on all its requests.
     *
     * @throws IllegalArgumentException if it is not allowed
     */
    public QueueOperations header(String name, String value) {
        return with(view.header(name, value));
    }

    private QueueOperations with(ViewSettings other) {
        return new QueueOperations(
                applicationClient, other, pipeline, completed, requests.with(other.headers()), signer);
    }

    /** Returns another queue with the headers and reads of this one. */
    public QueueOperations beside(QueueOperations other) {
        return other.with(view.with(other.retry()));
    }

    /** Returns the queue's name. */
    public String name() {
        return requests.queue();
    }

    /** Returns the signer of access for others. */
    public SasSigner signer() {
        return signer;
    }

    /** Returns the operations on its stored access policies. */
    public PolicyOperations policies() {
        return PolicyOperations.of(signer, name(), retry(), view.headers());
    }

    /** Returns the clock and alarm of all waits. */
    public Scheduler timer() {
        return pipeline.timer();
    }

    /** Returns the retry settings of its operations. */
    public RetrySettings retry() {
        return view.retry();
    }

    /** Returns the SDK's client of the queue, for the application. It can sign on its own where there is a key. */
    public QueueAsyncClient applicationClient() {
        return applicationClient.get();
    }

    /** Makes the queue; it must not be there yet. */
    public Mono<Void> create() {
        return new QueueCreation(calls, requests, retry()).make().then();
    }

    /** Makes the queue unless it is there. Gives whether it was made, as far as the service shows. */
    public Mono<Boolean> createIfMissing() {
        return new QueueCreation(calls, requests, retry()).makeUnlessThere();
    }

    /** Removes the queue with all messages. After a lost response a queue that is gone counts as removed. */
    public Mono<Void> delete() {
        return observed("drop", () -> requests.drop(retry()), (done, exchange) -> done)
                .then()
                .onErrorResume(OutcomeUnknownException.class, e -> gone(e) ? Mono.empty() : Mono.error(e));
    }

    private static boolean gone(OutcomeUnknownException end) {
        return end.getCause() instanceof NotFoundException
                || "QueueBeingDeleted".equals(end.failure().errorCode());
    }

    /** Removes the queue if it is there. False only if there was none for certain. */
    public Mono<Boolean> deleteIfExists() {
        return presence("drop", delete());
    }

    /** Returns whether the queue is there. */
    public Mono<Boolean> exists() {
        return presence("exists", observed("exists", () -> requests.existence(retry()), (found, exchange) -> found));
    }

    private Mono<Boolean> presence(String verb, Mono<?> call) {
        Mono<Boolean> work = call.thenReturn(true).onErrorResume(Absence::isMeantBy, e -> Mono.just(false));
        return asOperation(verb, this::name, work);
    }

    /** Counts the messages, hidden ones too: about their number, never less. */
    public Mono<Long> approximateCount() {
        return state("approximateCount", true).map(QueueState::counted);
    }

    /** Reads the service's clock, to the second. */
    public Mono<Instant> serviceTime() {
        return observed("serviceTime", () -> requests.time(retry()), (time, exchange) -> time);
    }

    /** Reads all that the service knows of the queue, from where reads go. */
    public Mono<QueueInfo> info() {
        return observed(
                "info",
                () -> requests.state("info", false, retry()).routed(view.reads().any()),
                (found, exchange) ->
                        new QueueInfo(found.counted(), WriteIdMetadata.hiddenIn(found.metadata()), found.origin()));
    }

    private Mono<QueueState> state(String verb, boolean counted) {
        return observed(verb, () -> requests.state(verb, counted, retry()), (found, exchange) -> found);
    }

    /** Replaces the metadata. */
    public Mono<WriteResult> setMetadata(Map<String, String> metadata) {
        Mono<Map<String, String>> all = MetadataRules.changed(
                metadata, () -> state(SET_METADATA, false).map(found -> StoredTexts.metadata(found.metadata())));
        Mono<WriteResult> work = all.flatMap(checked -> observed(
                SET_METADATA,
                () -> requests.setMetadata(checked, retry()),
                (done, exchange) ->
                        WriteResult.confirmed("", pipeline.unresolved(exchange).mayRepeat(Evidence.RESPONSE))));
        return asOperation(SET_METADATA, this::name, work);
    }

    /** Removes all messages. */
    public Mono<Void> clear() {
        return observed("clear", () -> requests.clear(retry()), (done, exchange) -> done)
                .then();
    }

    /**
     * Puts a message.
     *
     * @param delay how long it stays hidden, or {@code null} for not at all
     * @param timeToLive how long it is kept, or {@code null} for the service's default
     */
    public Mono<SendResult> send(String text, @Nullable Duration delay, @Nullable Duration timeToLive) {
        return send(text, delay, timeToLive, UnaryOperator.identity());
    }

    /** Puts a message for which no caller waits: its request goes behind all others of the service; see {@link #send}. */
    public Mono<SendResult> sendInBackground(String text, @Nullable Duration delay, @Nullable Duration timeToLive) {
        return send(text, delay, timeToLive, ExecutionOptions::background);
    }

    private Mono<SendResult> send(
            String text,
            @Nullable Duration delay,
            @Nullable Duration timeToLive,
            UnaryOperator<ExecutionOptions> turn) {
        QueueTimeLimits.delayWithin(delay, timeToLive);
        return observed(
                "send",
                () -> requests.send(text, delay, timeToLive, retry()).with(turn),
                (message, exchange) ->
                        message.sent(name(), pipeline.unresolved(exchange).any()));
    }

    /**
     * Receives messages, always from the primary, and hides them. Retried like a read: messages of a lost response
     * reappear when their lease ends. Messages whose deletion ended as unknown are removed now and not handed out.
     *
     * @param max how many at most
     * @param lease how long they stay hidden
     */
    public Mono<List<DeliveredMessage>> receive(int max, Duration lease) {
        return receive(max, lease, () -> {});
    }

    /**
     * Receives messages for a receiver that wants all of them.
     *
     * @param lost runs before the result if a response was lost, so that other messages may be hidden for the time of the lease
     */
    public Mono<List<DeliveredMessage>> receive(int max, Duration lease, Runnable lost) {
        checkMax(max);
        Duration whole = QueueTimeLimits.receiveLease(lease);
        return observed("receive", () -> requests.receive(max, whole, retry()), (messages, exchange) -> {
            refund(exchange, messages.size());
            if (exchange.hasLostResponse()) {
                lost.run();
            }
            Stopwatch sent = pipeline.unresolved(exchange).lastSent();
            return messages.stream()
                    .map(message -> message.delivered(name(), LeaseTimer.of(sent, whole)))
                    .filter(this::isNew)
                    .toList();
        });
    }

    /** A request counts as the messages that it may return; one that returns none counts as one. */
    private void refund(Exchange<?> exchange, int returned) {
        RequestCost charged = exchange.request().cost();
        pipeline.chargeResponse(new RequestCost(charged.partition(), Math.max(1, returned) - charged.entities(), 0));
    }

    private LeaseTimer leaseTimer(Exchange<?> exchange, Duration lease) {
        return LeaseTimer.of(pipeline.unresolved(exchange).lastSent(), lease);
    }

    /** Returns whether the message may be handed out. */
    private boolean isNew(DeliveredMessage delivery) {
        MessageHeader message = delivery.view().header();
        if (!completed.holds(message)) {
            return true;
        }
        detached(delete(message, delivery.lease()))
                .subscribe(
                        nothing -> {},
                        e -> LOG.debug("{} was completed before and cannot be removed yet", message.resource(), e),
                        completed::countRemoved);
        return false;
    }

    /**
     * Looks at messages, from where reads go.
     *
     * @param max how many at most
     */
    public Mono<List<MessageView>> peek(int max) {
        checkMax(max);
        return observed(
                "peek", () -> requests.peek(max, retry()).routed(view.reads().any()), (messages, exchange) -> {
                    refund(exchange, messages.size());
                    return messages;
                });
    }

    private static void checkMax(int max) {
        if (max < 1 || max > MAX_MESSAGES) {
            throw new IllegalArgumentException("max is 1 to " + MAX_MESSAGES + " messages, not " + max);
        }
    }

    /**
     * Sets the end of a message's lease, and its text if one is given.
     *
     * @param receipt its latest lease
     * @param text its new text, or {@code null} to leave it
     * @param lease how long it stays hidden from now on
     * @return the new receipt and the new end
     */
    public Mono<LeaseReceipt> update(
            MessageHeader message, LeaseReceipt receipt, @Nullable String text, Duration lease) {
        Duration whole = QueueTimeLimits.updateLease(lease);
        return Mono.defer(() -> {
                    receipt.leaseTimer().contest();
                    return calls.settled(
                                    "update",
                                    message::resource,
                                    () -> requests.update(message, receipt, text, whole, retry()),
                                    (renewed, exchange) -> new LeaseReceipt(
                                            renewed.popReceipt(), renewed.visibleAt(), leaseTimer(exchange, whole)),
                                    (end, unresolved) ->
                                            Mono.<LeaseReceipt>error(StaleReceipt.receipt(end, unresolved, whole)))
                            .doOnError(StorageException.class, e -> restartLease(e, receipt));
                })
                .doOnNext(renewed -> takenBack(message, text, whole))
                .onErrorMap(StorageException.class, StaleReceipt::meaning);
    }

    /** An update that was not carried out leaves the receipt as it was, unless the receipt is the reason. */
    private static void restartLease(StorageException end, LeaseReceipt receipt) {
        if (!(end instanceof OutcomeUnknownException) && !StaleReceipt.isMeantBy(end)) {
            receipt.leaseTimer().uphold();
        }
    }

    /**
     * An update, or a message made visible, is a wish to handle the message after all, although its removal had failed
     * before.
     */
    private void takenBack(MessageHeader message, @Nullable String text, Duration lease) {
        if (text != null || lease.isZero()) {
            completed.forget(message);
        }
    }

    /**
     * Removes a message.
     *
     * @param receipt its latest lease
     * @return its result; also where the response was lost and no other call can have removed the message. After any other end
     *     the message is removed, and not handed out, once it is received here again
     */
    public Mono<WriteResult> delete(MessageHeader message, LeaseReceipt receipt) {
        return calls.settled(
                        "delete",
                        message::resource,
                        () -> {
                            // Before any failure, a cancel or an interrupt included; a response takes it back.
                            completed.remember(message);
                            return requests.delete(message, receipt, retry());
                        },
                        (response, exchange) -> removed(message),
                        (end, unresolved) -> StaleReceipt.isMeantBy(end)
                                        && receipt.leaseTimer().runs()
                                ? Mono.just(recovered(message))
                                : Mono.error(StaleReceipt.message(end)))
                .onErrorMap(StorageException.class, StaleReceipt::deletion);
    }

    private WriteResult removed(MessageHeader message) {
        completed.forget(message);
        return WriteResult.confirmed("", false);
    }

    private WriteResult recovered(MessageHeader message) {
        completed.forget(message);
        return WriteResult.recovered("", Evidence.CONTENT, false);
    }

    /**
     * Removes a message that its sender holds. Not remembered when it fails: another may have received it, and counts on its coming again.
     *
     * @param message what was sent
     */
    public Mono<WriteResult> delete(SendResult message) {
        return calls.settled(
                        "delete",
                        () -> name() + "(" + message.id() + ")",
                        () -> requests.delete(message, retry()),
                        (response, exchange) -> WriteResult.confirmed("", false),
                        (end, unresolved) -> Mono.<WriteResult>error(StaleReceipt.sent(end)))
                .onErrorMap(StorageException.class, StaleReceipt::meaning);
    }

    /** Runs the work as one operation, of which other operations are parts. */
    public <R> Mono<R> asOperation(String verb, Supplier<String> resource, Mono<R> work) {
        return pipeline.observer().operation(verb, resource, work);
    }

    /** Returns work that no caller waits for. */
    public <R> Mono<R> detached(Mono<R> work) {
        return pipeline.observer().detached(work);
    }

    private <A, R> Mono<R> observed(
            String verb, Supplier<Exchange<A>> request, BiFunction<? super A, Exchange<A>, R> result) {
        return calls.observed(verb, this::name, request, result);
    }
}
