package io.stowline.queue.internal.consumer.polling;

import io.stowline.error.StorageException;
import io.stowline.error.internal.PrintableText;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.consumer.channel.MessageChannel;
import io.stowline.transport.internal.concurrent.SerialExecutor;
import io.stowline.transport.internal.concurrent.Stopwatch;
import io.stowline.transport.internal.concurrent.UserCode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** The polls of one queue of a consumer: the one in flight, and when the next one is due. Only in the serial executor. */
final class QueuePoller {

    private static final Logger LOG = LoggerFactory.getLogger(QueuePoller.class);
    private static final Duration BETWEEN_COUNTS = Duration.ofMinutes(1);

    /** A poll without a response after this time gives its slot back. */
    private static final Duration SLOW = Duration.ofSeconds(1);

    private final MessageChannel queue;
    private final QueuePollers.PollersOwner owner;
    private final SerialExecutor serial;
    private final Scheduler timer;
    private final PollPacer pacer;
    private final PollStats pollStats;
    private final Disposable.Swap alarm = Disposables.swap();
    private @Nullable Disposable poll;
    private int requested;
    private Duration lease = Duration.ZERO;
    private long turn;
    private boolean woken;
    private @Nullable String failing;
    private boolean busy;
    private Stopwatch since;
    private Duration delay = Duration.ZERO;
    private @Nullable Stopwatch sinceCount;

    QueuePoller(
            MessageChannel queue,
            QueuePollers.PollersOwner owner,
            SerialExecutor serial,
            Scheduler timer,
            PollPacer pacer,
            PollStats pollStats) {
        this.queue = queue;
        this.owner = owner;
        this.serial = serial;
        this.timer = timer;
        this.pacer = pacer;
        this.pollStats = pollStats;
        this.since = Stopwatch.start(timer);
    }

    String queue() {
        return queue.queue();
    }

    /** Returns whether a poll is in flight. */
    boolean isPolling() {
        return poll != null;
    }

    /** Returns the most messages of the poll in flight. */
    int requested() {
        return poll == null ? 0 : requested;
    }

    /** Returns whether the poll in flight takes unusually long. */
    boolean isSlow() {
        return poll != null && since.age().compareTo(SLOW) >= 0;
    }

    /** Returns whether the last poll failed. */
    boolean isFailing() {
        return failing != null;
    }

    /** Returns the number of its last poll among those of all queues. */
    long turn() {
        return turn;
    }

    /** Returns whether it is time for the next poll. */
    boolean isDue() {
        return poll == null && left().compareTo(Duration.ZERO) <= 0;
    }

    private Duration left() {
        return delay.minus(since.age());
    }

    /** Reports when it is time for the next poll. */
    void awaitDue() {
        if (poll == null) {
            pollStats.due(left());
            remind(left());
        }
    }

    /** Stops the time, as its messages could not be handled now. */
    void awaitCapacity() {
        if (poll == null) {
            pollStats.unwanted();
        }
    }

    private void remind(Duration time) {
        alarm.update(timer.schedule(() -> serial.execute(owner::advance), time.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Makes the next poll due: a message has come into the queue, or becomes visible there. */
    void wake() {
        pacer.reset();
        delay = Duration.ZERO;
        woken = true;
    }

    /** Delays the next poll, as its messages could not be handled. */
    void slowDown() {
        delay = pacer.afterFailure();
    }

    /**
     * Polls now.
     *
     * @param max how many messages it may bring
     * @param lease how long they are hidden
     * @param number its number among the polls of all queues
     */
    void poll(int max, Duration lease, long number) {
        woken = false;
        pollStats.due(Duration.ZERO);
        requested = max;
        this.lease = lease;
        turn = number;
        since = Stopwatch.start(timer);
        Disposable.Swap inFlight = Disposables.swap();
        poll = inFlight;
        try {
            inFlight.update(queue.receive(max, lease)
                    .subscribe(
                            messages -> serial.execute(() -> received(inFlight, messages)),
                            e -> serial.execute(() -> notReceived(inFlight, e))));
            countNowAndThen();
        } catch (Throwable e) {
            serial.execute(() -> notReceived(inFlight, e));
        }
    }

    /** Reports when the poll in flight counts as slow. */
    void awaitSlow() {
        if (poll != null) {
            remind(SLOW);
        }
    }

    /** Polls no more; the poll in flight goes on. */
    void stop() {
        alarm.dispose();
    }

    /** Gives the poll in flight up. */
    void cancel() {
        Disposable inFlight = poll;
        if (inFlight != null) {
            poll = null;
            inFlight.dispose();
        }
    }

    private void ended(Disposable from) {
        if (poll == from) {
            poll = null;
        }
        since = Stopwatch.start(timer);
    }

    private void received(Disposable from, List<DeliveredMessage> messages) {
        ended(from);
        if (failing != null) {
            LOG.info("polling {} works again", queue());
            failing = null;
        }
        busy |= !messages.isEmpty();
        if (messages.isEmpty()) {
            delay = woken ? Duration.ZERO : pacer.afterEmpty();
        } else if (owner.isRefusing()) {
            slowDown();
        } else {
            pacer.reset();
            delay = Duration.ZERO;
        }
        pollStats.polled(oldestAge(messages));
        owner.received(messages);
    }

    /** Computed by the service's clock, which shows in the end of the lease. */
    private @Nullable Duration oldestAge(List<DeliveredMessage> messages) {
        return messages.stream()
                .map(message -> Duration.between(
                        message.view().header().insertedAt(),
                        message.lease().visibleAt().minus(lease)))
                .max(Duration::compareTo)
                .map(age -> age.isNegative() ? Duration.ZERO : age)
                .orElse(null);
    }

    private void notReceived(Disposable from, Throwable error) {
        ended(from);
        String text = PrintableText.of(UserCode.text(error));
        String kind = kind(error);
        if (kind.equals(failing)) {
            LOG.debug("polling {} fails again", queue(), error);
        } else {
            LOG.warn("polling {} fails; it is tried again, more slowly: {}", queue(), text);
            LOG.debug("the failure of polling {}", queue(), error);
        }
        failing = kind;
        pollStats.failed(text);
        delay = pacer.afterFailure();
        owner.advance();
    }

    /** Equal for failures of one reason, whose texts differ by the request. */
    private static String kind(Throwable error) {
        String type = error.getClass().getName();
        return error instanceof StorageException refusal
                ? type + " " + refusal.failure().status() + " "
                        + refusal.failure().errorCode()
                : type;
    }

    /** Counts at most once a minute, and not while the queue is idle. */
    private void countNowAndThen() {
        Stopwatch last = sinceCount;
        if (busy && (last == null || last.age().compareTo(BETWEEN_COUNTS) >= 0)) {
            busy = false;
            sinceCount = Stopwatch.start(timer);
            queue.count().subscribe(pollStats::backlog, e -> LOG.debug("{} cannot be counted", queue(), e));
        }
    }
}
