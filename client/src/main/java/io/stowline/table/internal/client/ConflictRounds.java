package io.stowline.table.internal.client;

import io.stowline.error.ClosedException;
import io.stowline.error.ConflictException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.retry.Backoff;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.writer.TableService;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** The rounds of a read and a conditional write: again while other writers are faster, until the deadline. For one caller. */
final class ConflictRounds {

    /** A conflict means that another writer has succeeded, so that the next round is worth trying soon. */
    private static final Backoff BETWEEN_ROUNDS = Backoff.of(
                    Duration.ofMillis(25), Duration.ZERO, Duration.ofSeconds(1))
            .spreadAtCap();

    private final TableService service;
    private final Deadline deadline;
    private int rounds;

    ConflictRounds(TableContext<?> context) {
        this.service = context.service();
        this.deadline = Deadline.in(context.operations().retry().deadline(), service.timer());
    }

    /** Repeats a round whose write met another version, or an entity where it found none. */
    <R> Mono<R> repeat(Mono<R> round) {
        return round.onErrorResume(ConflictRounds::isLost, conflict -> pause(conflict)
                        .onErrorResume(ClosedException.class, closed -> service.delivered(Mono.error(closed)))
                        .then(Mono.error(new LostRoundException())))
                .retryWhen(Retry.indefinitely().filter(LostRoundException.class::isInstance));
    }

    private static boolean isLost(Throwable failure) {
        return failure instanceof PreconditionFailedException
                || (failure instanceof ConflictException conflict && !conflict.isBeingDeleted());
    }

    /** The pause before the next round, or the conflict itself once the deadline has passed. */
    Mono<Long> pause(Throwable conflict) {
        Duration pause = BETWEEN_ROUNDS.delay(++rounds, ThreadLocalRandom.current());
        return deadline.remaining().compareTo(pause) <= 0 ? Mono.error(conflict) : service.pause(pause);
    }

    /** The end of a round in which another writer was faster; callers do not see it. */
    private static final class LostRoundException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        LostRoundException() {
            super("another writer was faster", null, false, false);
        }
    }
}
