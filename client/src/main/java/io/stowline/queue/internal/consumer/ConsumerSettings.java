package io.stowline.queue.internal.consumer;

import io.stowline.retry.Backoff;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a consumer, whose builder has checked all values. Immutable.
 *
 * @param concurrency how many handlers run at a time
 * @param batchSize how many messages a handler gets at most
 * @param lease how long a receive or a renewal hides a message
 * @param maxHold how long a message is held at most
 * @param poisonAfter after how many failures a message is poison
 * @param retryDelay how long a failed message stays hidden
 * @param handlerTimeout how long a handler may run, or {@code null} for as long as the message is held
 * @param minPollDelay the wait after the first empty poll
 * @param maxPollDelay the longest wait between polls
 * @param stopTimeout how long a stop waits that is given no time
 */
public record ConsumerSettings(
        int concurrency,
        int batchSize,
        Duration lease,
        Duration maxHold,
        int poisonAfter,
        Backoff retryDelay,
        @Nullable Duration handlerTimeout,
        Duration minPollDelay,
        Duration maxPollDelay,
        Duration stopTimeout) {}
