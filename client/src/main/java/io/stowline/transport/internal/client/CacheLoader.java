package io.stowline.transport.internal.client;

import io.stowline.caching.Conditions;
import io.stowline.caching.LoadResult;
import io.stowline.caching.Loader;
import io.stowline.retry.RetrySettings;
import java.time.Duration;
import java.util.function.BiFunction;
import reactor.core.publisher.Mono;

/**
 * Asks the service for a cached read, as often and as long as the retry settings of its view say.
 *
 * @param retry the settings
 * @param inParts whether the time of the settings begins again with each part that comes, and so for how long the read waits for another
 *     one's load
 * @param asking asks with the settings that it is given
 */
public record CacheLoader(
        RetrySettings retry, boolean inParts, BiFunction<RetrySettings, Conditions, Mono<LoadResult>> asking)
        implements Loader {

    @Override
    public Mono<LoadResult> load(Conditions conditions) {
        return asking.apply(retry, conditions);
    }

    @Override
    public Mono<LoadResult> loadOnce(Conditions conditions) {
        return asking.apply(retry.toBuilder().retries(0).build(), conditions);
    }

    @Override
    public Duration patience() {
        return retry.deadline();
    }

    @Override
    public Duration longestWait() {
        return inParts ? Loader.super.longestWait() : retry.deadline();
    }

    @Override
    public Duration longestStandstill() {
        return inParts ? retry.deadline() : Loader.super.longestStandstill();
    }
}
