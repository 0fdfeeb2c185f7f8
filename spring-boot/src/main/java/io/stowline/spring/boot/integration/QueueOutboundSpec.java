package io.stowline.spring.boot.integration;

import io.stowline.queue.MessageQueue;
import io.stowline.queue.SendSettings;
import java.time.Duration;
import java.util.function.Function;
import org.springframework.integration.dsl.MessageHandlerSpec;
import org.springframework.integration.expression.FunctionExpression;
import org.springframework.integration.expression.ValueExpression;
import org.springframework.messaging.Message;

/**
 * The specification of a {@link QueueMessageHandler} for the Java DSL. Not thread-safe.
 *
 * @param <T> the type of the payloads
 */
public final class QueueOutboundSpec<T> extends MessageHandlerSpec<QueueOutboundSpec<T>, QueueMessageHandler<T>> {

    private final QueueMessageHandler<T> handler;

    QueueOutboundSpec(MessageQueue<T> queue) {
        handler = new QueueMessageHandler<>(queue);
        target = handler;
    }

    /**
     * Hides each message at first.
     *
     * @param delay how long, up to 7 days
     * @return this specification
     * @throws IllegalArgumentException if the time is out of range
     */
    public QueueOutboundSpec<T> delay(Duration delay) {
        SendSettings.builder().delay(delay);
        handler.setDelayExpression(new ValueExpression<>(delay));
        return this;
    }

    /**
     * Hides each message at first, for a time that a function gives.
     *
     * @param delay gives the time of a message, or {@code null} for none
     * @return this specification
     */
    public QueueOutboundSpec<T> delayFunction(Function<Message<T>, Duration> delay) {
        handler.setDelayExpression(new FunctionExpression<>(delay));
        return this;
    }

    /**
     * Hides each message at first, for a time that an expression gives.
     *
     * @param delay an expression over the message, such as {@code headers['delay']}; see {@link QueueMessageHandler#setDelayExpression}
     * @return this specification
     */
    public QueueOutboundSpec<T> delayExpression(String delay) {
        handler.setDelayExpression(PARSER.parseExpression(delay));
        return this;
    }

    /**
     * Sets how long the service keeps each message.
     *
     * @param timeToLive how long, 1 second or more; -1 second for a message that never expires
     * @return this specification
     * @throws IllegalArgumentException if the time is out of range
     */
    public QueueOutboundSpec<T> timeToLive(Duration timeToLive) {
        if (!QueueMessageHandler.NEVER.equals(timeToLive)) {
            SendSettings.builder().timeToLive(timeToLive);
        }
        handler.setTimeToLiveExpression(new ValueExpression<>(timeToLive));
        return this;
    }

    /**
     * Sets how long the service keeps each message, by a function.
     *
     * @param timeToLive gives the time of a message, or {@code null} for the default of the service
     * @return this specification
     */
    public QueueOutboundSpec<T> timeToLiveFunction(Function<Message<T>, Duration> timeToLive) {
        handler.setTimeToLiveExpression(new FunctionExpression<>(timeToLive));
        return this;
    }

    /**
     * Sets how long the service keeps each message, by an expression.
     *
     * @param timeToLive an expression over the message; see {@link QueueMessageHandler#setTimeToLiveExpression}
     * @return this specification
     */
    public QueueOutboundSpec<T> timeToLiveExpression(String timeToLive) {
        handler.setTimeToLiveExpression(PARSER.parseExpression(timeToLive));
        return this;
    }

    /**
     * Sets how long the flow waits for the service; see {@link QueueMessageHandler#setSendTimeout}.
     *
     * @param sendTimeout the time, more than zero
     * @return this specification
     */
    public QueueOutboundSpec<T> sendTimeout(Duration sendTimeout) {
        handler.setSendTimeout(sendTimeout);
        return this;
    }
}
