package io.stowline.caching;

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
}
