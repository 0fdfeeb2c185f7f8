package io.stowline.queue.internal.client;

import io.stowline.error.NotFoundException;
import io.stowline.error.internal.SettingRanges;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.queue.internal.body.ClaimCheckStore;
import io.stowline.queue.internal.body.EnvelopeFormat;
import io.stowline.queue.internal.shard.FolderMessages;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;

/**
 * A sweep that removes the bodies in blobs which no message of a queue needs. Immutable.
 *
 * @param context the queue, with the container of the bodies in its envelope
 */
record BodySweep(QueueContext<?> context) {

    private static final Duration MIN_AGE = Duration.ofHours(1);
    private static final Duration MAX_AGE = Duration.ofDays(3_650);

    /** Removes the bodies that were written longer ago; gives their number. */
    Mono<Long> olderThan(Duration age) {
        SettingRanges.between("olderThan", age, MIN_AGE, MAX_AGE);
        QueueOperations queue = context.operations();
        ClaimCheckStore bodies = EnvelopeFormat.bodiesOf(context.format().envelope());
        if (bodies == null) {
            throw new IllegalStateException("the queue " + queue.name() + " has no claimCheck in its envelope");
        }
        Mono<Long> sweep =
                Mono.defer(() -> bodies.sweep(messages().count(), context.poison(), serviceTime(queue), age));
        return queue.asOperation("sweepBodies", queue::name, sweep);
    }

    private FolderMessages messages() {
        int shards = context.shards() == null ? 0 : context.shards().receiveFrom();
        return new FolderMessages(context.folder(), shards, context.consumers()::queue);
    }

    /**
     * Returns the clock of the service. Without any queue no message can need a body, so that this machine's is good
     * enough.
     */
    private Mono<Instant> serviceTime(QueueOperations queue) {
        return queue.serviceTime()
                .onErrorResume(
                        NotFoundException.class, absent -> context.poison().serviceTime())
                .onErrorResume(
                        NotFoundException.class,
                        absent -> Mono.just(Instant.ofEpochMilli(queue.timer().now(TimeUnit.MILLISECONDS))));
    }
}
