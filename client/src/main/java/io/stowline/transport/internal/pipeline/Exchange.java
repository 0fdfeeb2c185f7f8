package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpResponse;
import io.stowline.error.FailureDetails;
import io.stowline.retry.AttemptEnd.ThrottleScope;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.engine.RetryResult;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.internal.concurrent.SentWrite;
import io.stowline.transport.internal.concurrent.Stopwatch;
import io.stowline.transport.internal.error.RequestSecrets;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.limits.AdmissionLease;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.outcome.UnansweredAttempts;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.ResponseJudge.AttemptFailure;
import io.stowline.transport.internal.pipeline.ResponseJudge.ResponseFinding;
import io.stowline.transport.internal.request.BatchOptions;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.ExecutionOptions;
import io.stowline.transport.internal.request.ExecutionOptions.ReadRoute;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestIds;
import io.stowline.transport.internal.request.RequestTarget;
import io.stowline.transport.internal.request.ResponseParser;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * One request with its options, and the facts that outlive its attempts. Serves one subscription.
 *
 * @param <A> the meaning of its response
 */
public final class Exchange<A> implements SentWrite {

    private final Request request;
    private final ExecutionOptions options;
    private final @Nullable ResponseParser<A> parser;
    private final @Nullable DocumentedStatus success;
    private final String clientRequestId;
    private final @Nullable Permit granted;
    private final @Nullable ReadFailover failover;
    private final UnansweredAttempts unanswered = new UnansweredAttempts();
    private final AuthRecovery recovery = new AuthRecovery();

    private volatile @Nullable RequestAttempt attempt;
    private volatile @Nullable A value;
    private volatile boolean strained;
    private int throttles;
    private volatile boolean responseLost;
    private volatile boolean outOfTime;
    private volatile @Nullable String staged;

    private Exchange(
            Request request,
            ExecutionOptions options,
            @Nullable ResponseParser<A> parser,
            @Nullable DocumentedStatus success,
            String clientRequestId,
            @Nullable Permit granted) {
        this.request = request;
        this.options = options;
        this.parser = parser;
        this.success = success;
        this.clientRequestId = clientRequestId;
        this.granted = granted;
        ReadRoute route = options.route();
        this.failover = route == null ? null : new ReadFailover(route);
    }

    /**
     * Returns a direct request.
     *
     * @param settings how often and how long it is tried
     * @param parser the meaning of its response
     */
    public static <A> Exchange<A> of(Request request, RetrySettings settings, ResponseParser<A> parser) {
        return new Exchange<>(
                request, ExecutionOptions.direct(settings, request.type()), parser, null, RequestIds.next(), null);
    }

    /**
     * Returns a request that an SDK client has made for this operation; the client reads the meaning of its response.
     */
    public static Exchange<Object> of(Operation operation, Request request, String clientRequestId) {
        return new Exchange<>(request, operation.options(), null, operation.success(), clientRequestId, null);
    }

    private Exchange<A> with(ExecutionOptions other, @Nullable Permit permit) {
        return new Exchange<>(request, other, parser, success, clientRequestId, permit);
    }

    /** Returns the request with changed options. */
    public Exchange<A> with(UnaryOperator<ExecutionOptions> change) {
        return with(change.apply(options), granted);
    }

    /** Returns the read as one that may go to the secondary; see {@link ExecutionOptions#routed}. */
    public Exchange<A> routed(@Nullable ReadRoute route) {
        return with(options.routed(request.name(), request.type(), route), granted);
    }

    /** Returns the request under an id that is in its content, too; a UUID. */
    public Exchange<A> identified(String id) {
        return new Exchange<>(request, options, parser, success, id, granted);
    }

    /**
     * Returns the request with queued operations; see {@link ExecutionOptions#forBatch}.
     *
     * @param permit the permit of its first attempt, or {@code null} if none was granted before
     */
    public Exchange<A> forBatch(BatchOptions batch, @Nullable Permit permit) {
        return with(options.forBatch(batch), permit);
    }

    /**
     * Returns the request after an attempt of an earlier process that got no response.
     *
     * @param first the earliest time at which it was sent
     * @param ahead the time for which it may still be executed
     * @param timer the clock
     */
    public Exchange<A> repeating(Stopwatch first, Duration ahead, Scheduler timer) {
        Exchange<A> repeated = with(options, granted);
        repeated.unanswered.inherit(first, timer.now(TimeUnit.NANOSECONDS) + ahead.toNanos());
        return repeated;
    }

    public Request request() {
        return request;
    }

    /** Takes the proof of the {@code StagedStep} that it is sent in, or {@code null}. */
    void inStep(@Nullable String proof) {
        staged = proof;
    }

    /** Returns the proof that this write changes nothing of what its operation is for, or {@code null} if it may. */
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

    /** Returns the permit that was granted for its first attempt before it was made, or {@code null}. */
    @Nullable
    Permit granted() {
        return granted;
    }

    /** Releases the granted permit, which does nothing once an attempt has ended with it. */
    void releaseGranted() {
        if (granted != null) {
            granted.release();
        }
    }

    @Nullable
    ResponseParser<A> parser() {
        return parser;
    }

    /** Returns the statuses of a success that an SDK client reads, or {@code null} for any 2xx. */
    @Nullable
    DocumentedStatus success() {
        return success;
    }

    /**
     * Begins the next attempt.
     *
     * @param observer receives its end, if there is a listener
     */
    RequestAttempt begin(Attempt plan, WriteTracker tracker, AdmissionLease lease, OperationObserver observer) {
        if (failover != null) {
            failover.begin();
        }
        tracker.feedTo(request.sink());
        tracker.countIn(options.standstill());
        RequestAttempt next = observer.hasListener()
                ? new ObservedAttempt(observer, this, plan, tracker, lease, failover, attempt)
                : new RequestAttempt(this, plan, tracker, lease, failover, attempt);
        attempt = next;
        return next;
    }

    /** Returns the attempt that has begun last. */
    public RequestAttempt attempt() {
        return Objects.requireNonNull(attempt, "no attempt has begun");
    }

    /** Returns its attempts without a response. */
    UnansweredAttempts unansweredAttempts() {
        return unanswered;
    }

    /** Returns the remedies against refusals of the caller's proof. */
    AuthRecovery recovery() {
        return recovery;
    }

    /** Returns the secrets of the attempt that has gone out last. */
    public RequestSecrets secrets() {
        RequestAttempt last = attempt;
        return last == null ? RequestSecrets.NONE : last.secrets();
    }

    /** Ends the attempt by its response or else its error, and gives the verdict. */
    Verdict end(ResponseJudge judge, @Nullable HttpResponse response, @Nullable Throwable error, long now) {
        RequestAttempt ended = attempt();
        ended.received(response);
        ResponseFinding<A> finding = judge.judge(this, ended, response, error);
        Verdict judged = finding.verdict();
        ended.shows(finding);
        value = finding.value();
        strained = strained || judged.throttling() == ThrottleScope.PARTITION;
        throttles += judged.throttling() == ThrottleScope.NONE ? 0 : 1;
        // An internal error, and a response in the service's place, may come after the request was carried out, too.
        responseLost = responseLost || (ended.written() && (response == null || ended.leavesOpen()));
        if (judged.ambiguous()) {
            unanswered.lost(ended.tracker().lastByte(now));
        }
        Verdict verdict = ended.settle(judged);
        // The limits learn what the service did, and not whether another attempt is wanted.
        ended.end(judged, response, error, now);
        return failover == null ? verdict : failover.after(verdict, ended.failure(error), now);
    }

    /** Ends it by the end of its attempts, none of which succeeded. */
    void failed(RetryResult<?> last) {
        outOfTime = ErrorMapper.outOfTime(last);
    }

    /** Returns the meaning of the response; only after success. */
    A value() {
        return Objects.requireNonNull(value, "the exchange has no value");
    }

    /** Returns the target, which an SDK client shows by its address only. */
    RequestTarget target(OperationObserver observer) {
        return parser == null ? observer.target(request.url(), request.resource()) : request.target();
    }

    /** Counts the rows, messages or names in the response; -1 if it has none. */
    int returned() {
        A known = value;
        return known == null || parser == null ? -1 : parser.returned(known);
    }

    /** Returns whether the response has a continuation. */
    boolean continued() {
        A known = value;
        return known != null && parser != null && parser.continued(known);
    }

    /**
     * Returns the service's refusal.
     *
     * @return that of the last attempt that was sent, or {@code null} if that one got no readable response
     */
    public @Nullable ServiceError refusal() {
        RequestAttempt last = attempt;
        return last == null ? null : last.refusal();
    }

    /**
     * Returns the failure that counts: the last attempt's, or the primary's before one of the secondary in its place.
     */
    AttemptFailure failure(@Nullable Throwable last) {
        AttemptFailure counts = failover == null ? null : failover.counts();
        if (counts != null) {
            return counts;
        }
        RequestAttempt ended = attempt;
        return ended == null ? AttemptFailure.unsent(last) : ended.failure(last);
    }

    /**
     * Returns the remedies against refusals of the caller's proof, and the failures of the secondary; each with a
     * semicolon before it.
     */
    String remedies() {
        return failover == null ? recovery.tried() : recovery.tried() + failover.failures();
    }

    /** Returns the number of attempts that have begun. */
    public int attempts() {
        RequestAttempt last = attempt;
        return last == null ? 0 : last.plan().number();
    }

    /**
     * Returns the number of requests that have gone out, as far as it is known; one that waits for its turn has not.
     */
    int sent() {
        RequestAttempt last = attempt;
        return last == null ? 0 : last.plan().number() - (last.open() && !last.written() ? 1 : 0);
    }

    /** Returns the part of its time that is used up. */
    Duration elapsed() {
        RequestAttempt last = attempt;
        return last == null ? Duration.ZERO : options.elapsed(last.plan().deadline());
    }

    /** Returns whether an attempt was throttled by its partition or timed out in the service. */
    public boolean strained() {
        return strained;
    }

    /** Returns the number of its attempts that the service throttled; for the thread that ends it. */
    public int throttles() {
        return throttles;
    }

    /** Returns whether it ended only because its deadline left no time for another attempt. */
    public boolean outOfTime() {
        return outOfTime;
    }

    /**
     * Returns the attempts that may have been executed although their response was lost, the one in flight included.
     */
    public int unanswered() {
        RequestAttempt last = attempt;
        boolean out = last != null && last.open() && last.written() && request.type() != OperationType.READ;
        return unanswered.count() + (out ? 1 : 0);
    }

    /** Returns whether an attempt was sent whose response did not come; also of a read, which may hide its messages. */
    public boolean hasLostResponse() {
        return responseLost;
    }

    @Override
    public boolean isCarriedOut() {
        RequestAttempt last = attempt;
        return last != null && last.succeeded() && request.type() != OperationType.READ;
    }

    @Override
    public int applied() {
        return unanswered() + (isCarriedOut() ? 1 : 0);
    }

    /** Returns the facts for a caller that leaves it, while it goes on: an attempt without a verdict may still go out. */
    public FailureDetails leftBehind(String ending) {
        RequestAttempt last = attempt;
        boolean pending = last == null || (last.open() && !last.written());
        return EndedWrite.of(this, pending ? 1 : 0).soFar(ending);
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
        RequestAttempt last = attempt;
        return last == null ? options.deadline(timer) : last.plan().deadline();
    }

    /**
     * Returns its unresolved attempts.
     *
     * @param timer the clock of its waits
     */
    public UnresolvedAttempts unresolved(Scheduler timer) {
        return unanswered.unresolved(timer, deadline(timer)).persisting(options.persistent());
    }

    /** Returns its unresolved attempts once its last response, a success, proves undecodable. */
    public UnresolvedAttempts unread(Scheduler timer) {
        return unanswered.unread(timer, deadline(timer)).persisting(options.persistent());
    }

    /** Returns the time for which it may still be executed after its caller has given it up. */
    public Duration timeUntilSettled(Scheduler timer) {
        Duration lost = unresolved(timer).timeUntilSettled();
        Duration out = unanswered() > unanswered.count() ? unanswered.allowed() : Duration.ZERO;
        return out.compareTo(lost) > 0 ? out : lost;
    }
}
