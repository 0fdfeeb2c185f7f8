package io.stowline.transport.internal.pipeline;

import io.stowline.retry.internal.engine.Verdict;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.limits.CircuitBreakerGuard.BreakerOpenException;
import io.stowline.transport.internal.pipeline.ResponseJudge.AttemptFailure;
import io.stowline.transport.internal.request.ExecutionOptions.ReadRoute;
import io.stowline.transport.internal.request.ExecutionOptions.ReadRoute.LastSyncTime;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The attempts of one read between the primary and the secondary. They follow each other. */
final class ReadFailover {

    /** The suffix of the reason of an attempt that the secondary ended. */
    private static final String SECONDARY_SUFFIX = " (secondary)";

    private final ReadRoute routing;
    private volatile boolean there;
    private volatile boolean nextThere;
    private volatile boolean alone;
    private volatile boolean changed;
    private volatile @Nullable Long primaryWanted;
    private volatile @Nullable Long secondaryWanted;
    private volatile @Nullable Instant lastSync;
    private volatile @Nullable AttemptFailure counts;
    private volatile String failures = "";

    ReadFailover(ReadRoute routing) {
        this.routing = routing;
        this.alone = routing.stays();
        this.nextThere = routing.startsThere();
    }

    /** Begins the next attempt. */
    void begin() {
        there = nextThere;
    }

    /** Returns whether the attempt in flight goes to the secondary. */
    boolean there() {
        return there;
    }

    String url(String url) {
        return there ? routing.secondary().url(url) : url;
    }

    /**
     * Finds out how old the secondary may be before it is read. Requested afterwards, the figure could be newer than what was read, and
     * promise writes that were not there yet. {@code null} if there is nothing to wait for.
     */
    @Nullable
    Mono<Void> ready() {
        LastSyncTime source = routing.lastSync();
        return there && source != null
                ? source.known()
                        .doOnNext(known -> lastSync = known.orElse(null))
                        .then()
                : null;
    }

    ReadOrigin origin() {
        return there ? new ReadOrigin(true, lastSync) : ReadOrigin.primary();
    }

    /**
     * Returns the failure that counts, if the attempt went to the other place: its failures mean only that the place
     * that counts has not responded yet.
     */
    @Nullable
    AttemptFailure counts() {
        return there == routing.startsThere() ? null : counts;
    }

    /** Returns the ends of the attempts at the secondary, for the facts of a failure; with a semicolon before them. */
    String failures() {
        return failures;
    }

    static String bare(String reason) {
        return reason.endsWith(SECONDARY_SUFFIX)
                ? reason.substring(0, reason.length() - SECONDARY_SUFFIX.length())
                : reason;
    }

    /** Returns the verdict on the attempt in flight; decides on the place of the next one. */
    Verdict after(Verdict verdict, AttemptFailure failure, long now) {
        if (verdict.kind() == Verdict.VerdictKind.SUCCESS || verdict.kind() == Verdict.VerdictKind.REMEDIED) {
            return verdict;
        }
        if (there == routing.startsThere()) {
            counts = failure;
        }
        return marked(onwards(verdict, failure, now));
    }

    private Verdict onwards(Verdict verdict, AttemptFailure failure, long now) {
        if (alone) {
            return verdict;
        }
        if (verdict.kind() == Verdict.VerdictKind.NEVER && !(failure.error() instanceof BreakerOpenException)) {
            return there == routing.startsThere() || failure.refusal() == null ? verdict : back(verdict, now);
        }
        want(now, verdict.hint());
        nextThere = !there;
        Duration hint = wanted(nextThere, now);
        Verdict.VerdictKind kind = changed ? Verdict.VerdictKind.RETRY : Verdict.VerdictKind.RETRY_NOW;
        changed = true;
        return new Verdict(kind, verdict.ambiguous(), hint, verdict.reason(), verdict.throttling());
    }

    /** The other place cannot help with this read. */
    private Verdict back(Verdict verdict, long now) {
        alone = true;
        nextThere = routing.startsThere();
        Duration hint = wanted(nextThere, now);
        Verdict again = Verdict.retry(verdict.reason());
        return hint == null ? again : again.withHint(hint);
    }

    /** A place whose response names a time gets no request before it. */
    private void want(long now, @Nullable Duration hint) {
        Long until = hint == null ? null : (Long) (now + hint.toNanos());
        if (there) {
            secondaryWanted = until;
        } else {
            primaryWanted = until;
        }
    }

    private @Nullable Duration wanted(boolean secondary, long now) {
        Long until = secondary ? secondaryWanted : primaryWanted;
        return until == null || until - now <= 0 ? null : Duration.ofNanos(until - now);
    }

    private Verdict marked(Verdict verdict) {
        if (!there) {
            return verdict;
        }
        failures = "; at the secondary: " + verdict.reason();
        return new Verdict(
                verdict.kind(),
                verdict.ambiguous(),
                verdict.hint(),
                verdict.reason() + SECONDARY_SUFFIX,
                verdict.throttling());
    }
}
