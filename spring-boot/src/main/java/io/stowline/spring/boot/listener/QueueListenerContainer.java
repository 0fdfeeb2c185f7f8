package io.stowline.spring.boot.listener;

import io.stowline.queue.QueueConsumer;
import io.stowline.queue.QueueConsumer.StopReport;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The container of one listener: it runs the {@link QueueConsumer} that calls the listener's method. The {@link StowlineQueueListenerRegistry}
 * has it under the listener's id, starts it with the application context and stops it with the context.
 *
 * <p>Thread-safe.
 */
public final class QueueListenerContainer {

    private static final Logger LOG = LoggerFactory.getLogger(QueueListenerContainer.class);
    private static final StopReport NOTHING = new StopReport(0, 0, 0, 0);
    private static final QueueConsumer.Stats NO_STATS =
            new QueueConsumer.Stats(0, 0, 0, 0, 0, 0, 0, 0, 0, Duration.ZERO, Duration.ZERO, null);

    private final String id;
    private final String account;
    private final String queue;
    private final String method;
    private final ListenerSettings settings;
    private final ListenerLauncher launcher;
    private @Nullable RunningConsumer running;
    private int stops;
    private QueueConsumer.Stats before = NO_STATS;
    private @Nullable Integer concurrency;

    /** A launcher of the consumer of a container. */
    interface ListenerLauncher {

        /**
         * Starts a consumer.
         *
         * @throws StowlineConfigurationException if the listener cannot start as it is declared
         */
        RunningConsumer launch();
    }

    /**
     * A consumer and what ends with it.
     *
     * @param consumer the consumer
     * @param release ends its threads
     */
    record RunningConsumer(QueueConsumer consumer, Runnable release) {}

    QueueListenerContainer(
            String id,
            String account,
            String queue,
            String method,
            ListenerSettings settings,
            ListenerLauncher launcher) {
        this.id = id;
        this.account = account;
        this.queue = queue;
        this.method = method;
        this.settings = settings;
        this.launcher = launcher;
    }

    /**
     * Returns the listener's id.
     *
     * @return the id
     */
    public String id() {
        return id;
    }

    /**
     * Returns the account of the queue.
     *
     * @return the name below {@code stowline.accounts}; {@code stowline} for the default account
     */
    public String account() {
        return account;
    }

    /**
     * Returns the queue.
     *
     * @return its name
     */
    public String queue() {
        return queue;
    }

    /** Returns the method and its bean, for messages. */
    String method() {
        return method;
    }

    ListenerSettings settings() {
        return settings;
    }

    /**
     * Starts the listener. If it runs, this does nothing.
     *
     * @throws IllegalStateException naming bean and method if a stop has not ended, or the application context is closed
     * @throws RuntimeException naming bean, method and reason if it cannot start: the queue is missing, or a setting is out of range
     */
    public synchronized void start() {
        if (stops > 0) {
            throw new IllegalStateException(method + " cannot start: its stop has not ended.");
        }
        if (running != null) {
            return;
        }
        RunningConsumer started = launcher.launch();
        if (concurrency != null) {
            started.consumer().concurrency(concurrency);
        }
        running = started;
    }

    /**
     * Stops the listener within its stop timeout; see {@link #stop(Duration)}.
     *
     * @return what became of the messages that it held; all zero if it did not run
     * @throws IllegalStateException in the listener's method, as {@link QueueConsumer#canAwaitStop} has it, or on a thread that must not block;
     *     nothing is stopped then
     * @throws io.stowline.error.StorageInterruptedException if the waiting thread is interrupted; the stop goes on
     */
    public StopReport stop() {
        return stop(settings.stopTimeout());
    }

    /**
     * Stops the listener; see {@link QueueConsumer#stop}. It can be started again once the stop has ended. The method of the listener cannot
     * wait for the stop; it uses {@link #stopAsync(Duration)}.
     *
     * @param atMost the time for the handlers, 1 ms to 24 hours
     * @return what became of the messages that it held; all zero if it did not run
     * @throws IllegalArgumentException if the time is out of range
     * @throws IllegalStateException in the listener's method, as {@link QueueConsumer#canAwaitStop} has it, or on a thread that must not block;
     *     nothing is stopped then
     * @throws io.stowline.error.StorageInterruptedException if the waiting thread is interrupted; the stop goes on
     */
    public StopReport stop(Duration atMost) {
        RunningConsumer ending = running();
        if (ending == null) {
            return NOTHING;
        }
        if (!ending.consumer().canAwaitStop() || Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException("this thread cannot wait for the stop of the listener '" + id
                    + "': it runs the listener's method, or must not block; stopAsync(..) does not wait");
        }
        // The wait may be interrupted, and the stop ends all the same.
        stopAsync(ending, atMost).onErrorComplete().subscribe();
        StopReport report = ending.consumer().stop(atMost);
        stopped(ending, report);
        return report;
    }

    /**
     * Stops the listener within its stop timeout without blocking; see {@link #stopAsync(Duration)}.
     *
     * @return what became of the messages that it held; all zero if it did not run
     */
    public Mono<StopReport> stopAsync() {
        return stopAsync(settings.stopTimeout());
    }

    /**
     * Stops the listener without blocking; see {@link QueueConsumer#stopAsync}. The listener's method may subscribe to it by itself. As a part
     * of what the method returns it ends with {@link IllegalStateException}, and stops nothing.
     *
     * @param atMost the time for the handlers, 1 ms to 24 hours; another one ends it with {@link IllegalArgumentException}
     * @return what became of the messages that it held, all zero if it did not run; the stop begins with the subscription, and cancelling does
     *     not end it
     */
    public Mono<StopReport> stopAsync(Duration atMost) {
        return Mono.defer(() -> {
            RunningConsumer ending = running();
            return ending == null ? Mono.just(NOTHING) : stopAsync(ending, atMost);
        });
    }

    /** Cached, so that the stop runs on after its subscriber has cancelled. */
    private Mono<StopReport> stopAsync(RunningConsumer ending, Duration atMost) {
        return ending.consumer()
                .stopAsync(atMost)
                .doOnSubscribe(begun -> stopping(ending, 1))
                .doOnNext(report -> stopped(ending, report))
                .doOnError(refused -> stopping(ending, -1))
                .cache();
    }

    /** Returns the end of the stop, never an error; a thread that the stop would wait for does not wait for it. */
    Mono<Void> end() {
        Mono<Void> end = stopAsync()
                .onErrorResume(e -> {
                    LOG.warn("The listener '{}' did not stop", id, e);
                    return Mono.empty();
                })
                .then();
        RunningConsumer ending = running();
        if (ending == null || ending.consumer().canAwaitStop()) {
            return end;
        }
        LOG.info("The method of the listener '{}' stops it, which does not wait for the method", id);
        end.subscribe();
        return Mono.empty();
    }

    private synchronized @Nullable RunningConsumer running() {
        return running;
    }

    private synchronized void stopping(RunningConsumer ending, int more) {
        if (ending.equals(running)) {
            stops += more;
        }
    }

    private synchronized void stopped(RunningConsumer ended, StopReport report) {
        if (ended.equals(running)) {
            before = counts(sum(before, ended.consumer().stats()));
            running = null;
            stops = 0;
            ended.release().run();
            LOG.info("The listener '{}' is stopped: {}", id, report);
        }
    }

    /**
     * Returns whether the listener runs, paused or not.
     *
     * @return whether it is started; {@code true} until a stop has ended
     */
    public boolean isRunning() {
        return running() != null;
    }

    /**
     * Returns whether the listener is paused.
     *
     * @return whether it runs and polls only after {@link #resume}
     */
    public boolean isPaused() {
        RunningConsumer now = running();
        return now != null && now.consumer().isPaused();
    }

    /**
     * Pauses the listener; see {@link QueueConsumer#pause}.
     *
     * @throws IllegalStateException if it does not run
     */
    public void pause() {
        consumer().pause();
    }

    /**
     * Polls again after a {@link #pause}.
     *
     * @throws IllegalStateException if it does not run
     */
    public void resume() {
        consumer().resume();
    }

    /**
     * Returns how many handlers run at a time at most.
     *
     * @return the number; batches for a batch method
     * @throws IllegalStateException if it does not run
     */
    public int concurrency() {
        return consumer().concurrency();
    }

    /**
     * Changes how many handlers run at a time, also after the next start.
     *
     * @param concurrency 1 to 1,000
     * @throws IllegalArgumentException if the number is out of range
     * @throws IllegalStateException if it does not run
     */
    public synchronized void concurrency(int concurrency) {
        consumer().concurrency(concurrency);
        this.concurrency = concurrency;
    }

    private QueueConsumer consumer() {
        RunningConsumer now = running();
        if (now == null) {
            throw new IllegalStateException("the listener '" + id + "' does not run");
        }
        return now.consumer();
    }

    /**
     * Returns what the listener has done and holds. Its counts go on over stops and starts.
     *
     * @return the present figures; what describes the present is zero while it does not run
     */
    public synchronized QueueConsumer.Stats stats() {
        RunningConsumer now = running;
        return now == null ? before : sum(before, now.consumer().stats());
    }

    private static QueueConsumer.Stats counts(QueueConsumer.Stats all) {
        return new QueueConsumer.Stats(
                0,
                0,
                all.completed(),
                all.retried(),
                all.poisoned(),
                all.poisonFailed(),
                all.released(),
                all.lost(),
                0,
                Duration.ZERO,
                Duration.ZERO,
                null);
    }

    /** Returns the sums of both counts, and the other figures of the second. */
    private static QueueConsumer.Stats sum(QueueConsumer.Stats earlier, QueueConsumer.Stats latest) {
        return new QueueConsumer.Stats(
                latest.handlersRunning(),
                latest.messagesInHand(),
                earlier.completed() + latest.completed(),
                earlier.retried() + latest.retried(),
                earlier.poisoned() + latest.poisoned(),
                earlier.poisonFailed() + latest.poisonFailed(),
                earlier.released() + latest.released(),
                earlier.lost() + latest.lost(),
                latest.backlog(),
                latest.pollAge(),
                latest.oldestMessageAge(),
                latest.pollFailure());
    }

    /**
     * Returns how long a poll of the listener has been due without a response. It is zero while all handlers are busy, while the
     * listener is paused or stops, and while it does not run.
     *
     * @return the time
     */
    public synchronized Duration unansweredFor() {
        RunningConsumer now = running;
        if (now == null || stops > 0 || now.consumer().isPaused()) {
            return Duration.ZERO;
        }
        return now.consumer().stats().pollAge();
    }

    /**
     * Returns how long the listener waits between polls at most while no messages come.
     *
     * @return the longest wait
     */
    public Duration maxPollDelay() {
        return settings.maxPollDelay();
    }

    @Override
    public String toString() {
        return "QueueListenerContainer[" + id + "]";
    }
}
