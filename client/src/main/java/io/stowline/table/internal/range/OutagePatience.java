package io.stowline.table.internal.range;

import io.stowline.error.CircuitOpenException;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.table.PredecessorUnknownException;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The patience of a transfer with a service that fails (decision 303): work that an outage stops is done again until the outage has lasted for
 * {@link #MAX}. A service that the transfer has never reached is no outage. For one thread.
 */
public final class OutagePatience {

    public static final Duration MAX = Duration.ofMinutes(10);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Scheduler timer;
    private final Function<Duration, Mono<Long>> pause;
    private final AtomicBoolean reached;
    private @Nullable Deadline end;

    /**
     * Begins with a service that works.
     *
     * @param pause a pause between tries, which an end of the work ends with an error
     * @param reached whether the service has responded to the transfer, on any of its threads
     */
    public OutagePatience(Scheduler timer, Function<Duration, Mono<Long>> pause, AtomicBoolean reached) {
        this.timer = timer;
        this.pause = pause;
        this.reached = reached;
    }

    /** Waits until the work is worth another try, or throws its failure: a refusal, or one that has lasted too long. */
    public void await(RuntimeException failure) {
        if (end == null) {
            end = Deadline.in(MAX, timer);
        }
        if (!isPassing(failure) || end.expired()) {
            throw failure;
        }
        BlockingAwait.on(pause.apply(PAUSE));
    }

    /** Notes a response. */
    public void over() {
        reached.set(true);
        end = null;
    }

    /** A write of unknown outcome has been sent, so that there is a service; a failure without attempts shows nothing of it. */
    private boolean isPassing(RuntimeException failure) {
        boolean isOutage = failure instanceof UnreachableException
                || failure instanceof ServerErrorException
                || failure instanceof ThrottledException
                || failure instanceof CircuitOpenException;
        return failure instanceof OutcomeUnknownException
                || failure instanceof PredecessorUnknownException
                || failure instanceof DeadlineExceededException
                || (isOutage && reached.get());
    }
}
