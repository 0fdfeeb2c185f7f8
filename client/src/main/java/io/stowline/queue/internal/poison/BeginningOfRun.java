package io.stowline.queue.internal.poison;

import io.stowline.queue.internal.MessageView.DeliveredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The moment at which a run over a queue began, by the service's clock, and the messages that were there. A consumer that fills the queue while
 * the run empties it would otherwise keep the run from its end. Not thread-safe.
 */
final class BeginningOfRun {

    /** The servers of a queue have separate clocks, which show whole seconds. */
    private static final Duration SKEW = Duration.ofSeconds(1);

    /** The order of a queue is roughly that of the sends: this many receives of younger messages only are the end of the older ones. */
    private static final int YOUNGER_RECEIVES = 4;

    private final Duration lease;
    private final Set<String> seen = new HashSet<>();
    private @Nullable Instant latest;
    private int younger;
    private boolean found;
    private boolean grown;

    /**
     * A run whose first receive is still to come.
     *
     * @param lease the time for which its receives hide messages
     */
    BeginningOfRun(Duration lease) {
        this.lease = lease;
    }

    /** Notes that a receive has returned these messages. The first messages of the run are those that were there when it began. */
    void received(List<DeliveredMessage> messages) {
        found = false;
        grown = false;
        if (latest == null && !messages.isEmpty()) {
            latest = messages.get(0).lease().visibleAt().minus(lease).plus(SKEW);
            messages.forEach(message -> latest = later(latest, inserted(message)));
        }
    }

    private static Instant later(@Nullable Instant one, Instant other) {
        return one == null || one.isBefore(other) ? other : one;
    }

    private static Instant inserted(DeliveredMessage message) {
        return message.view().header().insertedAt();
    }

    /** Returns whether a message was there when the run began, and was not received before. */
    boolean isNew(DeliveredMessage message) {
        if (!seen.add(message.view().header().id())) {
            return false;
        }
        Instant limit = latest;
        boolean before = limit == null || !inserted(message).isAfter(limit);
        found |= before;
        grown |= !before;
        return before;
    }

    /** Returns whether the last receive ends the run: it had no message of the beginning, and the next ones will hardly have one. */
    boolean isOver() {
        younger = found ? 0 : younger + 1;
        return !found && (!grown || younger >= YOUNGER_RECEIVES);
    }
}
