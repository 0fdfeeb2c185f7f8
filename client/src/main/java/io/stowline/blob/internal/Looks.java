package io.stowline.blob.internal;

import io.stowline.transport.internal.Doubt;
import reactor.core.publisher.Mono;

/** Looks at what a write was for: first in line, in the primary, and within the write's deadline. */
final class Looks {

    private Looks() {}

    static Mono<Seen> atBlob(BlobScope scope, String verb, String name, Doubt doubt) {
        return scope.call(
                scope.read(verb, scope.resource(name)).within(doubt.deadline()),
                () -> scope.blob(name).getPropertiesWithResponse(null),
                answer -> Seen.blob(name, answer));
    }

    static Mono<Seen> atContainer(BlobScope scope, String verb, Doubt doubt) {
        return scope.call(
                scope.read(verb, scope.name()).within(doubt.deadline()),
                () -> scope.container().getPropertiesWithResponse(null),
                Seen::container);
    }
}
