package io.stowline.transport.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpResponse;
import io.stowline.retry.Attempt;
import io.stowline.retry.Deadline;
import io.stowline.retry.Permit;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.Throttling;
import io.stowline.retry.Verdict;
import io.stowline.transport.ReadOrigin;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * One request on its way through the pipeline: what it asks, what its answer means, and what is known of its attempts. It lies
 * in the call context, where each policy finds it. Serves one subscription.
 *
 * @param <A> what its answer means
 */
public final class Call<A> {

    static final String KEY = "stowline-call";

    private final Operation operation;
    private final Asked asked;
    private final @Nullable AnswerReader<A> reader;
    private final AtomicReference<@Nullable Permit> firstPermit;
    private final String clientRequestId;
    private final @Nullable Route route;
    private final Remedies remedies = new Remedies();
    private final Unanswered unanswered = new Unanswered();

    private volatile @Nullable Attempt attempt;
    private volatile @Nullable Sending sending;
    private volatile @Nullable A value;
    private volatile @Nullable ServiceError refusal;
    private volatile @Nullable String unreadable;
    private volatile boolean open;
    private volatile @Nullable Turn turn;
    private volatile boolean strained;
    private volatile boolean outOfTime;

    private Call(
            Operation operation,
            Asked asked,
            @Nullable AnswerReader<A> reader,
            String clientRequestId,
            @Nullable Permit firstPermit) {
        this.operation = operation;
        this.asked = asked;
        this.reader = reader;
        this.clientRequestId = clientRequestId;
        this.firstPermit = new AtomicReference<>(firstPermit);
        Routing routing = operation.manner().routing();
        this.route = routing == null ? null : new Route(routing);
    }

    /**
     * An ordinary operation.
     *
     * @param request what it asks
     * @param settings how often and how long it is tried
     * @param reader what its answer means
     * @param <A> the type of the meaning
     * @return the call
     */
    public static <A> Call<A> of(Request request, RetrySettings settings, AnswerReader<A> reader) {
        Operation operation = Operation.of(request.operation(), request.resource(), request.effect(), settings);
        return new Call<>(operation, Asked.own(request), reader, RequestIds.next(), null);
    }

    /**
     * The same call as a part of a write whose outcome it finds out.
     *
     * @param deadline the write's
     * @return the call, first in line
     */
    public Call<A> within(Deadline deadline) {
        return new Call<>(operation.within(deadline), asked, reader, clientRequestId, null);
    }

    /**
     * The same call as one that nobody waits for in person; see {@link Operation#paced}.
     *
     * @return the call
     */
    public Call<A> paced() {
        return new Call<>(operation.paced(), asked, reader, clientRequestId, null);
    }

    /**
     * The same call as one that may go to the secondary; see {@link Operation#routed}.
     *
     * @param routing how it goes, or {@code null} for to the primary only
     * @return the call
     */
    public Call<A> routed(@Nullable Routing routing) {
        return new Call<>(operation.routed(routing), asked, reader, clientRequestId, null);
    }

    /**
     * The same call under an id that stands in what it writes, too.
     *
     * @param id the id, a UUID
     * @return the call
     */
    public Call<A> identified(String id) {
        return new Call<>(operation, asked, reader, id, null);
    }

    /** A request of an SDK client; what its answer means is the client's business. */
    static Call<Object> of(Operation operation, Asked asked, String clientRequestId) {
        return new Call<>(operation, asked, null, clientRequestId, null);
    }

    /**
     * The same operation, whose first attempt need not wait for its turn: the permit was granted before the request was made.
     *
     * @param permit the permit; it is given back after the first attempt
     * @return the call
     */
    public Call<A> admittedBy(Permit permit) {
        return new Call<>(operation, asked, reader, clientRequestId, permit);
    }

    /**
     * The same call as a batch of a lane, which nobody waits for in person.
     *
     * @param delivery how it goes out
     * @return the call
     */
    public Call<A> delivered(Delivery delivery) {
        return new Call<>(operation.delivered(delivery), asked, reader, clientRequestId, delivery.takePermit());
    }

    @SuppressWarnings("unchecked") // only this package puts it there
    static Call<Object> in(HttpPipelineCallContext context) {
        return (Call<Object>)
                context.getData(KEY).orElseThrow(() -> new IllegalStateException("no call in the context"));
    }

    Operation operation() {
        return operation;
    }

    /** What an attempt of it asks of the service's capacity. */
    Load load() {
        return asked.load();
    }

    /** What one of ours asks. */
    Request request() {
        return Objects.requireNonNull(asked.own(), "an SDK client's request");
    }

    /** The address that the attempt under way goes to, without what each attempt adds. */
    String url() {
        Route way = route;
        return way == null ? asked.url() : way.url(asked.url());
    }

    /** Whether the attempt under way goes to the secondary. */
    boolean atSecondary() {
        Route way = route;
        return way != null && way.there();
    }

    /** The attempt under way, after what must be known before it is sent. */
    Mono<HttpResponse> prepared(Mono<HttpResponse> sent) {
        Route way = route;
        Mono<Void> ready = way == null ? null : way.ready();
        return ready == null ? sent : ready.then(sent);
    }

    /** Which place the attempt under way was sent to. */
    ReadOrigin origin() {
        Route way = route;
        return way == null ? ReadOrigin.primary() : way.origin();
    }

    /** Whether the body can be sent once more. */
    boolean replayable() {
        return asked.replayable() || !written();
    }

    String clientRequestId() {
        return clientRequestId;
    }

    @Nullable
    Permit takeFirstPermit() {
        return firstPermit.getAndSet(null);
    }

    /** Gives back a permit that came first, if no attempt has taken it. */
    void releaseUnused() {
        Permit unused = takeFirstPermit();
        if (unused != null) {
            unused.release();
        }
    }

    /** How long it has been on its way. */
    Duration elapsed() {
        Attempt last = attempt;
        return last == null
                ? Duration.ZERO
                : operation.time().minus(last.deadline().remaining());
    }

    Sending sending() {
        return Objects.requireNonNull(sending, "no attempt has begun");
    }

    private boolean written() {
        Sending last = sending;
        return last != null && last.written();
    }

    void begin(Attempt next, Sending nextSending) {
        Route way = route;
        if (way != null) {
            way.begin();
        }
        turn = null;
        sending = nextSending;
        attempt = next;
        open = true;
    }

    /** The attempt goes to the service, which is asked to end it after this time. */
    void asking(long serverSeconds, Scheduler timer) {
        long grace = operation.settings().grace().toNanos();
        unanswered.sending(TimeUnit.SECONDS.toNanos(serverSeconds) + grace, timer);
    }

    /** The attempt has its permit and is about to be authorized. */
    void authorizing() {
        sending().hold();
        remedies.trying();
    }

    /** The attempt has its permit and goes out: from here on its own answer counts, not the one before. */
    void sent(Instant signed, Authorizer.Proof proof) {
        remedies.signed(signed, proof);
        sending().begin();
        refusal = null;
        unreadable = null;
    }

    /** What the answer means; only after success. */
    A value() {
        return Objects.requireNonNull(value, "the call has no value");
    }

    /**
     * What the service said against it.
     *
     * @return the refusal of the last attempt that was sent, or {@code null} if that one got no readable answer
     */
    public @Nullable ServiceError refusal() {
        return refusal;
    }

    /**
     * What it is asked of.
     *
     * @return the resource
     */
    public String resource() {
        return operation.resource();
    }

    /**
     * How many requests were sent for it so far.
     *
     * @return the number
     */
    public int attempts() {
        Attempt last = attempt;
        return last == null ? 0 : last.number();
    }

    /** How many requests have gone out, as far as is known; one that waits for its turn has not. */
    int sent() {
        boolean waits = open && !written();
        return attempts() - (waits ? 1 : 0);
    }

    /**
     * Whether its load was too much for a partition.
     *
     * @return true when an attempt was throttled there or timed out in the service
     */
    public boolean strained() {
        return strained;
    }

    void endedByTime() {
        outOfTime = true;
    }

    /**
     * Whether it ended only because its deadline left no time for another attempt.
     *
     * @return true when more time could have helped
     */
    public boolean outOfTime() {
        return outOfTime;
    }

    @Nullable
    String unreadable() {
        return unreadable;
    }

    /**
     * From here on it counts as one that was sent before, by a process that has ended since, and got no answer.
     *
     * @param first counts from when it was sent at the earliest
     * @param ahead how long it may still be carried out
     * @param timer the clock
     */
    public void repeating(Stopwatch first, Duration ahead, Scheduler timer) {
        unanswered.inherit(first, timer.now(TimeUnit.NANOSECONDS) + ahead.toNanos());
    }

    /** How many attempts of an earlier process are among the unanswered ones. */
    int inherited() {
        return unanswered.inherited();
    }

    /** How many attempts may have been carried out although their answer was lost, the one under way included. */
    int unanswered() {
        boolean out = open && written() && operation.effect() != Effect.READ;
        return unanswered.count() + (out ? 1 : 0);
    }

    /**
     * What is not known of it after its attempts.
     *
     * @param timer the clock of its waits
     * @return the doubt, if any
     */
    Doubt doubt(Scheduler timer) {
        Attempt last = attempt;
        Deadline deadline = last == null ? operation.deadline(timer) : last.deadline();
        return unanswered.doubt(timer, deadline);
    }

    /** The same once it shows that its last answer, a success, cannot be read. */
    Doubt unread(Scheduler timer) {
        Attempt last = attempt;
        return unanswered.unread(timer, last == null ? operation.deadline(timer) : last.deadline());
    }

    /** How long what it asks for may still be carried out now that nobody waits for it any more. */
    Duration untilOver(Scheduler timer) {
        Duration lost = doubt(timer).untilOver();
        Duration open = unanswered() > unanswered.count() ? unanswered.allowed() : Duration.ZERO;
        return open.compareTo(lost) > 0 ? open : lost;
    }

    /** What it may change. Of a request of an SDK client that is told by its address. */
    void changes(Changes.Kept kept) {
        Request own = asked.own();
        if (own != null) {
            own.changes().tell(kept);
        } else {
            SdkChanges.of(asked.url()).tell(kept);
        }
    }

    /** Called with the end of each attempt, one at a time. */
    Verdict judge(@Nullable HttpResponse response, @Nullable Throwable error, ServerClock clock, long now) {
        Delivery delivery = operation.manner().delivery();
        Verdict verdict = judged(response, error, clock);
        verdict = delivery == null ? verdict : deliveryOf(verdict, delivery);
        strained = strained || verdict.throttling() == Throttling.PARTITION;
        if (verdict.ambiguous()) {
            unanswered.lost(sending().lastByte(now));
        }
        open = false;
        if (delivery != null && verdict.kind() != Verdict.Kind.SUCCESS) {
            delivery.leaveWire();
        }
        Turn ending = turn;
        if (ending != null) {
            if (atSecondary()) {
                // What the secondary is able to do says nothing of the primary.
                ending.over();
            } else {
                if (response != null) {
                    ending.received(length(response));
                }
                ending.ended(verdict, response != null);
            }
        }
        Route way = route;
        return way == null ? verdict : way.after(verdict, ended(error), now);
    }

    /** How long the body of an answer is, as far as its head says. */
    private static long length(HttpResponse response) {
        String length = response.getHeaderValue(HttpHeaderName.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Math.max(0, Long.parseLong(length));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** The last attempt of a batch that is no longer wanted, or that fewer operations at a time serve better than one more try. */
    private Verdict deliveryOf(Verdict verdict, Delivery delivery) {
        boolean again = verdict.kind() != Verdict.Kind.SUCCESS && verdict.kind() != Verdict.Kind.NEVER;
        boolean timedOut = verdict.ambiguous() && verdict.throttling() != Throttling.NONE;
        boolean halves = timedOut
                && delivery.halves()
                && attempts() > operation.settings().retries();
        return again && (halves || !delivery.wanted())
                ? new Verdict(Verdict.Kind.NEVER, verdict.ambiguous(), null, verdict.reason(), verdict.throttling())
                : verdict;
    }

    private Said ended(@Nullable Throwable error) {
        Throwable cause = error == null ? null : Exceptions.unwrap(error);
        return new Said(refusal, unreadable, cause, written());
    }

    /** What it failed with: the last attempt's, but what the secondary said in the primary's place gives way to what the primary said. */
    Said said(@Nullable Throwable last) {
        Route way = route;
        Said counts = way == null ? null : way.counts();
        return counts == null ? ended(last) : counts;
    }

    /** The attempt under way takes its turn; before its end is told it gives back what it holds. */
    void begins(Turn next) {
        turn = next;
    }

    private Verdict judged(@Nullable HttpResponse response, @Nullable Throwable error, ServerClock clock) {
        if (response == null) {
            Throwable cause = Exceptions.unwrap(Objects.requireNonNull(error, "neither answer nor error"));
            if (cause instanceof AnswerTooLongException) {
                unreadable = cause.getMessage();
                return StorageClassifier.tooLong(operation.effect());
            }
            return once(StorageClassifier.classify(
                    cause, operation.effect(), sending().endedBy(cause)));
        }
        if (response.getStatusCode() / 100 != 2 && !unchanged(response)) {
            return once(refused(ServiceError.of(whole(response), clock.now()), clock));
        }
        return reader == null ? unread(response) : read(reader, whole(response), clock);
    }

    /** What it means is the SDK client's business, if it is an answer of the service at all. */
    private Verdict unread(HttpResponse response) {
        Documented success = operation.success();
        unreadable = success == null ? null : success.against(response.getStatusCode());
        return unreadable == null
                ? Verdict.success()
                : once(StorageClassifier.unreadable("unreadable answer", operation.effect()));
    }

    /** The answer to a read on condition of a change, and no error (CACHE-1). */
    private boolean unchanged(HttpResponse response) {
        return response.getStatusCode() == 304 && operation.effect() == Effect.READ && asked.unless();
    }

    /** Its body has arrived: the pipeline reads refusals and the answers of readers whole. */
    private Answer whole(HttpResponse response) {
        return new Answer(
                response.getStatusCode(),
                response::getHeaderValue,
                response.getBodyAsBinaryData().toBytes(),
                origin());
    }

    private Verdict read(AnswerReader<A> reader, Answer answer, ServerClock clock) {
        Reading<A> reading = reader.read(answer);
        if (reading instanceof Reading.Value<A> done) {
            value = done.value();
            return Verdict.success();
        }
        if (reading instanceof Reading.Refused<A> inside) {
            return refused(inside.error(), clock);
        }
        unreadable = ((Reading.Unreadable<A>) reading).why();
        return StorageClassifier.unreadable("unreadable answer", operation.effect());
    }

    /** Where nobody could tell what a second answer means, an ambiguous attempt is the last one (RETRY-11). */
    private Verdict once(Verdict verdict) {
        return verdict.ambiguous() && !asked.repeatable()
                ? Verdict.never(verdict.reason()).asAmbiguous()
                : verdict;
    }

    private Verdict refused(ServiceError error, ServerClock clock) {
        refusal = error;
        String again = remedies.against(error, clock);
        return again == null ? StorageClassifier.classify(error, operation.effect()) : Verdict.remedied(again);
    }

    /** What was done against refusals of the caller's proof, and by the secondary; each with a semicolon before it. */
    String remedies() {
        Route way = route;
        return way == null ? remedies.told() : remedies.told() + way.told();
    }
}
