package io.stowline.transport.internal;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpResponse;
import io.stowline.retry.Attempt;
import io.stowline.retry.Permit;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

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
    private final AtomicInteger lost = new AtomicInteger();
    private final String clientRequestId;

    private volatile @Nullable Attempt attempt;
    private volatile Sending sending = Sending.told();
    private volatile @Nullable A value;
    private volatile @Nullable ServiceError refusal;
    private volatile @Nullable String unreadable;
    private volatile @Nullable Instant signed;
    private volatile Authorizer.@Nullable Proof proof;
    private volatile boolean redated;
    private volatile boolean renewed;
    private volatile String remedies = "";
    private volatile boolean open;

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
        return new Call<>(
                operation, Asked.own(request), reader, UUID.randomUUID().toString(), null);
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

    @SuppressWarnings("unchecked") // only this package puts it there
    static Call<Object> in(HttpPipelineCallContext context) {
        return (Call<Object>)
                context.getData(KEY).orElseThrow(() -> new IllegalStateException("no call in the context"));
    }

    Operation operation() {
        return operation;
    }

    /** What one of ours asks. */
    Request request() {
        return Objects.requireNonNull(asked.own(), "an SDK client's request");
    }

    /** The address, without what each attempt adds. */
    String url() {
        return asked.url();
    }

    /** Whether the body can be sent once more. */
    boolean replayable() {
        return asked.replayable() || !sending.written();
    }

    String clientRequestId() {
        return clientRequestId;
    }

    @Nullable
    Permit takeFirstPermit() {
        return firstPermit.getAndSet(null);
    }

    Attempt attempt() {
        return Objects.requireNonNull(attempt, "no attempt has begun");
    }

    Sending sending() {
        return sending;
    }

    void begin(Attempt next, Sending nextSending) {
        sending = nextSending;
        attempt = next;
        open = true;
    }

    /** The attempt has its permit and goes out: from here on its own answer counts, not the one before. */
    void sent(Instant signed, Authorizer.Proof proof) {
        this.signed = signed;
        this.proof = proof;
        sending.begin();
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
     * How many requests were sent for it so far.
     *
     * @return the number
     */
    public int attempts() {
        Attempt last = attempt;
        return last == null ? 0 : last.number();
    }

    @Nullable
    String unreadable() {
        return unreadable;
    }

    /** How many attempts may have been carried out although their answer was lost, the one under way included. */
    int unanswered() {
        boolean out = open && sending.written() && operation.effect() != Effect.READ;
        return lost.get() + (out ? 1 : 0);
    }

    Verdict judge(@Nullable HttpResponse response, @Nullable Throwable error, ServerClock clock) {
        Verdict verdict = judged(response, error, clock);
        if (verdict.ambiguous()) {
            lost.incrementAndGet();
        }
        open = false;
        return verdict;
    }

    private Verdict judged(@Nullable HttpResponse response, @Nullable Throwable error, ServerClock clock) {
        if (response == null) {
            Throwable cause = Exceptions.unwrap(Objects.requireNonNull(error, "neither answer nor error"));
            return once(StorageClassifier.classify(cause, operation.effect(), sending.endedBy(cause)));
        }
        if (response.getStatusCode() / 100 != 2) {
            return once(refused(ServiceError.of(whole(response), clock.now()), clock));
        }
        return reader == null ? Verdict.success() : read(reader, whole(response), clock);
    }

    /** Its body has arrived: the pipeline reads refusals and the answers of readers whole. */
    private static Answer whole(HttpResponse response) {
        return new Answer(
                response.getStatusCode(),
                response.getHeaders(),
                response.getBodyAsBinaryData().toBytes());
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

    /** Where nobody could tell what a second answer means, an ambiguous attempt is the last one (R11). */
    private Verdict once(Verdict verdict) {
        return verdict.ambiguous() && !asked.repeatable()
                ? Verdict.never(verdict.reason()).asAmbiguous()
                : verdict;
    }

    private Verdict refused(ServiceError error, ServerClock clock) {
        refusal = error;
        String again = redated(error, clock);
        if (again == null) {
            again = renewed(error);
        }
        if (again == null) {
            return StorageClassifier.classify(error, operation.effect());
        }
        remedies = remedies + "; " + again;
        return Verdict.retryNow(again);
    }

    /** What was done against refusals of the caller's proof, each with a semicolon before it. */
    String remedies() {
        return remedies;
    }

    private @Nullable String redated(ServiceError error, ServerClock clock) {
        Instant dated = signed;
        if (error.status() != 403 || !error.is("AuthenticationFailed") || dated == null || redated) {
            return null;
        }
        Duration off = clock.learn(dated, error.date());
        if (off == null) {
            return null;
        }
        redated = true;
        return "403 AuthenticationFailed, this machine's clock is " + off.abs().toSeconds() + " s "
                + (off.isNegative() ? "ahead" : "behind") + ", signed once more with the service's time";
    }

    private @Nullable String renewed(ServiceError error) {
        Authorizer.Proof used = proof;
        if (used == null || renewed || (error.status() != 401 && error.status() != 403)) {
            return null;
        }
        String why = used.renewedAfter(error);
        renewed = why != null;
        return why;
    }
}
