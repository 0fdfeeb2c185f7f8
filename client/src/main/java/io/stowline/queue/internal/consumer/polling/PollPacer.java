package io.stowline.queue.internal.consumer.polling;

import static io.stowline.retry.internal.timeout.RenewalTimes.longer;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The waits between the polls of a consumer: none while messages come, and twice as long after each empty or failed
 * poll, up to a limit. After a failure it is 1 s at the least, however short the waits for messages are. The upper
 * fifth of each wait is random. Only in the serial executor.
 */
final class PollPacer {

    /** A fifth more than 1 s at the least, since the upper fifth of it is random. */
    private static final Duration AFTER_FAILURE = Duration.ofMillis(1_250);

    private static final Duration MAX_AFTER_FAILURES = Duration.ofSeconds(10);
    private static final double JITTER = 0.2;
    private static final int MAX_DOUBLINGS = 30;

    private final Duration min;
    private final Duration max;
    private final RandomGenerator random;
    private int idle;
    private int failed;

    PollPacer(Duration min, Duration max, RandomGenerator random) {
        this.min = min;
        this.max = max;
        this.random = random;
    }

    /** Resets the waits: messages came, or are about to. */
    void reset() {
        idle = 0;
        failed = 0;
    }

    /** Returns the wait after a poll without messages. */
    Duration afterEmpty() {
        failed = 0;
        return spread(min, max, idle++);
    }

    /** Returns the wait after a poll that failed. */
    Duration afterFailure() {
        return spread(longer(min, AFTER_FAILURE), longer(max, MAX_AFTER_FAILURES), failed++);
    }

    private Duration spread(Duration first, Duration limit, int doublings) {
        double grown = first.toNanos() * Math.pow(2, Math.min(doublings, MAX_DOUBLINGS));
        double limited = Math.min(grown, (double) limit.toNanos());
        return Duration.ofNanos((long) (limited * (1 - JITTER * random.nextDouble())));
    }
}
