package io.stowline.spring.boot.integration;

import io.stowline.queue.MessageQueue;
import io.stowline.queue.SendSettings;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.integration.expression.ExpressionUtils;
import org.springframework.integration.expression.ValueExpression;
import org.springframework.integration.handler.AbstractMessageHandler;
import org.springframework.messaging.Message;

/**
 * A message handler that sends the payloads of its messages to a queue, by the queue's codec. Headers are not sent.
 *
 * <pre>{@code
 * QueueMessageHandler<Order> handler = new QueueMessageHandler<>(orders);
 * handler.setSendTimeout(Duration.ofSeconds(10));
 * }</pre>
 *
 * <p>A message is in the queue when its handling returns. A failure is a {@code MessageHandlingException} with the
 * {@link io.stowline.error.StorageException} as its cause. A payload of another type than the queue's is refused by the codec, with an
 * {@link IllegalArgumentException} as the cause that names both. After a lost response the send is repeated, so that the queue may hold the message
 * twice; see {@link io.stowline.queue.SendResult#mayHaveRepeated}.
 *
 * <p>The handler blocks its thread until the service has confirmed the send. The setters are called before the start. Thread-safe otherwise.
 *
 * @param <T> the type of the payloads
 */
public final class QueueMessageHandler<T> extends AbstractMessageHandler {

    static final Duration NEVER = Duration.ofSeconds(-1);

    private static final Duration DEFAULT_TIME_TO_LIVE = Duration.ofDays(7);

    private MessageQueue<T> queue;
    private @Nullable Expression delay;
    private @Nullable Expression timeToLive;
    private @Nullable EvaluationContext evaluationContext;

    /**
     * Makes a handler.
     *
     * @param queue the queue, with its codec
     */
    public QueueMessageHandler(MessageQueue<T> queue) {
        this.queue = Objects.requireNonNull(queue, "queue");
    }

    /**
     * Sets how long each message is hidden at first.
     *
     * @param delay an expression over the message that gives a {@code Duration}, up to 7 days, or {@code null} for none; without one the message is
     *     visible at once
     */
    public void setDelayExpression(Expression delay) {
        this.delay = Objects.requireNonNull(delay, "delay");
    }

    /**
     * Sets how long the service keeps each message.
     *
     * @param timeToLive an expression over the message that gives a {@code Duration}, 1 second or more, or {@code null} for the default of the
     *     service, 7 days; -1 second for a message that never expires
     */
    public void setTimeToLiveExpression(Expression timeToLive) {
        this.timeToLive = Objects.requireNonNull(timeToLive, "timeToLive");
    }

    /**
     * Sets how long the flow waits for the service, retries included. A send that has not ended by then fails, and may be in the queue.
     *
     * @param sendTimeout the time, more than zero; by default the deadline of the queue's retry settings
     * @throws IllegalArgumentException if the time is out of range
     */
    public void setSendTimeout(Duration sendTimeout) {
        queue = queue.withRetry(retry -> retry.deadline(sendTimeout));
    }

    @Override
    public String getComponentType() {
        return "stowline:queue-outbound-channel-adapter";
    }

    @Override
    protected void onInit() {
        super.onInit();
        checkFixedTimes();
        evaluationContext = ExpressionUtils.createStandardEvaluationContext(getBeanFactory());
    }

    /** Two fixed times that exclude each other would fail every message. */
    private void checkFixedTimes() {
        Duration hidden = fixed(delay);
        Duration kept = timeToLive == null ? DEFAULT_TIME_TO_LIVE : fixed(timeToLive);
        if (hidden != null && kept != null && !kept.equals(NEVER) && hidden.compareTo(kept) >= 0) {
            throw new IllegalArgumentException("the delay of the handler for queue '" + queue.name() + "' is " + hidden
                    + " and must be less than its time to live, which is " + kept
                    + (timeToLive == null ? " by default" : ""));
        }
    }

    private static @Nullable Duration fixed(@Nullable Expression expression) {
        return expression instanceof ValueExpression<?> value && value.getValue() instanceof Duration time
                ? time
                : null;
    }

    @Override
    @SuppressWarnings("unchecked") // the codec refuses a payload of another type
    protected void handleMessageInternal(Message<?> message) {
        queue.send((T) message.getPayload(), settings -> settings(message, settings));
    }

    private SendSettings.Builder settings(Message<?> message, SendSettings.Builder settings) {
        evaluate("delay", delay, message, settings::delay);
        evaluate("time to live", timeToLive, message, time -> {
            if (time.equals(NEVER)) {
                settings.neverExpires();
            } else {
                settings.timeToLive(time);
            }
        });
        return settings;
    }

    private void evaluate(String name, @Nullable Expression expression, Message<?> message, Consumer<Duration> setter) {
        if (expression == null) {
            return;
        }
        EvaluationContext context =
                Objects.requireNonNull(evaluationContext, "the handler is not initialized: make a bean of it");
        Object value = expression.getValue(context, message);
        if (value instanceof Duration time) {
            setter.accept(time);
        } else if (value != null) {
            throw new IllegalArgumentException(
                    "the " + name + " of a message is a Duration, and '" + expression.getExpressionString()
                            + "' gives a " + value.getClass().getName());
        }
    }
}
