package io.stowline.caching;

import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The result of a read through a cache, and how the cache answered it.
 *
 * @param value what was read; empty if there is nothing
 * @param outcome how the read was answered
 * @param age the time since the service last confirmed the value; zero if it did so for this read
 * @param <T> the type of the value
 */
public record CachedRead<T>(Optional<T> value, CacheOutcome outcome, Duration age) {

    /**
     * Returns the value.
     *
     * @return what was read
     * @throws NoSuchElementException if there is nothing
     */
    public T get() {
        return value.orElseThrow(() -> new NoSuchElementException("there is nothing to read (" + outcome + ")"));
    }
}
