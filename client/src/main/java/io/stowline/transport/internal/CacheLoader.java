package io.stowline.transport.internal;

import io.stowline.caching.Conditions;
import io.stowline.caching.Loaded;
import io.stowline.caching.Loader;
import io.stowline.retry.RetrySettings;
import java.time.Duration;
import java.util.function.BiFunction;
import reactor.core.publisher.Mono;

/**
 * Asks the service for a cached read, as often and as long as the retry settings of its view say.
 *
 * @param retry the settings
 * @param longestWait how long the read waits for another one's load
 * @param asking asks with the settings that it is given
 */
public record CacheLoader(
        RetrySettings retry, Duration longestWait, BiFunction<RetrySettings, Conditions, Mono<Loaded>> asking)
        implements Loader {

    @Override
    public Mono<Loaded> load(Conditions conditions) {
        return asking.apply(retry, conditions);
    }

    @Override
    public Mono<Loaded> loadOnce(Conditions conditions) {
        return asking.apply(retry.toBuilder().retries(0).build(), conditions);
    }

    @Override
    public Duration patience() {
        return retry.deadline();
    }
}
