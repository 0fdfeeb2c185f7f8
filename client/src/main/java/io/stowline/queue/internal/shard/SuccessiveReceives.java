package io.stowline.queue.internal.shard;

import static io.stowline.retry.internal.timeout.RenewalTimes.longer;
import static io.stowline.retry.internal.timeout.RenewalTimes.shorter;

import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The receives of one call from several queues, one after the other. Before there are messages, a queue that hangs is passed over after a third
 * of the lease, and not before 10 seconds. After that all further queues together have what is left of a third of the lease, so that the messages
 * that are there reach the caller with most of theirs. One call; not thread-safe.
 */
public final class SuccessiveReceives {

    private static final int PARTS = 3;
    private static final Duration MIN_PATIENCE = Duration.ofSeconds(10);
    private static final Duration MIN_ATTEMPT = Duration.ofMillis(100);

    private final Duration lease;
    private final Duration part;
    private @Nullable Deadline end;

    /**
     * A call that has received nothing yet.
     *
     * @param lease how long messages are hidden from others
     */
    public SuccessiveReceives(Duration lease) {
        this.lease = Objects.requireNonNull(lease, "lease");
        this.part = lease.dividedBy(PARTS);
    }

    /**
     * Receives from the next queue.
     *
     * @param max how many messages at most
     * @return the messages; none without a request if the time is over
     */
    public Mono<List<DeliveredMessage>> from(QueueOperations queue, int max) {
        return Mono.defer(() -> {
            Deadline known = end;
            Duration time = known == null ? longer(part, MIN_PATIENCE) : known.remaining();
            if (time.compareTo(MIN_ATTEMPT) < 0) {
                return Mono.just(List.of());
            }
            Mono<List<DeliveredMessage>> receive =
                    queue.with(within(queue.retry(), time)).receive(max, lease);
            Deadline own = known == null ? Deadline.in(part, queue.timer()) : known;
            return receive.doOnNext(messages -> {
                if (!messages.isEmpty()) {
                    end = own;
                }
            });
        });
    }

    private static RetrySettings within(RetrySettings own, Duration time) {
        if (own.deadline().compareTo(time) <= 0) {
            return own;
        }
        return own.toBuilder()
                .deadline(time)
                .attemptTimeout(shorter(own.attemptTimeout(), time))
                .minAttempt(shorter(own.minAttempt(), MIN_ATTEMPT))
                .reserve(Duration.ZERO)
                .build();
    }
}
