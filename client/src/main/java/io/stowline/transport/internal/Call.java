package io.stowline.transport.internal;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpResponse;
import io.stowline.retry.Attempt;
import io.stowline.retry.Permit;
import io.stowline.retry.Priority;
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
 * One operation on its way through the pipeline: what it asks, what its answer means, and what is known of its attempts. It lies
 * in the call context, where each policy finds it. Serves one subscription.
 *
 * @param <A> what its answer means
 */
public final class Call<A> {

    static final String KEY = "stowline-call";

    private final Request request;
    private final AnswerReader<A> reader;
    private final RetrySettings settings;
    private final Priority priority;
    private final AtomicReference<@Nullable Permit> firstPermit;
    private final AtomicInteger lost = new AtomicInteger();
    private final String clientRequestId = UUID.randomUUID().toString();

    private volatile @Nullable Attempt attempt;
    private volatile Sending sending = new Sending();
    private volatile @Nullable A value;
    private volatile @Nullable ServiceError refusal;
    private volatile @Nullable String unreadable;
    private volatile @Nullable Instant signed;
    private volatile boolean redated;
    private volatile boolean open;

    private Call(
            Request request,
            AnswerReader<A> reader,
            RetrySettings settings,
            Priority priority,
            @Nullable Permit firstPermit) {
        this.request = request;
        this.reader = reader;
        this.settings = settings;
        this.priority = priority;
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
        return new Call<>(request, reader, settings, Priority.NORMAL, null);
    }

    /**
     * The same operation, whose first attempt need not wait for its turn: the permit was granted before the request was made.
     *
     * @param permit the permit; it is given back after the first attempt
     * @return the call
     */
    public Call<A> admittedBy(Permit permit) {
        return new Call<>(request, reader, settings, priority, permit);
    }

    @SuppressWarnings("unchecked") // only this package puts it there
    static Call<Object> in(HttpPipelineCallContext context) {
        return (Call<Object>)
                context.getData(KEY).orElseThrow(() -> new IllegalStateException("no call in the context"));
    }

    Request request() {
        return request;
    }

    RetrySettings settings() {
        return settings;
    }

    Priority priority() {
        return priority;
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

    void begin(Attempt next) {
        sending = new Sending();
        attempt = next;
        open = true;
    }

    /** The attempt has its permit and goes out: from here on its own answer counts, not the one before. */
    void sent(Instant signed) {
        this.signed = signed;
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
        boolean out = open && sending.written() && request.effect() != Effect.READ;
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
            return StorageClassifier.classify(cause, request.effect(), sending.written());
        }
        byte[] body = response.getBodyAsBinaryData().toBytes();
        Answer answer = new Answer(response.getStatusCode(), response.getHeaders(), body);
        if (answer.status() < 200 || answer.status() >= 300) {
            return refused(ServiceError.of(answer, clock.now()), clock);
        }
        Reading<A> reading = reader.read(answer);
        if (reading instanceof Reading.Value<A> done) {
            value = done.value();
            return Verdict.success();
        }
        if (reading instanceof Reading.Refused<A> inside) {
            return refused(inside.error(), clock);
        }
        unreadable = ((Reading.Unreadable<A>) reading).why();
        return StorageClassifier.unreadable("unreadable answer", request.effect());
    }

    private Verdict refused(ServiceError error, ServerClock clock) {
        refusal = error;
        Instant dated = signed;
        if (error.status() == 403 && error.is("AuthenticationFailed") && dated != null && !redated) {
            Duration off = clock.learn(dated, error.date());
            if (off != null) {
                redated = true;
                return Verdict.retryNow("403 AuthenticationFailed, this machine's clock is "
                        + off.abs().toSeconds() + " s " + (off.isNegative() ? "ahead" : "behind"));
            }
        }
        return StorageClassifier.classify(error, request.effect());
    }
}
