package io.stowline.queue.internal.shard;

import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import io.stowline.queue.SendResult;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.queue.internal.rule.QueueTimeLimits;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.concurrent.Stopwatch;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A sender that gives each message to the shard whose turn it is. A message that this shard has certainly not stored goes to another one; one that it may
 * have stored is sent there again. Thread-safe.
 *
 * @param shards those that get messages
 * @param rotation goes round them
 */
public record RotatingSender(List<QueueOperations> shards, ShardRotation rotation) {

    /** Puts a message; see {@link QueueOperations#send}. */
    public Mono<SendResult> send(String text, @Nullable Duration delay, @Nullable Duration timeToLive) {
        QueueTimeLimits.delayWithin(delay, timeToLive);
        Function<QueueOperations, Mono<SendResult>> message = shard -> shard.send(text, delay, timeToLive);
        return Mono.defer(() -> {
            int first = rotation.next();
            QueueOperations shard = shards.get(first);
            return !rotation.hasOtherThan(first) || shard.retry().retries() == 0
                    ? message.apply(shard)
                    : shard.asOperation("send", shard::name, movable(first, message));
        });
    }

    /** The second attempt and all further ones go to one shard. */
    private Mono<SendResult> movable(int first, Function<QueueOperations, Mono<SendResult>> message) {
        Stopwatch time = Stopwatch.start(rotation.clock());
        QueueOperations shard = shards.get(first);
        QueueOperations once = shard.with(shard.retry().toBuilder().retries(0).build());
        return message.apply(once).onErrorResume(StorageException.class, failed -> {
            if (failed instanceof OutcomeUnknownException) {
                return rest(shard, time, failed, message)
                        .map(RotatingSender::repeated)
                        .onErrorMap(StorageException.class, last -> still(failed, last));
            }
            if (failed instanceof ThrottledException || failed instanceof UnreachableException) {
                rotation.refused(first);
                int other = rotation.otherThan(first);
                return rest(other == ShardRotation.NONE ? shard : shards.get(other), time, failed, message);
            }
            return Mono.error(failed);
        });
    }

    private static SendResult repeated(SendResult last) {
        return new SendResult(
                last.queue(),
                last.id(),
                last.popReceipt(),
                last.insertedAt(),
                last.expiresAt(),
                last.visibleAt(),
                true);
    }

    private static StorageException still(StorageException unknown, StorageException last) {
        if (last != unknown) {
            unknown.addSuppressed(last);
        }
        return unknown;
    }

    /** The attempts that the deadline leaves time for. */
    private static Mono<SendResult> rest(
            QueueOperations shard,
            Stopwatch time,
            StorageException failed,
            Function<QueueOperations, Mono<SendResult>> message) {
        RetrySettings own = shard.retry();
        Duration left = own.deadline().minus(time.age());
        return left.compareTo(own.minAttempt().plus(own.reserve())) < 0
                ? Mono.error(failed)
                : message.apply(shard.with(own.toBuilder().deadline(left).build()));
    }
}
