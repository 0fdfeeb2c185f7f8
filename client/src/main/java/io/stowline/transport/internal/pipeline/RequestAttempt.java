package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.account.AccountCredential.Authorizer;
import io.stowline.transport.internal.error.RequestSecrets;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.BodySink;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.LocalBodyException;
import io.stowline.transport.internal.http.ResponseBounds;
import io.stowline.transport.internal.http.Standstill;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.limits.AdmissionLease;
import io.stowline.transport.internal.pipeline.ResponseJudge.AttemptFailure;
import io.stowline.transport.internal.pipeline.ResponseJudge.ResponseFinding;
import io.stowline.transport.internal.pipeline.ResponseJudge.UndecodableResponse;
import io.stowline.transport.internal.request.AttemptControl;
import io.stowline.transport.internal.request.ExecutionOptions;
import io.stowline.transport.internal.request.ServiceVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.ContextView;

/**
 * One attempt of an exchange, from its begin to its verdict. Until it is sent, it has the secrets and the refusal of the attempt before: a
 * failure without a response is explained by the last response. Attempts of an exchange follow each other.
 */
public class RequestAttempt implements StorageResponse.Trace {

    private final Exchange<?> exchange;
    private final Attempt plan;
    private final WriteTracker tracker;
    private final AdmissionLease lease;
    private final @Nullable ReadFailover failover;
    private volatile RequestSecrets secrets = RequestSecrets.NONE;
    private volatile @Nullable ServiceError refusal;
    private volatile @Nullable UndecodableResponse undecodable;
    private volatile @Nullable Instant signed;
    private volatile Authorizer.@Nullable Proof proof;
    private volatile @Nullable String version;
    private volatile @Nullable Verdict verdict;
    private volatile boolean unwanted;

    RequestAttempt(
            Exchange<?> exchange,
            Attempt plan,
            WriteTracker tracker,
            AdmissionLease lease,
            @Nullable ReadFailover failover,
            @Nullable RequestAttempt before) {
        this.exchange = exchange;
        this.plan = plan;
        this.tracker = tracker;
        this.lease = lease;
        this.failover = failover;
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

    /** Notes the Reactor context of its subscriber. */
    void subscribedIn(ContextView context) {}

    /** Returns whether its control still wants it; the first attempt always is. */
    boolean wanted() {
        AttemptControl control = exchange.options().control();
        return control == null || plan.number() == 1 || control.wantsDueAttempt();
    }

    /** Makes the verdict on its failure the last one if its control wants no other attempt. */
    Verdict settle(Verdict judged) {
        AttemptControl control = exchange.options().control();
        if (control == null
                || judged.kind() == Verdict.VerdictKind.SUCCESS
                || control.attemptFailed(judged, plan.number())
                || judged.kind() == Verdict.VerdictKind.NEVER) {
            return judged;
        }
        unwanted = true;
        return new Verdict(Verdict.VerdictKind.NEVER, judged.ambiguous(), null, judged.reason(), judged.throttling());
    }

    /** Returns whether it failed, and another attempt could have helped but was not wanted. */
    boolean unwanted() {
        return unwanted;
    }

    /** Returns its address, without what each attempt adds. */
    String url() {
        String url = exchange.request().url();
        return failover == null ? url : failover.url(url);
    }

    /** Returns whether it goes to the secondary. */
    boolean atSecondary() {
        return failover != null && failover.there();
    }

    /** Returns its place. */
    public ReadOrigin origin() {
        return failover == null ? ReadOrigin.primary() : failover.origin();
    }

    /** Adds the wait for what must be known before it is sent. */
    Mono<HttpResponse> prepared(Mono<HttpResponse> admitted) {
        Mono<Void> ready = failover == null ? null : failover.ready();
        return ready == null ? admitted : ready.then(admitted);
    }

    /** Returns whether the body can be sent once more. */
    boolean replayable() {
        return exchange.request().replayable() || !written();
    }

    /** Returns whether it has received a part of the response's body. */
    boolean progressed() {
        BodySink sink = exchange.request().sink();
        return sink != null && sink.progressed();
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
        ExecutionOptions options = exchange.options();
        long now = timer.now(TimeUnit.NANOSECONDS);
        long seconds = options.serverSeconds(plan, exchange.request().maxSeconds(), now, timer);
        exchange.unansweredAttempts()
                .sending(
                        TimeUnit.SECONDS.toNanos(seconds)
                                + options.settings().grace().toNanos(),
                        now,
                        timer);
        return exchange.request().foreign() ? url() : timed(url(), seconds);
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
        exchange.recovery().useRemedy();
    }

    /** Ends its authorization: from here on its own response counts, not the one before. */
    void sent(@Nullable Instant date, Authorizer.@Nullable Proof with, HttpRequest request) {
        signed = date;
        proof = with;
        secrets = RequestSecrets.of(request);
        version = DirectRequest.header(request, ServiceVersion.HEADER);
        refusal = null;
        undecodable = null;
        handedOver();
    }

    /** Notes that it goes to an HTTP client, which may write it from here on. */
    public void handedOver() {
        tracker.begin();
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

    /** Ends it by a verdict, and its lease with it, at this time of the timer. */
    void end(Verdict reached, @Nullable HttpResponse response, @Nullable Throwable error, long now) {
        verdict = reached;
        if (atSecondary() || exchange.request().foreign() || error instanceof LocalBodyException) {
            // The secondary, a foreign host, and the receiver or source of a body reveal nothing of the primary.
            lease.abandon();
        } else {
            lease.ended(reached, response, now);
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

    /** Returns the version of the service that it names; {@code null} before it is sent, or where it names none. */
    @Nullable
    String version() {
        return version;
    }

    @Override
    public String operationName() {
        return exchange.request().name();
    }

    @Override
    public String resource() {
        return exchange.request().resource();
    }

    @Override
    public int attempts() {
        return plan.number();
    }

    @Override
    public Duration elapsed() {
        return exchange.options().elapsed(plan.deadline());
    }

    @Override
    public String clientRequestId() {
        return exchange.clientRequestId();
    }

    @Override
    public String masked(String text) {
        return secrets.maskedIn(text);
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

    /** Returns its verdict, or {@code null} before its end. */
    @Nullable
    Verdict verdict() {
        return verdict;
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
