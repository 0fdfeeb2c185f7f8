package io.stowline.queue.internal.client;

import io.stowline.error.internal.SettingRanges;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.consumer.ConsumerEngine;
import io.stowline.queue.internal.consumer.ConsumerSettings;
import io.stowline.queue.internal.consumer.channel.MessageChannel;
import io.stowline.queue.internal.consumer.handler.JudgedHandling;
import io.stowline.queue.internal.consumer.handler.MessageHandling;
import io.stowline.queue.internal.rule.QueueTimeLimits;
import io.stowline.retry.Backoff;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** {@link QueueConsumer.Builder} that starts the consumer of a {@link QueueContext}. */
final class DefaultConsumerBuilder implements QueueConsumer.Builder {

    static final int MAX_CONCURRENCY = 1_000;
    static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration MIN_LEASE = Duration.ofSeconds(10);
    private static final Duration MAX = Duration.ofDays(7);
    private static final Duration MIN_POLL = Duration.ofMillis(10);
    private static final Duration MAX_POLL = Duration.ofMinutes(10);
    private final QueueContext<?> context;
    private Supplier<MessageChannel> channel;
    private final int batchSize;
    private final Executor usualExecutor;
    private final UnaryOperator<Executor> check;
    private final Function<Executor, MessageHandling> handling;
    private int concurrency = 16;
    private Duration lease = QueueTimeLimits.DEFAULT_LEASE;
    private Duration maxHold = Duration.ofHours(1);
    private int poisonAfter = 5;
    private Backoff retryDelay = Backoff.standard();
    private @Nullable Duration handlerTimeout;
    private Duration minPoll = Duration.ofMillis(100);
    private Duration maxPoll = Duration.ofMillis(9_500);
    private Duration stopTimeout = Duration.ofSeconds(20);
    private @Nullable Executor executor;
    private QueueConsumer.@Nullable FailureHandler failureHandler;

    DefaultConsumerBuilder(
            QueueContext<?> context,
            int batchSize,
            Executor usualExecutor,
            UnaryOperator<Executor> check,
            Function<Executor, MessageHandling> handling) {
        this.context = context;
        this.channel = context::channel;
        this.batchSize = batchSize;
        this.usualExecutor = usualExecutor;
        this.check = check;
        this.handling = handling;
    }

    /** Sets another channel. */
    DefaultConsumerBuilder over(Supplier<MessageChannel> other) {
        channel = other;
        return this;
    }

    @Override
    public QueueConsumer.Builder concurrency(int concurrency) {
        this.concurrency = SettingRanges.between("concurrency", concurrency, 1, MAX_CONCURRENCY);
        return this;
    }

    @Override
    public QueueConsumer.Builder lease(Duration lease) {
        SettingRanges.between("lease", lease, MIN_LEASE, MAX);
        this.lease = QueueTimeLimits.delay(lease);
        return this;
    }

    @Override
    public QueueConsumer.Builder maxHold(Duration maxHold) {
        this.maxHold = SettingRanges.between("maxHold", maxHold, MIN_LEASE, MAX);
        return this;
    }

    @Override
    public QueueConsumer.Builder poisonAfter(int poisonAfter) {
        this.poisonAfter = SettingRanges.between("poisonAfter", poisonAfter, 1, 1_000);
        return this;
    }

    @Override
    public QueueConsumer.Builder retryDelay(Backoff retryDelay) {
        this.retryDelay = Objects.requireNonNull(retryDelay, "retryDelay");
        return this;
    }

    @Override
    public QueueConsumer.Builder handlerTimeout(Duration handlerTimeout) {
        this.handlerTimeout = SettingRanges.between("handlerTimeout", handlerTimeout, MILLISECOND, MAX);
        return this;
    }

    @Override
    public QueueConsumer.Builder pollDelay(Duration min, Duration max) {
        SettingRanges.between("pollDelay: min", min, MIN_POLL, MAX_POLL);
        this.maxPoll = SettingRanges.between("pollDelay: max", max, min, MAX_POLL);
        this.minPoll = min;
        return this;
    }

    @Override
    public QueueConsumer.Builder onFailure(QueueConsumer.FailureHandler failureHandler) {
        this.failureHandler = Objects.requireNonNull(failureHandler, "failureHandler");
        return this;
    }

    @Override
    public QueueConsumer.Builder stopTimeout(Duration stopTimeout) {
        this.stopTimeout =
                SettingRanges.between("stopTimeout", stopTimeout, MILLISECOND, DefaultQueueConsumer.MAX_STOP);
        return this;
    }

    @Override
    public QueueConsumer.Builder executor(Executor executor) {
        this.executor = Objects.requireNonNull(executor, "executor");
        return this;
    }

    @Override
    public QueueConsumer start() {
        if (maxHold.compareTo(lease) < 0) {
            throw new IllegalArgumentException("maxHold is " + maxHold + " and must be at least lease, " + lease);
        }
        if (!retryDelay.isNone()) {
            SettingRanges.between("retryDelay", retryDelay.max(poisonAfter), Duration.ZERO, MAX);
        }
        ConsumerSettings settings = new ConsumerSettings(
                concurrency,
                batchSize,
                lease,
                maxHold,
                poisonAfter,
                retryDelay,
                handlerTimeout,
                minPoll,
                maxPoll,
                stopTimeout);
        Executor chosen = executor == null ? usualExecutor : check.apply(executor);
        ConsumerEngine started = context.consumers()
                .start(
                        settings,
                        channel.get(),
                        context.format().envelope(),
                        message -> context.read(message, lease),
                        judged(handling.apply(chosen)));
        return new DefaultQueueConsumer(started, context.callbacks());
    }

    private MessageHandling judged(MessageHandling plain) {
        QueueConsumer.FailureHandler decides = failureHandler;
        return decides == null
                ? plain
                : new JudgedHandling(plain, (message, error) -> action(decides, message.header(), error));
    }

    private static QueueConsumer.FailureAction action(
            QueueConsumer.FailureHandler decides, MessageHeader message, Throwable error) {
        return Objects.requireNonNull(
                decides.onFailure(
                        new QueueConsumer.Failure(message.queue(), message.id(), message.dequeueCount(), error)),
                "the result of onFailure");
    }
}
