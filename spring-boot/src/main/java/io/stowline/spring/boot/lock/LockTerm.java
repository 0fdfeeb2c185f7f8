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

    private final CompletableFuture<@Nullable LeaderTerm> begun = new CompletableFuture<>();
    private final Sinks.Empty<Void> released = Sinks.empty();
    private final CompletableFuture<Boolean> end;

    /** Begins the try. */
    LockTerm(ReactiveLeaderElection election) {
        end = election.tryLeading(this::begin).toFuture().whenComplete((led, failure) -> {
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
     * Waits for the end of the try. One that is left by its waiter is not cancelled, since the service may have granted the lease: it ends by itself.
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
            if (waits && !begun.cancel(false)) {
                released.tryEmitEmpty();
            }
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
