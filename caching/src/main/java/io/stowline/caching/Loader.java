package io.stowline.caching;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A loader that requests a resource from the service. One read may call it more than once, and one call may serve many readers, which it
 * never sees.
 */
@FunctionalInterface
public interface Loader {

    /**
     * Sends one request.
     *
     * @param conditions the conditions of the request; {@link LoadResult#notModified} is a right answer only if there are any
     * @return the result; it fails with the error for the readers, and is cancelled when its last reader has left
     */
    Mono<LoadResult> load(Conditions conditions);

    /**
     * Sends one request without retries, for a reader that gets a stale answer if it fails. A loader without retries need not override
     * this.
     *
     * @param conditions as for {@link #load}
     * @return as for {@link #load}
     */
    default Mono<LoadResult> loadOnce(Conditions conditions) {
        return load(conditions);
    }

    /**
     * Returns the longest time for which the loader tries. A reader whose loader tries longer does not fail with this one: it starts a load
     * itself.
     *
     * @return the time; unlimited unless overridden
     */
    default Duration patience() {
        return ChronoUnit.FOREVER.getDuration();
    }

    /**
     * Returns how long this reader waits when another one has begun the load; then it fails with a
     * {@link java.util.concurrent.TimeoutException}.
     *
     * @return the time; unlimited unless overridden
     */
    default Duration longestWait() {
        return ChronoUnit.FOREVER.getDuration();
    }

    /**
     * Returns how long this reader waits while the load of another one brings nothing, neither an answer nor more of its body; then it
     * fails with a {@link java.util.concurrent.TimeoutException}. For a loader whose time begins again with each part that comes.
     *
     * @return the time; unlimited unless overridden
     */
    default Duration longestStandstill() {
        return ChronoUnit.FOREVER.getDuration();
    }

    /**
     * The conditions of a load: the service sends the resource only if it has changed.
     *
     * @param etag the value of {@code If-None-Match}, null if there is none
     * @param lastModified the value of {@code If-Modified-Since}, null if there is an ETag or nothing to compare with
     */
    record Conditions(@Nullable String etag, @Nullable String lastModified) {

        /** No condition: the service sends the resource in any case. */
        public static final Conditions NONE = new Conditions(null, null);

        /**
         * Returns whether there is a condition.
         *
         * @return true if the answer "not modified" is possible
         */
        public boolean any() {
            return etag != null || lastModified != null;
        }
    }
}
