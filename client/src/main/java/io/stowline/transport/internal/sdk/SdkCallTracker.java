package io.stowline.transport.internal.sdk;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpResponse;
import io.stowline.error.ProtocolException;
import io.stowline.retry.internal.engine.RetryResult;
import io.stowline.retry.internal.timeout.AttemptLog;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tracker of one SDK call's requests. It lies in the Reactor context of the call, next to its {@link Operation}. Serves one
 * subscription; thread-safe.
 */
public final class SdkCallTracker {

    public static final String KEY = "stowline-sdk-call";

    private final AtomicReference<@Nullable UnresolvedAttempts> unresolved = new AtomicReference<>();
    private final Consumer<ReadOrigin> origins;
    private volatile @Nullable TrackedResponse responded;

    /** Makes a tracker that reports the place of each successful response, before its reader gets it. */
    public SdkCallTracker(Consumer<ReadOrigin> origins) {
        this.origins = origins;
    }

    /** The last request with a successful response. */
    private record TrackedResponse(
            Exchange<?> exchange, HttpResponse response, AttemptLog log, UnresolvedAttempts unread) {}

    /** Adds a request that has ended, if the context has a tracker. */
    static void report(
            HttpPipelineCallContext context,
            Exchange<?> exchange,
            RetryResult<HttpResponse> ended,
            UnresolvedAttempts more) {
        context.getData(KEY).ifPresent(requester -> ((SdkCallTracker) requester).add(exchange, ended, more));
    }

    private void add(Exchange<?> exchange, RetryResult<HttpResponse> ended, UnresolvedAttempts more) {
        unresolved.updateAndGet(known -> known == null ? more : known.and(more));
        HttpResponse response = ended.value();
        if (ended.succeeded()) {
            origins.accept(exchange.attempt().origin());
        }
        responded = ended.succeeded() && response != null
                ? new TrackedResponse(
                        exchange,
                        response,
                        ended.log(),
                        exchange.unread(more.timer()).tolerating(more.tolerance()))
                : null;
    }

    /** Returns whether a request of the call has ended. */
    public boolean ended() {
        return unresolved.get() != null;
    }

    /** Returns the unresolved attempts of the call, once a request of it has ended. */
    public UnresolvedAttempts unresolved() {
        return Objects.requireNonNull(unresolved.get(), "no request was made");
    }

    private int unanswered() {
        UnresolvedAttempts known = unresolved.get();
        return known == null ? 0 : known.unanswered();
    }

    /**
     * Returns the meaning of an error that came to light above the exchange: after a success it is an unreadable
     * response. Its text and causes are left out, as a parser quotes its input.
     */
    public Throwable meaning(Throwable error) {
        TrackedResponse last = responded;
        if (last == null || error instanceof io.stowline.error.StorageException) {
            return error;
        }
        Request request = last.exchange().request();
        if (request.type() != OperationType.READ) {
            unresolved.set(last.unread());
        }
        ProtocolException unreadable = new ProtocolException(
                FailureFacts.of(request.name(), request.resource())
                        .status(last.response().getStatusCode(), null)
                        .tried(
                                last.log().attempts().size(),
                                unanswered(),
                                last.log().elapsed())
                        .ids(
                                last.exchange().clientRequestId(),
                                last.response().getHeaderValue(StorageResponse.REQUEST_ID))
                        .because(
                                "the response cannot be parsed as requested ("
                                        + (error instanceof MissingFactException
                                                ? error.getMessage()
                                                : error.getClass().getName())
                                        + ")",
                                "read after the exchange had ended"),
                null);
        return unreadable.failure().unansweredAttempts() > 0
                ? ErrorMapper.unknown(unreadable, "nothing was read back")
                : unreadable;
    }
}
