package io.stowline.queue.internal.consumer.polling;

import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.consumer.channel.MessageChannel;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.concurrent.SerialExecutor;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import reactor.core.scheduler.Scheduler;

/**
 * The polls of all queues of a consumer: which queue is polled next, and for how many messages. Only in the serial executor, but for
 * {@link #wake}.
 */
public final class QueuePollers {

    /** The listener to polls, in the serial executor. */
    public interface PollersOwner {

        /** Reports that a poll may be due. */
        void advance();

        /** Takes the messages of a poll, perhaps none. */
        void received(List<DeliveredMessage> messages);

        /** Returns whether messages cannot be handled at present. */
        boolean isRefusing();
    }

    /**
     * The pace of a queue's polls.
     *
     * @param lease how long a receive hides a message
     * @param min the wait after the first empty poll
     * @param max the longest wait between polls
     */
    public record Pace(Duration lease, Duration min, Duration max) {}

    /**
     * The demand of handlers for messages.
     *
     * @param slots how many messages they have at a time at most
     * @param free how many more they can have now
     * @param waiting how many wait for them
     */
    public record Demand(int slots, int free, int waiting) {}

    private final PollersOwner owner;
    private final SerialExecutor serial;
    private final Duration lease;
    private final Prefetch prefetch;
    private final List<QueuePoller> pollers;
    private long polls;

    /**
     * Pollers that have not polled yet.
     *
     * @param figures makes the figures of one queue
     */
    public QueuePollers(
            List<MessageChannel> queues,
            PollersOwner owner,
            SerialExecutor serial,
            Scheduler timer,
            RandomGenerator random,
            Pace pace,
            Supplier<PollStats> figures) {
        this.owner = owner;
        this.serial = serial;
        this.lease = pace.lease();
        this.prefetch = new Prefetch(lease);
        this.pollers = queues.stream()
                .map(queue -> new QueuePoller(
                        queue, owner, serial, timer, new PollPacer(pace.min(), pace.max(), random), figures.get()))
                .toList();
    }

    /** Polls this queue at once, if it is one of the consumer's: a message has come, or becomes visible. */
    public void wake(String queue) {
        for (QueuePoller poller : pollers) {
            if (poller.queue().equals(queue)) {
                serial.execute(() -> {
                    poller.wake();
                    owner.advance();
                });
            }
        }
    }

    /** Makes the next poll of each queue due. */
    public void wakeAll() {
        pollers.forEach(QueuePoller::wake);
    }

    /** Delays the next polls, as their messages could not be handled. */
    public void slowDown() {
        pollers.forEach(QueuePoller::slowDown);
    }

    /** Takes the time of a handling. */
    public void handled(Duration time) {
        prefetch.measured(time);
    }

    /** Forgets the measured times, after messages have waited in vain. */
    public void stalled() {
        prefetch.reset();
    }

    /** Polls no more; polls in flight go on. */
    public void stop() {
        pollers.forEach(QueuePoller::stop);
    }

    /** Gives the polls in flight up. */
    public void cancel() {
        pollers.forEach(QueuePoller::cancel);
    }

    /** Returns whether a poll is in flight. */
    public boolean isPolling() {
        return pollers.stream().anyMatch(QueuePoller::isPolling);
    }

    /** Stops the time of the polls, as more messages could not be handled now. */
    public void awaitCapacity() {
        pollers.forEach(QueuePoller::awaitCapacity);
    }

    /**
     * Polls the due queues, the one polled least recently first: a full receive for one is worth more than a part for
     * each.
     */
    public void pollIfDue(Demand demand) {
        int worth = worth(demand);
        if (wanted(demand) < worth) {
            awaitCapacity();
            return;
        }
        List<QueuePoller> due = pollers.stream()
                .filter(QueuePoller::isDue)
                .sorted(Comparator.comparingLong(QueuePoller::turn))
                .toList();
        int shares = due.size();
        for (QueuePoller poller : due) {
            int wanted = wanted(demand);
            if (wanted < worth) {
                break;
            }
            int share = Math.max(worth, (wanted + shares - 1) / shares);
            poll(poller, Math.min(StorageLimits.RECEIVE_MAX_MESSAGES, Math.min(wanted, share)));
            shares--;
        }
        pollers.forEach(wanted(demand) >= worth ? QueuePoller::awaitDue : QueuePoller::awaitCapacity);
    }

    private void poll(QueuePoller poller, int max) {
        // A queue whose polls hang takes one slot at most from the others. What cannot be handled would count as
        // delivered.
        boolean cautious = owner.isRefusing() || (poller.isFailing() && pollers.size() > 1);
        poller.poll(cautious ? 1 : max, lease, ++polls);
        if (pollers.size() > 1) {
            poller.awaitSlow();
        }
    }

    private int ahead(Demand demand) {
        return prefetch.limit(demand.slots());
    }

    /** Leaves out the messages that polls in flight may get, unless the polls are slow. */
    private int wanted(Demand demand) {
        int requested = 0;
        int late = 0;
        for (QueuePoller poller : pollers) {
            requested += poller.requested();
            late += poller.isSlow() ? poller.requested() : 0;
        }
        int borrowed = Math.min(late, demand.slots());
        return demand.free() + ahead(demand) - demand.waiting() - requested + borrowed;
    }

    /** The fewest messages that a poll is worth. */
    private int worth(Demand demand) {
        boolean idle = demand.waiting() == 0 && demand.free() > 0;
        return idle ? 1 : Math.min(StorageLimits.RECEIVE_MAX_MESSAGES, Math.max(1, ahead(demand) / 2));
    }
}
