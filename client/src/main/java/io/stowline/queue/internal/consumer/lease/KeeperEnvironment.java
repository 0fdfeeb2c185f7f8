package io.stowline.queue.internal.consumer.lease;

import io.stowline.queue.internal.body.EnvelopeFormat;
import io.stowline.queue.internal.consumer.channel.MessageChannel;
import io.stowline.transport.internal.concurrent.SerialExecutor;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The environment that the keepers of one consumer share.
 *
 * @param channel the queue
 * @param envelopes the form of envelopes, or {@code null} if messages have none
 * @param serial runs their steps
 * @param timer the clock and alarm of leases
 * @param random draws the jitter
 * @param callbacks runs the application's callbacks for a loss
 * @param lease how long a message stays hidden by a receive or a renewal
 * @param maxHold the longest time for which a message is kept
 */
public record KeeperEnvironment(
        MessageChannel channel,
        @Nullable EnvelopeFormat envelopes,
        SerialExecutor serial,
        Scheduler timer,
        RandomGenerator random,
        Executor callbacks,
        Duration lease,
        Duration maxHold) {

    /** Returns whether bodies are read from blobs. */
    public boolean readsBodies() {
        return EnvelopeFormat.bodiesOf(envelopes) != null;
    }
}
