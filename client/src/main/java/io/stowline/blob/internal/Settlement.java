package io.stowline.blob.internal;

import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.transport.internal.Doubt;
import io.stowline.transport.internal.Failures;
import java.time.Duration;
import reactor.core.publisher.Mono;

/** Ends a write whose answer was lost with what looking has shown. */
final class Settlement {

    private static final String GONE = "it is not there now; somebody may have removed it since";
    private static final String ALL_GONE = "its container is gone, and what was in it";

    private Settlement() {}

    /** Looks; when it can only be told once the horizon has passed, and time allows, a second time then. */
    static <R> Mono<R> of(BlobScope scope, OutcomeUnknownException end, Doubt doubt, Mono<Finding<R>> look) {
        Mono<Finding<R>> found = look.onErrorResume(StorageException.class, e -> Mono.just(unseen(e)));
        return found.flatMap(
                        first -> first instanceof Finding.Open ? afterHorizon(scope, doubt, found) : Mono.just(first))
                .flatMap(last -> told(end, last));
    }

    private static <R> Finding<R> unseen(StorageException e) {
        if (e instanceof NotFoundException missing) {
            return new Finding.Unknown<>(BlobVerbs.blobMissing(missing) ? GONE : ALL_GONE);
        }
        return new Finding.Unknown<>("reading back failed: " + e.getMessage());
    }

    private static <R> Mono<Finding<R>> afterHorizon(BlobScope scope, Doubt doubt, Mono<Finding<R>> look) {
        Duration wait = doubt.untilOver();
        if (doubt.deadline().remaining().compareTo(wait.plus(scope.retry().leastAttempt())) < 0) {
            return Mono.just(new Finding.Unknown<>("not carried out so far, but for " + wait.toMillis()
                    + " ms more it may be, and the deadline leaves no time to see"));
        }
        return Mono.delay(wait, scope.service().timer()).then(look);
    }

    private static <R> Mono<R> told(OutcomeUnknownException end, Finding<R> finding) {
        if (finding instanceof Finding.Done<R> done) {
            return Mono.just(done.result());
        }
        if (finding instanceof Finding.Refused<R> refused) {
            return Mono.error(Failures.settled(end, refused.how()));
        }
        String seen = finding instanceof Finding.Unknown<R> unknown ? unknown.seen() : "it may still be carried out";
        return Mono.error(Failures.stillUnknown(end, seen));
    }
}
