package io.stowline.caching;

import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;

/**
 * The result of a read through a cache, and the way in which the cache served it.
 *
 * @param value what was read; empty if there is nothing
 * @param outcome how the cache served the read
 * @param age the time since the service last confirmed the value; zero if it did so for this read
 * @param resource the name of the blob or entity that was read, as errors show it
 * @param <T> the type of the value
 */
public record CachedRead<T>(Optional<T> value, CacheOutcome outcome, Duration age, String resource) {

    /**
     * Returns the value.
     *
     * @return what was read
     * @throws NoSuchElementException if there is nothing
     */
    public T get() {
        return value.orElseThrow(() -> new NoSuchElementException(
                resource + " is not there (the read was a " + outcome + "): value() is empty for what may be missing"));
    }

    /**
     * Changes the value, if there is one, and keeps the outcome.
     *
     * @param change makes the new value; not called if there is nothing
     * @param <R> the type of the new value
     * @return the same read with the new value
     */
    public <R> CachedRead<R> map(Function<? super T, ? extends R> change) {
        return new CachedRead<>(value.map(change), outcome, age, resource);
    }
}
