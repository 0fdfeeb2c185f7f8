package io.stowline.spring.boot.lock;

import io.stowline.blob.LeaderTerm;
import io.stowline.blob.ReactiveLeaderElection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** One try to acquire a lock, and the term that it may begin: it lasts until it is released or lost. Thread-safe. */
final class LockTerm {

    /** Seconds in which a try that was left may still learn that it has the lease; shorter than the half of a lease, after which it renews. */
    private static final long LEFT_SECONDS = 5;

    private final CompletableFuture<@Nullable LeaderTerm> begun = new CompletableFuture<>();
    private final Sinks.Empty<Void> released = Sinks.empty();
    private final CompletableFuture<Boolean> tried;
    private final CompletableFuture<Boolean> end;

    /** Begins the try. */
    LockTerm(ReactiveLeaderElection election) {
        tried = election.tryLeading(this::begin).toFuture();
        end = tried.whenComplete((led, failure) -> {
            if (failure == null) {
                begun.complete(null);
            } else {
                begun.completeExceptionally(failure);
            }
        });
    }

    /** A term that begins too late for its waiter ends at once. */
    private Mono<Void> begin(LeaderTerm term) {
        return begun.complete(term) ? released.asMono() : Mono.empty();
    }

    /**
     * Waits for the end of the try. One that is left by its waiter is not cancelled at once, since the service may have granted the lease, and is to
     * get it back. It is cancelled before a silent service makes it renew the lease.
     *
     * @return whether the term has begun; false if another process has the lock, or the time is over before
     */
    boolean begins(long nanos) throws InterruptedException {
        boolean waits = true;
        try {
            LeaderTerm term = begun.get(nanos, TimeUnit.NANOSECONDS);
            waits = false;
            return term != null;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            waits = false;
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("the try to acquire a lock has failed", e.getCause());
        } finally {
            if (waits) {
                leave();
            }
        }
    }

    private void leave() {
        if (begun.cancel(false)) {
            CompletableFuture.delayedExecutor(LEFT_SECONDS, TimeUnit.SECONDS).execute(() -> tried.cancel(false));
        } else {
            released.tryEmitEmpty();
        }
    }

    /** Returns the term, which has begun. */
    LeaderTerm term() {
        LeaderTerm term = begun.join();
        if (term == null) {
            throw new IllegalStateException("the term has not begun");
        }
        return term;
    }

    /**
     * Ends the term and waits until the lease is given back, whether or not the thread is interrupted.
     *
     * @return the failure, if the term was lost before
     */
    @Nullable
    Throwable release() {
        released.tryEmitEmpty();
        try {
            end.join();
            return null;
        } catch (CompletionException e) {
            return e.getCause();
        }
    }
}
