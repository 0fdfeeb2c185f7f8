package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpResponse;
import io.stowline.error.FailureDetails;
import io.stowline.retry.Attempt;
import io.stowline.retry.Deadline;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.Verdict;
import io.stowline.retry.Verdict.ThrottleScope;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.account.AccountCredential.Authorizer;
import io.stowline.transport.internal.account.ServerClock;
import io.stowline.transport.internal.concurrent.SentWrite;
import io.stowline.transport.internal.concurrent.Stopwatch;
import io.stowline.transport.internal.error.RequestSecrets;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.BodySink;
import io.stowline.transport.internal.http.LocalBodyException;
import io.stowline.transport.internal.http.ResponseBounds;
import io.stowline.transport.internal.http.Standstill;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.WriteTracker;
import io.stowline.transport.internal.limits.AdmissionLease;
import io.stowline.transport.internal.outcome.UnansweredAttempts;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.ResponseJudge.AttemptFailure;
import io.stowline.transport.internal.request.ExecutionOptions;
import io.stowline.transport.internal.request.ExecutionOptions.PermittedDelivery;
import io.stowline.transport.internal.request.ExecutionOptions.ReadRoute;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestIds;
import io.stowline.transport.internal.request.ResponseParser;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The attempts of one request, and what is known of them. It lies in the call context, where each policy finds it. Serves one
 * subscription.
 *
 * @param <A> the meaning of its response
 */
public final class Exchange<A> implements StorageResponse.Trace, SentWrite {

    static final String KEY = "stowline-exchange";

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<Exchange, Permit> FIRST_PERMIT =
            AtomicReferenceFieldUpdater.newUpdater(Exchange.class, Permit.class, "firstPermit");

    private final Request request;
    private final ExecutionOptions options;
    private final ResponseJudge<A> judge;
    private final String clientRequestId;
    private final @Nullable ReadFailover failover;
    private final UnansweredAttempts unanswered = new UnansweredAttempts();

    private volatile @Nullable Permit firstPermit;
    private volatile @Nullable Attempt attempt;
    private volatile @Nullable WriteTracker tracker;
    private volatile RequestSecrets secrets = RequestSecrets.NONE;
    private volatile @Nullable AdmissionLease lease;
    private volatile boolean open;
    private volatile boolean carriedOut;
    private volatile boolean strained;
    private volatile boolean responseLost;
    private volatile boolean outOfTime;
    private volatile @Nullable String staged;

    private Exchange(
            Request request,
            ExecutionOptions options,
            ResponseJudge<A> judge,
            String clientRequestId,
            @Nullable Permit firstPermit) {
        this.request = request;
        this.options = options;
        this.judge = judge;
        this.clientRequestId = clientRequestId;
        this.firstPermit = firstPermit;
        ReadRoute route = options.route();
        this.failover = route == null ? null : new ReadFailover(route);
    }

    /**
     * A direct request.
     *
     * @param settings how often and how long it is tried
     * @param parser the meaning of its response
     */
    public static <A> Exchange<A> of(Request request, RetrySettings settings, ResponseParser<A> parser) {
        return new Exchange<>(
                request,
                ExecutionOptions.direct(settings, request.type()),
                new ResponseJudge<>(request, parser, null),
                RequestIds.next(),
                null);
    }

    /** A request that an SDK client has made for this operation; the client finds out what its response means. */
    static Exchange<Object> of(Operation operation, Request request, String clientRequestId) {
        return new Exchange<>(
                request,
                operation.options(),
                new ResponseJudge<>(request, null, operation.success()),
                clientRequestId,
                null);
    }

    private Exchange<A> with(ExecutionOptions other, @Nullable Permit permit) {
        return new Exchange<>(request, other, judge.fresh(), clientRequestId, permit);
    }

    /** The same request as a part of a write that ends by this deadline; see {@link ExecutionOptions#within}. */
    public Exchange<A> within(Deadline deadline) {
        return with(options.within(deadline), null);
    }

    /** The same request, first in line, since it ends or prolongs earlier work. */
    public Exchange<A> settling() {
        return with(options.settling(), null);
    }

    /** The same request without a caller that waits; see {@link ExecutionOptions#paced}. */
    public Exchange<A> paced() {
        return with(options.paced(), null);
    }

    /**
     * The same request as a part of a transfer, of which only the standstill counts; see {@link ExecutionOptions#countingStandstill}. The
     * service is granted its longest time, so a part that moves never times out, however slow.
     *
     * @param standstill the part's
     */
    public Exchange<A> countingStandstill(Standstill standstill) {
        return with(options.countingStandstill(standstill), null);
    }

    /** The same read, which may go to the secondary; see {@link ExecutionOptions#routed}. */
    public Exchange<A> routed(@Nullable ReadRoute route) {
        return with(options.routed(request.name(), request.type(), route), null);
    }

    /** The same request under an id that stands in what it writes, too; a UUID. */
    public Exchange<A> identified(String id) {
        return new Exchange<>(request, options, judge.fresh(), id, null);
    }

    /** The same request with a permit for its first attempt, granted before the request was made and released after that attempt. */
    public Exchange<A> admittedBy(Permit permit) {
        return with(options, permit);
    }

    /** The same request as a batch of a lane; see {@link ExecutionOptions#delivered}. */
    public Exchange<A> delivered(PermittedDelivery delivery) {
        return with(options.delivered(delivery), delivery.takePermit());
    }

    @SuppressWarnings("unchecked") // only this package puts it there
    static Exchange<Object> in(HttpPipelineCallContext context) {
        return (Exchange<Object>)
                context.getData(KEY).orElseThrow(() -> new IllegalStateException("no exchange in the context"));
    }

    public Request request() {
        return request;
    }

    /** Takes the proof of the {@link StagedStep} that it is sent in, or {@code null}. */
    void inStep(@Nullable String proof) {
        staged = proof;
    }

    /** Gives the proof that this write changes nothing of what its operation is for, or {@code null} if it may. */
    @Nullable
    String withoutEffect() {
        return request.staging() ? ErrorMapper.UNCOMMITTED : staged;
    }

    public ExecutionOptions options() {
        return options;
    }

    @Override
    public String clientRequestId() {
        return clientRequestId;
    }

    @Override
    public String operationName() {
        return request.name();
    }

    @Override
    public String resource() {
        return request.resource();
    }

    /** The address of the attempt in flight, without what each attempt adds. */
    String url() {
        return failover == null ? request.url() : failover.url(request.url());
    }

    /** Whether the attempt in flight goes to the secondary. */
    boolean atSecondary() {
        return failover != null && failover.there();
    }

    /** The place of the attempt in flight. */
    public ReadOrigin origin() {
        return failover == null ? ReadOrigin.primary() : failover.origin();
    }

    /** Whether the body can be sent once more. */
    boolean replayable() {
        return request.replayable() || !written();
    }

    /** Returns whether the attempt that has failed has brought a part of the response's body. */
    boolean progressed() {
        BodySink sink = request.sink();
        return sink != null && sink.progressed();
    }

    @Nullable
    Permit takeFirstPermit() {
        return firstPermit == null ? null : FIRST_PERMIT.getAndSet(this, null);
    }

    /** Releases the first permit unless an attempt has taken it. */
    void releaseUnused() {
        Permit unused = takeFirstPermit();
        if (unused != null) {
            unused.release();
        }
    }

    /** An attempt begins. */
    void begin(Attempt next, WriteTracker nextTracker) {
        if (failover != null) {
            failover.begin();
        }
        lease = null;
        tracker = nextTracker.feeding(request.sink()).counting(options.standstill());
        options.waits();
        attempt = next;
        open = true;
    }

    /** Sets the headers of the attempt that is about to be authorized. */
    void setHeaders(HttpHeaders headers) {
        Consumer<HttpHeaders> own = request.attemptHeaders();
        if (own != null) {
            own.accept(headers);
        }
    }

    /** The attempt in flight, after what must be known before it is sent. */
    Mono<HttpResponse> prepared(Mono<HttpResponse> sent) {
        Mono<Void> ready = failover == null ? null : failover.ready();
        return ready == null ? sent : ready.then(sent);
    }

    /** The attempt waits for its admission by this lease, which it gives back before its end is reported. */
    void begins(AdmissionLease next) {
        lease = next;
    }

    /** The attempt goes to the service, which ends it after this time. */
    void requesting(long serverSeconds, Scheduler timer) {
        long grace = options.settings().grace().toNanos();
        unanswered.sending(TimeUnit.SECONDS.toNanos(serverSeconds) + grace, timer);
    }

    /** The attempt has its permit and is about to be authorized. */
    void authorizing() {
        tracker().paused();
        judge.recovery().trying();
    }

    /** The attempt is authorized and goes out with these secrets. */
    void sent(Instant signed, Authorizer.Proof proof, RequestSecrets carried) {
        secrets = carried;
        judge.recovery().signed(signed, proof);
        tracker().begin();
        judge.forget();
    }

    WriteTracker tracker() {
        return Objects.requireNonNull(tracker, "no attempt has begun");
    }

    /** The secrets of the attempt that has gone out last. */
    RequestSecrets secrets() {
        return secrets;
    }

    @Override
    public String masked(String text) {
        return secrets.maskedIn(text);
    }

    private boolean written() {
        WriteTracker last = tracker;
        return last != null && last.written();
    }

    /** Whether the attempt that is due is still to be made: not if all operations of a batch have had their end. */
    boolean wantsAttempt() {
        PermittedDelivery delivery = options.delivery();
        return delivery == null || delivery.wantsAttempt(true);
    }

    /** The verdict on the attempt in flight, which has ended with this response or else with this error. */
    Verdict judge(@Nullable HttpResponse response, @Nullable Throwable error, ServerClock clock, long now) {
        options.admitted();
        if (response != null && !ResponseBounds.success(response.getStatusCode())) {
            // Also where the application's own policy has authorized it.
            secrets = RequestSecrets.of(response.getRequest());
        }
        Verdict verdict = judge.judge(this, response, error, clock);
        strained = strained || verdict.throttling() == ThrottleScope.PARTITION;
        responseLost = responseLost || (written() && isLost(response));
        if (verdict.ambiguous()) {
            unanswered.lost(tracker().lastByte(now));
        }
        carriedOut = verdict.kind() == Verdict.Kind.SUCCESS && request.type() != OperationType.READ;
        open = false;
        PermittedDelivery delivery = options.delivery();
        if (delivery != null && verdict.kind() != Verdict.Kind.SUCCESS) {
            delivery.leaveWire();
        }
        AdmissionLease ending = lease;
        if (ending != null && (atSecondary() || error instanceof LocalBodyException)) {
            // What the secondary, or the receiver or source of a body, is able to do says nothing of the primary.
            ending.over();
        } else if (ending != null) {
            ending.ended(verdict, response);
        }
        return failover == null ? verdict : failover.after(verdict, judge.failure(error, written(), secrets), now);
    }

    /** The meaning of the response; only after success. */
    A value() {
        return judge.value();
    }

    /**
     * The service's refusal.
     *
     * @return that of the last attempt that was sent, or {@code null} if that one got no readable response
     */
    public @Nullable ServiceError refusal() {
        return judge.refusal();
    }

    /** The failure that counts: the last attempt's, or the primary's before one of the secondary in its place. */
    AttemptFailure failure(@Nullable Throwable last) {
        AttemptFailure counts = failover == null ? null : failover.counts();
        return counts == null ? judge.failure(last, written(), secrets) : counts;
    }

    /** The remedies against refusals of the caller's proof, and the failures of the secondary; each with a semicolon before it. */
    String remedies() {
        String tried = judge.recovery().tried();
        return failover == null ? tried : tried + failover.failures();
    }

    @Override
    public int attempts() {
        Attempt last = attempt;
        return last == null ? 0 : last.number();
    }

    /** The number of requests that have gone out, as far as is known; one that waits for its turn has not. */
    int sent() {
        boolean waits = open && !written();
        return attempts() - (waits ? 1 : 0);
    }

    @Override
    public Duration elapsed() {
        Attempt last = attempt;
        return last == null ? Duration.ZERO : options.elapsed(last.deadline());
    }

    /** Whether an attempt was throttled by its partition or timed out in the service. */
    public boolean strained() {
        return strained;
    }

    void endedByTime() {
        outOfTime = true;
    }

    /** Whether it ended only because its deadline left no time for another attempt. */
    public boolean outOfTime() {
        return outOfTime;
    }

    /**
     * Counts an attempt of an earlier process that got no response.
     *
     * @param first counts from when it was sent at the earliest
     * @param ahead how long it may still be executed
     * @param timer the clock
     */
    public void repeating(Stopwatch first, Duration ahead, Scheduler timer) {
        unanswered.inherit(first, timer.now(TimeUnit.NANOSECONDS) + ahead.toNanos());
    }

    /** The unanswered attempts of an earlier process. */
    int inherited() {
        return unanswered.inherited();
    }

    /** The attempts that may have been executed although their response was lost, the one in flight included. */
    public int unanswered() {
        boolean out = open && written() && request.type() != OperationType.READ;
        return unanswered.count() + (out ? 1 : 0);
    }

    /** An internal error, and what responds in the service's place, may come after the request was carried out, too. */
    private boolean isLost(@Nullable HttpResponse response) {
        return response == null || judge.leavesOpen();
    }

    /** Whether an attempt was sent whose answer did not come; also of a read, which may hide what it reads. */
    public boolean hasLostResponse() {
        return responseLost;
    }

    @Override
    public boolean isCarriedOut() {
        return carriedOut;
    }

    @Override
    public int applied() {
        return unanswered() + (carriedOut ? 1 : 0);
    }

    @Override
    public FailureDetails soFar(String ending) {
        return ErrorMapper.soFar(this, ending);
    }

    @Override
    public SentWrite ended() {
        return request.hasLongBody() ? EndedWrite.of(this) : this;
    }

    private Deadline deadline(Scheduler timer) {
        Attempt last = attempt;
        return last == null ? options.deadline(timer) : last.deadline();
    }

    /**
     * What is not known of it after its attempts.
     *
     * @param timer the clock of its waits
     */
    UnresolvedAttempts unresolved(Scheduler timer) {
        return unanswered.unresolved(timer, deadline(timer)).persisting(options.persistent());
    }

    /** The same once its last response, a success, proves undecodable. */
    UnresolvedAttempts unread(Scheduler timer) {
        return unanswered.unread(timer, deadline(timer)).persisting(options.persistent());
    }

    /** How long it may still be executed after its caller has given it up. */
    public Duration timeUntilSettled(Scheduler timer) {
        Duration lost = unresolved(timer).timeUntilSettled();
        Duration out = unanswered() > unanswered.count() ? unanswered.allowed() : Duration.ZERO;
        return out.compareTo(lost) > 0 ? out : lost;
    }
}
