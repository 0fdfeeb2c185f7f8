package io.stowline.caching;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import reactor.core.publisher.Mono;

/**
 * Asks the service. It may be called more than once for one read, and is called for many readers at once; it never sees the ones that it
 * answers.
 */
@FunctionalInterface
public interface Loader {

    /**
     * One request.
     *
     * @param conditions what to ask under; {@link Loaded#notModified} is a right answer only if there are any
     * @return what the service said; it fails with what the readers are to be given, and is cancelled when nobody waits any more
     */
    Mono<Loaded> load(Conditions conditions);

    /**
     * One request that is not repeated when it fails, for a reader who is given an old answer then. A loader that repeats nothing needs none.
     *
     * @param conditions as for {@link #load}
     * @return as for {@link #load}
     */
    default Mono<Loaded> loadOnce(Conditions conditions) {
        return load(conditions);
    }

    /**
     * For how long the loader tries at the most. A reader whose loader tries longer does not fail with this one: it asks by itself.
     *
     * @return the time; without end unless it is told
     */
    default Duration patience() {
        return ChronoUnit.FOREVER.getDuration();
    }

    /**
     * How long this reader waits when another one has begun the load; then it fails with a {@link java.util.concurrent.TimeoutException}.
     *
     * @return the time; without end unless it is told
     */
    default Duration longestWait() {
        return ChronoUnit.FOREVER.getDuration();
    }
}
