package io.stowline.caching;

import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * What a read through a cache gave, and how.
 *
 * @param value what was read; empty if there is nothing
 * @param outcome how the read was answered
 * @param age how long before this was given the service had last said that it holds; zero if it was asked for this read
 * @param <T> the type of the value
 */
public record CachedRead<T>(Optional<T> value, CacheOutcome outcome, Duration age) {

    /**
     * The value.
     *
     * @return what was read
     * @throws NoSuchElementException if there is nothing
     */
    public T get() {
        return value.orElseThrow(() -> new NoSuchElementException("there is nothing to read (" + outcome + ")"));
    }
}
