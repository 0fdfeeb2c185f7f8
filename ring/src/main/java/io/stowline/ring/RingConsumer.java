package io.stowline.ring;

import io.stowline.queue.QueueConsumer;
import java.time.Duration;
import java.util.Map;

/**
 * A running consumer of a queue in all accounts: one {@link QueueConsumer} for each of them behind one door. An account that fails is
 * polled again at its own pace, and does not hold up the others.
 *
 * <p>Thread-safe.
 */
public interface RingConsumer extends AutoCloseable {

    /**
     * Returns the queue's name.
     *
     * @return the name
     */
    String queue();

    /**
     * Returns the consumers by the names of their accounts: for what is not offered here.
     *
     * @return the consumers; unmodifiable
     */
    Map<String, QueueConsumer> consumers();

    /** Stops polling and starting handlers in all accounts; see {@link QueueConsumer#pause}. */
    void pause();

    /** Polls all accounts again at once after a {@link #pause}. */
    void resume();

    /**
     * Returns whether the consumer is paused in all accounts.
     *
     * @return whether it polls only after {@link #resume}
     */
    boolean isPaused();

    /**
     * Returns what the consumers of all accounts have done and hold.
     *
     * @return the sums of the counts, the largest of the ages, and the failure of one of the polls with the name of its account
     */
    QueueConsumer.Stats stats();

    /**
     * Returns whether this thread may wait for the stop; see {@link QueueConsumer#canAwaitStop}.
     *
     * @return {@code false} where {@link #stop} and {@link #close} throw {@link IllegalStateException}
     */
    boolean canAwaitStop();

    /**
     * Stops the consumers of all accounts at once and waits for them; see {@link QueueConsumer#stop}.
     *
     * @param atMost the time for the handlers, 1 ms to 24 hours
     * @return the sums of what became of the messages that they had in hand
     * @throws IllegalArgumentException if the time is out of range
     * @throws IllegalStateException where {@link #canAwaitStop} is {@code false}; nothing is stopped then
     * @throws io.stowline.error.StorageInterruptedException if the waiting thread is interrupted; the stop goes on
     */
    QueueConsumer.StopReport stop(Duration atMost);

    /** Stops the consumers of all accounts; their handlers have 20 s. See {@link #stop}. */
    @Override
    void close();
}
