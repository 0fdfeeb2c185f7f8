package io.stowline.queue;

import io.stowline.error.internal.PrintableText;
import io.stowline.retry.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A running consumer of a queue: it receives messages, has a handler work on them and ends them.
 *
 * <pre>{@code
 * try (QueueConsumer consumer = orders.consume(m -> ship(m.body()))
 *         .concurrency(16)
 *         .lease(Duration.ofSeconds(30))
 *         .poisonAfter(5)
 *         .start()) {
 *     Thread.sleep(60_000);
 * }
 * }</pre>
 *
 * <p><b>Results</b>: a handler that returns completes its message, which is deleted. One that throws has it received again after
 * {@link Builder#retryDelay}, unless {@link Builder#onFailure} decides otherwise. After {@link Builder#poisonAfter} failures the message goes to the queue {@code <name>-poison}, see
 * {@link MessageQueue#poison()}. A body that the codec cannot read goes there at once, and the handler does not see it.
 *
 * <p><b>Delivery</b> is at least once: a handler has to bear a message that was handled before. One consumer never runs two handlers for one
 * message at a time; two consumers of a queue do, also in one process, when the service ends a lease early. The lease of a message is renewed while its handler runs; when it is lost, the handler is interrupted, or its publisher
 * cancelled, and the message is not deleted. A message that was handled and whose deletion failed is deleted when it comes again.
 *
 * <p><b>Counts</b> of failures are kept in the memory of the client, since the body of a plain message is not changed: for 10,000 messages of all
 * its queues, 8 days after their last use at the longest. The consumers of a client share them, also one that is stopped and another one that is
 * started. Another client or process counts from zero. Across processes the dequeue count decides: a message
 * is poison once 10 of its deliveries (or twice {@code poisonAfter}, if that is more) ended without a result that this client knows of.
 * Deliveries by crashed processes, lost responses and lost leases are such, and so are all deliveries by other processes, graceful ones too.
 * Only an envelope can record how often a message was given back.
 *
 * <p><b>Polling</b>: at once while messages come. While none come, the wait doubles from {@link Builder#pollDelay} up to its limit, with
 * jitter. A {@code send} through the same client wakes the consumer. It receives up to 32 messages in a request, and ahead of its handlers only what
 * these are through with in a quarter of the lease.
 *
 * <p><b>Stopping</b>: {@link #stop} ends polling, gives back at once what no handler has, and waits for the handlers. Closing the client stops
 * its consumers before its writers.
 *
 * <p>Thread-safe.
 */
public interface QueueConsumer extends AutoCloseable {

    /**
     * Returns the queue's name.
     *
     * @return the name; of a sharded queue the one that its shards share
     */
    String queue();

    /**
     * Returns how many handlers run at a time at most.
     *
     * @return the number
     */
    int concurrency();

    /**
     * Changes how many handlers run at a time. Handlers that run beyond a lower number run to their end.
     *
     * @param concurrency 1 to 1,000
     * @throws IllegalArgumentException if the number is out of range
     */
    void concurrency(int concurrency);

    /**
     * Stops polling and starting handlers, and gives back at once what no handler has. Handlers that run go on. The call does not wait: a
     * handler that is being started on another thread may still begin, and {@link #isPaused} may be true a moment later.
     */
    void pause();

    /** Polls again at once after a {@link #pause}. */
    void resume();

    /**
     * Returns whether the consumer is paused.
     *
     * @return whether it polls only after {@link #resume}
     */
    boolean isPaused();

    /**
     * Returns what the consumer has done and holds.
     *
     * @return the present figures
     */
    Stats stats();

    /**
     * Stops the consumer and waits for it: polling ends, what no handler has is given back at once, and the handlers have the time to end. At
     * the deadline they are interrupted or cancelled, and their messages are received again when their leases have ended. May be called
     * again; calls share the stop, and a shorter time shortens it. A handler
     * cannot wait for the stop of the consumer that runs it, and a listener of the client not for any; they use {@link #stopAsync}. A refused
     * stop changes nothing. On a thread of a handler that the library does not know, the stop takes all its time; see {@link #canAwaitStop}.
     *
     * @param atMost the time for the handlers, 1 ms to 24 hours
     * @return what became of the messages that it held
     * @throws IllegalArgumentException if the time is out of range
     * @throws IllegalStateException where {@link #canAwaitStop} is {@code false}
     * @throws io.stowline.error.StorageInterruptedException if the waiting thread is interrupted; the stop goes on
     */
    StopReport stop(Duration atMost);

    /**
     * Stops the consumer without blocking; see {@link #stop}. A handler may subscribe to it by itself. As a part of what a handler of this
     * consumer returns it ends with {@link IllegalStateException}, and stops nothing; so do {@code block()}, {@code toIterable()},
     * {@code toStream()} and {@code toFuture()} where {@link #canAwaitStop} is {@code false}.
     *
     * @param atMost the time for the handlers, 1 ms to 24 hours
     * @return what became of the messages that it held; the stop begins with the subscription, and cancelling does not end it
     * @throws IllegalArgumentException if the time is out of range
     */
    Mono<StopReport> stopAsync(Duration atMost);

    /**
     * Returns whether this thread may wait for the stop: {@link #stop} and {@link #close} throw {@link IllegalStateException} where it may
     * not. The library knows a thread that runs a blocking handler, subscribes to what a reactive one returns or delivers results of the client
     * to it. It does not know other threads of a reactive handler, such as those of {@code subscribeOn} and of the results of a writer.
     *
     * @return {@code false} in a handler of this consumer and in a {@link io.stowline.observe.StowlineListener}, as far as this is known, and on a
     *     thread that must not block, such as those of {@code Schedulers.parallel()}
     */
    boolean canAwaitStop();

    /**
     * Stops the consumer; its handlers have the builder's {@link Builder#stopTimeout}.
     *
     * @throws IllegalStateException where {@link #canAwaitStop} is {@code false}
     * @throws io.stowline.error.StorageInterruptedException if the waiting thread is interrupted; the stop goes on
     */
    @Override
    void close();

    /**
     * A blocking handler of messages: of single ones, or of a {@link Batch}. It is called by many threads at a time.
     *
     * @param <M> a {@link MessageLease} or a {@link Batch}
     */
    @FunctionalInterface
    interface Handler<M> {

        /**
         * Handles a message or a batch. Returning completes the message, or those of the batch that {@link Batch#fail} has not named and
         * that were not ended one by one; an exception has them received again.
         *
         * @param received the message or the batch
         * @throws Exception if they are to be received again
         */
        void handle(M received) throws Exception;
    }

    /**
     * Messages that are handled together. Not thread-safe.
     *
     * @param <T> the type of the bodies
     */
    interface Batch<T> {

        /**
         * Returns the messages.
         *
         * @return one or more, unmodifiable
         */
        List<MessageLease<T>> messages();

        /**
         * Has one message fail, whatever becomes of the others: it is received again, or is poison after too many failures.
         *
         * @param message one of the messages
         * @param cause why
         * @throws IllegalArgumentException if the message is not one of this batch
         */
        void fail(MessageLease<T> message, Throwable cause);
    }

    /**
     * A handler that decides on the consequence of failures. It is called by many threads at a time, on the thread that ends the handler, and must not
     * block. It cannot wait for the stop of its consumer or the end of its client, as a handler cannot.
     */
    @FunctionalInterface
    interface FailureHandler {

        /**
         * Decides on one failure. What it throws is logged, and the failure counts.
         *
         * @param failure the failure
         * @return the consequence
         */
        FailureAction onFailure(Failure failure);
    }

    /**
     * The failure of a message's handling: what the handler threw or its publisher signalled, or the cause given to {@link Batch#fail}.
     *
     * @param queue the queue's name
     * @param messageId the id that the service gave the message
     * @param dequeueCount how many times the message was received, by any client
     * @param error the failure
     */
    record Failure(String queue, String messageId, long dequeueCount, Throwable error) {

        /** Describes the failure in one line. */
        @Override
        public String toString() {
            return PrintableText.of("Failure[queue=" + queue + ", messageId=" + messageId + ", dequeueCount="
                    + dequeueCount + ", error=" + error + "]");
        }
    }

    /** The consequence of a failure. */
    enum FailureAction {
        /** The failure counts: the message is received again after the retry delay, or is poison after too many failures. */
        RETRY,
        /** The failure does not count: the message is received again after a delay that grows by {@link Builder#retryDelay}. */
        GIVE_BACK,
        /** The message goes to the poison queue at once. */
        POISON
    }

    /**
     * The ends of the messages that a consumer had in hand when it was stopped.
     *
     * @param completed how many were handled
     * @param failed how many failed, or were lost
     * @param released how many were given back without having been handled
     * @param abandoned how many had a handler that did not end in time, or whose end the service had not confirmed in
     *     time; those of them that the service has not deleted or shown are received again when their leases have ended
     */
    record StopReport(long completed, long failed, long released, long abandoned) {}

    /**
     * The figures of a consumer at one moment. The counts are those since its start.
     *
     * @param handlersRunning how many handlers run
     * @param messagesInHand how many messages it holds
     * @param completed how many deliveries were handled
     * @param retried how many failed and are received again
     * @param poisoned how many went to the poison queue
     * @param poisonFailed how many were to go to the poison queue and stay, since their copy failed; they are received again
     * @param released how many were given back without having been handled
     * @param lost how many were lost before their handling had ended; one that is handled and whose deletion finds it
     *     with another client is completed, although the tasks of {@link MessageLease#onLost} run
     * @param backlog about how many messages the queue, or all shards, have, hidden ones too, read at most once a
     *     minute and not while it is idle
     * @param pollAge how long a poll has been due without a response; zero while none is due, as when all handlers are busy; of
     *     several shards the longest time
     * @param oldestMessageAge the age of the oldest message of the last poll, by the service's clock; zero if that received none
     * @param pollFailure why the last poll failed, as the class and the message of its error; {@code null} if it did not fail
     */
    record Stats(
            int handlersRunning,
            int messagesInHand,
            long completed,
            long retried,
            long poisoned,
            long poisonFailed,
            long released,
            long lost,
            long backlog,
            Duration pollAge,
            Duration oldestMessageAge,
            @Nullable String pollFailure) {

        /** Describes the figures in one line. */
        @Override
        public String toString() {
            return PrintableText.of("Stats[handlersRunning=" + handlersRunning + ", messagesInHand=" + messagesInHand
                    + ", completed=" + completed + ", retried=" + retried + ", poisoned=" + poisoned + ", poisonFailed="
                    + poisonFailed + ", released=" + released + ", lost=" + lost + ", backlog=" + backlog + ", pollAge="
                    + pollAge
                    + ", oldestMessageAge=" + oldestMessageAge + ", pollFailure=" + pollFailure + "]");
        }
    }

    /** A builder that collects the settings of a consumer; every setter checks its value at once. Not thread-safe. */
    interface Builder {

        /**
         * Sets how many handlers run at a time at most.
         *
         * @param concurrency 1 to 1,000; the default is 16
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        Builder concurrency(int concurrency);

        /**
         * Sets how long a receive or a renewal hides a message. A short lease lets others take over soon after a crash.
         *
         * @param lease 10 s to 7 days, in whole seconds, rounded up; the default is 30 s
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        Builder lease(Duration lease);

        /**
         * Sets how long a message is held at most, renewals included. A handler that still runs then has lost its message.
         *
         * @param maxHold 10 s to 7 days, not less than the lease; the default is 1 hour
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        Builder maxHold(Duration maxHold);

        /**
         * Sets after how many failures a message goes to the poison queue; see {@link QueueConsumer} for what is counted.
         *
         * @param poisonAfter 1 to 1,000; the default is 5
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        Builder poisonAfter(int poisonAfter);

        /**
         * Sets how long a failed message stays hidden before it is received again: the first delay after its first failure, and so on. The
         * service counts in whole seconds; a fraction is rounded up.
         *
         * @param retryDelay the delays, each up to 7 days for as many failures as {@link #poisonAfter}; the default is {@link Backoff#standard()}, {@link Backoff#none()} is at once
         * @return this builder
         */
        Builder retryDelay(Backoff retryDelay);

        /**
         * Sets how long a handler may run. Then it is interrupted or cancelled, and its message has failed. Its slot stays taken until it has
         * returned.
         *
         * @param handlerTimeout 1 ms to 7 days; the default is as long as the message is held
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        Builder handlerTimeout(Duration handlerTimeout);

        /**
         * Sets the waits between polls while no messages come: the first one, and the limit to which they double. Up to a fifth of each wait is
         * left out at random. With the default an idle consumer polls 6 to 8 times a minute, and receives a message of another process
         * within 10 s.
         *
         * @param min 10 ms to 10 minutes; the default is 100 ms
         * @param max at least {@code min}, up to 10 minutes; the default is 9.5 s
         * @return this builder
         * @throws IllegalArgumentException if a time is out of range
         */
        Builder pollDelay(Duration min, Duration max);

        /**
         * Sets what decides on failures: some exceptions are poison at once, others no fault of the message.
         *
         * <pre>{@code
         * orders.consume(m -> ship(m.body()))
         *         .onFailure(failure -> failure.error() instanceof IllegalArgumentException
         *                 ? QueueConsumer.FailureAction.POISON
         *                 : QueueConsumer.FailureAction.RETRY)
         *         .start();
         * }</pre>
         *
         * <p>A handler that exceeds {@link #handlerTimeout}, and a body that cannot be read, have their consequences without it. The consumer
         * logs each failure at WARN by its class and message, and its stack trace at DEBUG.
         *
         * @param failureHandler decides; by default each failure counts
         * @return this builder
         */
        Builder onFailure(FailureHandler failureHandler);

        /**
         * Sets how long {@link QueueConsumer#close} and the closing of the client wait for handlers.
         *
         * @param stopTimeout 1 ms to 24 hours; the default is 20 s
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        Builder stopTimeout(Duration stopTimeout);

        /**
         * Sets what runs the handler. It must start each task at once on another thread than its caller's: a task that waits in a queue of the
         * executor holds its message without working on it. A blocking handler that the executor runs on its caller's thread, as {@code Runnable::run}
         * and {@code CallerRunsPolicy} do, would hold up the consumer and its stop: {@link #start} gives the executor a task that does nothing, and
         * refuses it if it does so. Later such a handler counts as rejected, and its message is received again. An executor that is given is not closed.
         *
         * @param executor the executor; the default is virtual threads where the JVM has them and else daemon threads, one for each blocking
         *     handler that runs, and the client's callback threads for reactive handlers
         * @return this builder
         */
        Builder executor(Executor executor);

        /**
         * Starts the consumer.
         *
         * @return the consumer, which polls from now on
         * @throws IllegalArgumentException if {@code maxHold} is less than the lease, a {@code retryDelay} can be longer than 7 days, or the
         *     executor runs blocking handlers on its caller's thread
         * @throws io.stowline.error.ClosedException if the client is closed or closing
         */
        QueueConsumer start();
    }
}
