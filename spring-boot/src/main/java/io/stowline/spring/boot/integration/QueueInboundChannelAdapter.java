package io.stowline.spring.boot.integration;

import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.QueueConsumer.StopReport;
import io.stowline.spring.boot.listener.QueueMessageHeaders;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.integration.IntegrationMessageHeaderAccessor;
import org.springframework.integration.acks.AcknowledgmentCallback.Status;
import org.springframework.integration.endpoint.MessageProducerSupport;
import org.springframework.integration.support.AbstractIntegrationMessageBuilder;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessagingException;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A channel adapter that sends the messages of a queue into a channel, by a {@link QueueConsumer}.
 *
 * <pre>{@code
 * QueueInboundChannelAdapter<Order> adapter = new QueueInboundChannelAdapter<>(orders);
 * adapter.setOutputChannelName("shipping");
 * }</pre>
 *
 * <p><b>Acknowledgment</b>: a message is completed when the synchronous part of the flow returns. When that throws, the message has failed, as
 * {@link QueueConsumer} describes: it is received again, and is poison after too many failures. With an error channel the exception goes there.
 * If the error flow returns normally, the message is completed; if it throws, the message has failed. A flow that hands its messages over to
 * another thread uses {@link #setManualAcknowledgment}, as a message that it has only taken over would be completed otherwise.
 *
 * <p><b>Headers</b> are those of {@link QueueMessageHeaders}, without the id of a listener. The payload is the body.
 *
 * <p><b>Lifecycle</b>: the adapter starts with the application context after everything else, and stops before it, so that the rest of the flow
 * works until its messages are done. A stop waits up to {@link #setStopTimeout} for them. A stop by the flow of this adapter does not wait. An
 * interrupted stop goes on.
 *
 * <p>The setters are called before the start. Thread-safe otherwise.
 *
 * @param <T> the type of the payloads
 */
public final class QueueInboundChannelAdapter<T> extends MessageProducerSupport {

    /** The time for which a stop waits for the responses to messages that it gives back. */
    private static final Duration SETTLING = Duration.ofSeconds(5);

    /** The longest time that a consumer takes for its stop. */
    private static final Duration MAX_STOP = Duration.ofDays(1);

    private final MessageQueue<T> queue;
    private final Set<MessageAcknowledgment> awaited = ConcurrentHashMap.newKeySet();
    private UnaryOperator<QueueConsumer.Builder> settings = UnaryOperator.identity();
    private boolean manual;
    private Duration stopTimeout = Duration.ofSeconds(20);
    private @Nullable QueueConsumer consumer;

    /**
     * Makes an adapter.
     *
     * @param queue the queue, with its codec; it should exist when the adapter starts, since polls fail until it does
     */
    @SuppressWarnings("this-escape") // a setter of the framework, whose subclasses are none here
    public QueueInboundChannelAdapter(MessageQueue<T> queue) {
        this.queue = Objects.requireNonNull(queue, "queue");
        setPhase(SmartLifecycle.DEFAULT_PHASE);
    }

    /**
     * Changes the settings of the consumer: concurrency, lease, failures and the others.
     *
     * @param settings sets what differs from the defaults of {@link QueueConsumer.Builder}; it is called at each start. Its failure handler gets
     *     the exception that a message handler of the flow threw, without the wrappers of Spring Messaging; a failure of Spring Integration
     *     itself, such as that of a full channel, is the cause of a {@code MessagingException}. Its stop timeout is that of the adapter unless
     *     it sets another, and bounds the stop when the client is closed before the adapter
     */
    public void setConsumer(UnaryOperator<QueueConsumer.Builder> settings) {
        this.settings = Objects.requireNonNull(settings, "settings");
    }

    /**
     * Sets whether the flow acknowledges each message, on any thread, by the header
     * {@link IntegrationMessageHeaderAccessor#ACKNOWLEDGMENT_CALLBACK}: {@code ACCEPT} completes it, {@code REJECT} moves it to the poison queue,
     * {@code REQUEUE} gives it back without a failure. The acknowledgment does not wait for the service. Until then the lease is renewed, up to
     * the consumer's {@code maxHold}, and the message takes one of the consumer's handlers and its thread. A message that its flow throws for has
     * failed. An acknowledgment that comes too late throws {@link MessageLease.LeaseLostException}.
     *
     * @param manual whether it does; {@code false} by default
     */
    public void setManualAcknowledgment(boolean manual) {
        this.manual = manual;
    }

    /**
     * Sets how long a stop waits for the flow, and for acknowledgments. Then messages without an acknowledgment are given back. A flow that still
     * runs is interrupted, and its message is received again when its lease has ended.
     *
     * @param stopTimeout 1 ms to 24 hours; 20 s by default
     * @throws IllegalArgumentException if the time is out of range
     */
    public void setStopTimeout(Duration stopTimeout) {
        queue.consume(this::handle).stopTimeout(stopTimeout);
        this.stopTimeout = stopTimeout;
    }

    @Override
    public String getComponentType() {
        return "stowline:queue-inbound-channel-adapter";
    }

    /** Starts the consumer. Only with the lock of the lifecycle, as the stop. */
    @Override
    protected void doStart() {
        QueueConsumer.Builder begun = queue.consume(manual ? this::handleUntilAcknowledged : this::handle)
                .stopTimeout(stopTimeout);
        consumer = Objects.requireNonNull(settings.apply(begun), "the result of consumer(..)")
                .start();
    }

    private void handle(MessageLease<T> lease) throws Exception {
        send(message(lease).build());
    }

    private void handleUntilAcknowledged(MessageLease<T> lease) throws Exception {
        MessageAcknowledgment acknowledgment = new MessageAcknowledgment(lease);
        awaited.add(acknowledgment);
        try {
            handle(lease, acknowledgment);
        } finally {
            awaited.remove(acknowledgment);
        }
    }

    private void handle(MessageLease<T> lease, MessageAcknowledgment acknowledgment) throws Exception {
        try {
            send(message(lease)
                    .setHeader(IntegrationMessageHeaderAccessor.ACKNOWLEDGMENT_CALLBACK, acknowledgment)
                    .build());
        } catch (Exception e) {
            if (acknowledgment.expire()) {
                throw e;
            }
            logger.warn(e, () -> "The flow failed after it had acknowledged the message " + lease.id());
        }
        Status status = acknowledgment.await();
        if (status == Status.REJECT) {
            lease.poison("rejected by its flow");
        } else if (status == Status.REQUEUE) {
            lease.close();
        }
    }

    private AbstractIntegrationMessageBuilder<T> message(MessageLease<T> lease) {
        return getMessageBuilderFactory()
                .withPayload(lease.body())
                .setHeader(QueueMessageHeaders.QUEUE, queue.name())
                .setHeader(QueueMessageHeaders.MESSAGE_ID, lease.id())
                .setHeader(QueueMessageHeaders.DEQUEUE_COUNT, lease.dequeueCount())
                .setHeader(QueueMessageHeaders.INSERTED_AT, lease.insertedAt())
                .setHeader(QueueMessageHeaders.EXPIRES_AT, lease.expiresAt());
    }

    /** The wrappers of Spring Messaging hide the failure from failure handlers, and their text has the payload, which a log must not have. */
    private void send(Message<?> message) throws Exception {
        try {
            sendMessage(message);
        } catch (MessagingException e) {
            Throwable failure = e;
            while (failure instanceof MessagingException && failure.getCause() != null) {
                failure = failure.getCause();
            }
            if (failure instanceof MessagingException) {
                throw new MessagingException(String.valueOf(failure.getMessage()), failure);
            }
            throw failure instanceof Exception thrown ? thrown : e;
        }
    }

    @Override
    protected void doStop() {
        QueueConsumer ending = consumer;
        consumer = null;
        if (ending == null) {
            return;
        }
        Mono<StopReport> end = end(ending);
        if (!ending.canAwaitStop()) {
            end.subscribe();
            return;
        }
        CountDownLatch ended = new CountDownLatch(1);
        end.doFinally(signal -> ended.countDown()).subscribe();
        try {
            ended.await();
        } catch (InterruptedException e) {
            logger.debug(e, "The stop goes on while its caller is interrupted and does not wait");
            Thread.currentThread().interrupt();
        }
    }

    @Override
    protected void doStop(Runnable callback) {
        QueueConsumer ending = consumer;
        consumer = null;
        if (ending == null) {
            callback.run();
        } else if (ending.canAwaitStop()) {
            end(ending).doFinally(signal -> callback.run()).subscribe();
        } else {
            end(ending).subscribe();
            callback.run();
        }
    }

    /** Stops a consumer. Handlers that wait for acknowledgments give their messages back in time. */
    private Mono<StopReport> end(QueueConsumer ending) {
        if (!manual) {
            return ending.stopAsync(stopTimeout);
        }
        Disposable alarm = Schedulers.parallel()
                .schedule(
                        () -> awaited.forEach(MessageAcknowledgment::giveBack),
                        stopTimeout.toMillis(),
                        TimeUnit.MILLISECONDS);
        Duration settled = stopTimeout.plus(SETTLING);
        return ending.stopAsync(settled.compareTo(MAX_STOP) > 0 ? MAX_STOP : settled)
                .doFinally(signal -> alarm.dispose());
    }
}
