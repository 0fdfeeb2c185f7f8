package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpResponse;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.transport.internal.account.AccountCredential.Authorizer;
import io.stowline.transport.internal.error.RequestSecrets;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.LocalBodyException;
import io.stowline.transport.internal.http.ResponseBounds;
import io.stowline.transport.internal.http.Standstill;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.limits.AdmissionLease;
import io.stowline.transport.internal.pipeline.ResponseJudge.AttemptFailure;
import io.stowline.transport.internal.pipeline.ResponseJudge.ResponseFinding;
import io.stowline.transport.internal.pipeline.ResponseJudge.UndecodableResponse;
import io.stowline.transport.internal.request.AttemptListener;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * One attempt of an exchange, from its begin to its verdict. Until it is sent, it has the secrets and the refusal of the attempt before: a
 * failure without a response is explained by the last response. Attempts of an exchange follow each other.
 */
public final class RequestAttempt {

    private final Exchange<?> exchange;
    private final Attempt plan;
    private final WriteTracker tracker;
    private final AdmissionLease lease;
    private volatile RequestSecrets secrets = RequestSecrets.NONE;
    private volatile @Nullable ServiceError refusal;
    private volatile @Nullable UndecodableResponse undecodable;
    private volatile @Nullable Instant signed;
    private volatile Authorizer.@Nullable Proof proof;
    private volatile @Nullable Verdict verdict;

    RequestAttempt(
            Exchange<?> exchange,
            Attempt plan,
            WriteTracker tracker,
            AdmissionLease lease,
            @Nullable RequestAttempt before) {
        this.exchange = exchange;
        this.plan = plan;
        this.tracker = tracker;
        this.lease = lease;
        if (before != null) {
            secrets = before.secrets;
            refusal = before.refusal;
            undecodable = before.undecodable;
        }
        Standstill standstill = exchange.options().standstill();
        if (standstill != null) {
            standstill.waits();
        }
    }

    public Exchange<?> exchange() {
        return exchange;
    }

    /** Returns its number and its times. */
    Attempt plan() {
        return plan;
    }

    WriteTracker tracker() {
        return tracker;
    }

    AdmissionLease lease() {
        return lease;
    }

    /**
     * Returns the permit that was granted before the request was made, for the first attempt; {@code null} for the
     * others.
     */
    @Nullable
    Permit granted() {
        return plan.number() == 1 ? exchange.granted() : null;
    }

    /** Returns whether its listener still wants it; the first attempt always is. */
    boolean wanted() {
        AttemptListener listener = exchange.options().listener();
        return listener == null || plan.number() == 1 || listener.wantsAttempt();
    }

    /** Adds what must be known before it is sent. */
    Mono<HttpResponse> prepared(Mono<HttpResponse> admitted) {
        Mono<Void> ready = exchange.ready();
        return ready == null ? admitted : ready.then(admitted);
    }

    /** Ends its wait for admission. */
    void admitted() {
        Standstill standstill = exchange.options().standstill();
        if (standstill != null) {
            standstill.admitted();
        }
    }

    /** Begins its time in the service, and returns the address with the service's time limit in seconds. */
    String start(Scheduler timer) {
        tracker.begin();
        long seconds = exchange.options().serverSeconds(plan, exchange.request().maxSeconds());
        exchange.sending(TimeUnit.SECONDS.toNanos(seconds), timer);
        return timed(exchange.url(), seconds);
    }

    /** A time-out that an SDK client has set itself stays. */
    private static String timed(String url, long seconds) {
        int query = url.indexOf('?');
        if (query < 0) {
            return url + "?timeout=" + seconds;
        }
        boolean limited = url.startsWith("timeout=", query + 1) || url.indexOf("&timeout=", query) >= 0;
        return limited ? url : url + "&timeout=" + seconds;
    }

    /** Begins its authorization. */
    void authorizing() {
        tracker.paused();
        exchange.tryRemedy();
    }

    /** Ends its authorization: from here on its own response counts, not the one before. */
    void sent(Instant date, Authorizer.Proof with, RequestSecrets carried) {
        signed = date;
        proof = with;
        secrets = carried;
        tracker.begin();
        refusal = null;
        undecodable = null;
    }

    /** Takes the end of its sending, which is not judged yet. */
    void received(@Nullable HttpResponse response) {
        admitted();
        if (response != null && !ResponseBounds.success(response.getStatusCode())) {
            // Also where the application's own policy has authorized it.
            secrets = RequestSecrets.of(response.getRequest());
        }
    }

    /** Takes what its response has shown. */
    void shows(ResponseFinding<?> finding) {
        refusal = finding.refusal() == null ? refusal : finding.refusal();
        undecodable = finding.undecodable() == null ? undecodable : finding.undecodable();
    }

    /** Ends it by a verdict, and its lease with it. */
    void end(Verdict reached, @Nullable HttpResponse response, @Nullable Throwable error) {
        verdict = reached;
        if (exchange.atSecondary() || error instanceof LocalBodyException) {
            // The secondary, and the receiver or source of a body, reveal nothing of the primary.
            lease.abandon();
        } else {
            lease.ended(reached, response);
        }
    }

    /** Returns the date of its signature; {@code null} before. */
    @Nullable
    Instant signed() {
        return signed;
    }

    /** Returns the proof that authorized it; {@code null} before. */
    Authorizer.@Nullable Proof proof() {
        return proof;
    }

    /** Returns the secrets of the attempt that has gone out last. */
    RequestSecrets secrets() {
        return secrets;
    }

    /** Returns the refusal of the attempt that has gone out last, or {@code null}. */
    @Nullable
    ServiceError refusal() {
        return refusal;
    }

    /** Returns whether the request may have been written. */
    boolean written() {
        return tracker.written();
    }

    /** Returns whether it has no verdict yet. */
    boolean open() {
        return verdict == null;
    }

    boolean succeeded() {
        Verdict known = verdict;
        return known != null && known.kind() == Verdict.VerdictKind.SUCCESS;
    }

    /** Returns whether its response leaves open whether the service has carried the request out. */
    boolean leavesOpen() {
        ServiceError known = refusal;
        return undecodable != null || (known != null && known.meaning().unresolved());
    }

    /** Describes its failure by this error. */
    AttemptFailure failure(@Nullable Throwable error) {
        return new AttemptFailure(
                refusal, undecodable, error == null ? null : Exceptions.unwrap(error), written(), secrets);
    }
}
