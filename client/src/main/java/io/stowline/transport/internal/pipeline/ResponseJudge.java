package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpResponse;
import io.stowline.retry.Verdict;
import io.stowline.retry.Verdict.ThrottleScope;
import io.stowline.transport.internal.account.ServerClock;
import io.stowline.transport.internal.error.RequestSecrets;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.BufferedResponse;
import io.stowline.transport.internal.http.MalformedResponseException;
import io.stowline.transport.internal.http.ResponseBounds.ResponseTooLongException;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.pipeline.AuthorizingPolicy.AuthRecovery;
import io.stowline.transport.internal.pipeline.GatewayResponses.ForeignResponseException;
import io.stowline.transport.internal.pipeline.ResponseJudge.UndecodableResponse;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.ExecutionOptions.PermittedDelivery;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/**
 * The verdict on each end of an attempt, be it a response or an error, and what the last one has shown: a value, a refusal by the service
 * or an undecodable response. Serves one exchange, whose attempts follow each other.
 *
 * @param <A> the meaning of a successful response
 */
final class ResponseJudge<A> {

    private static final String UNREADABLE = "unreadable answer";
    private static final String NOT_OF_THE_SERVICE = "not a response of the service";

    private final Request request;
    private final @Nullable ResponseParser<A> parser;
    private final @Nullable DocumentedStatus success;
    private final AuthRecovery recovery = new AuthRecovery();

    private volatile @Nullable A value;
    private volatile @Nullable ServiceError refusal;
    private volatile @Nullable UndecodableResponse undecodable;

    /**
     * The judge of one exchange.
     *
     * @param parser the meaning of its responses, or {@code null} if an SDK client finds it out
     * @param success the statuses of its success, or {@code null} for any 2xx
     */
    ResponseJudge(Request request, @Nullable ResponseParser<A> parser, @Nullable DocumentedStatus success) {
        this.request = request;
        this.parser = parser;
        this.success = success;
    }

    /** The judge of the same request in another exchange. */
    ResponseJudge<A> fresh() {
        return new ResponseJudge<>(request, parser, success);
    }

    /** The attempt goes out: from here on its own response counts, not the one before. */
    void forget() {
        refusal = null;
        undecodable = null;
    }

    /** The verdict on an attempt that ended with this response, or else with this error. */
    Verdict judge(Exchange<?> exchange, @Nullable HttpResponse response, @Nullable Throwable error, ServerClock clock) {
        Verdict verdict = response == null
                ? failed(Exceptions.unwrap(Objects.requireNonNull(error, "neither answer nor error")), exchange)
                : responded(exchange, response, clock);
        PermittedDelivery delivery = exchange.options().delivery();
        return delivery == null ? verdict : delivered(verdict, delivery, exchange);
    }

    /** Returns whether the response that it has judged leaves open whether the service has carried the request out. */
    boolean leavesOpen() {
        ServiceError known = refusal;
        return undecodable != null || (known != null && StorageClassifier.leavesUnresolved(known));
    }

    private Verdict failed(Throwable error, Exchange<?> exchange) {
        if (error instanceof UnwantedAttemptException) {
            return Verdict.never("unwanted");
        }
        if (error instanceof ResponseTooLongException) {
            undecodable = UndecodableResponse.of(error, exchange);
            return StorageClassifier.tooLong(request.type());
        }
        if (error instanceof MalformedResponseException || error instanceof ForeignResponseException) {
            undecodable = UndecodableResponse.of(error, exchange);
        }
        return once(StorageClassifier.classify(
                error, request.type(), exchange.tracker().endedBy(error)));
    }

    private Verdict responded(Exchange<?> exchange, HttpResponse response, ServerClock clock) {
        boolean success = response.getStatusCode() / 100 == 2 || unchanged(response);
        ServiceError error = success ? null : ServiceError.of(whole(exchange, response), clock.now());
        String foreign = GatewayResponses.against(response, error);
        if (foreign != null) {
            undecodable = UndecodableResponse.of(foreign, response, exchange);
            return GatewayResponses.redirects(response.getStatusCode())
                    ? StorageClassifier.last(NOT_OF_THE_SERVICE, request.type())
                    : once(StorageClassifier.unreadable(NOT_OF_THE_SERVICE, request.type()));
        }
        if (error != null) {
            return once(refused(error, clock));
        }
        return parser == null
                ? documented(exchange, response)
                : parsed(exchange, parser.read(whole(exchange, response)), response, clock);
    }

    /** The answer to a read on condition of a change, and no error (CACHE-1). */
    private boolean unchanged(HttpResponse response) {
        return response.getStatusCode() == 304 && request.type() == OperationType.READ && request.conditional();
    }

    /** The response with its body, which the pipeline reads whole for refusals and for parsers. */
    private static StorageResponse whole(Exchange<?> exchange, HttpResponse response) {
        return new StorageResponse(
                response.getStatusCode(),
                BufferedResponse.headers(response),
                BufferedResponse.bytes(response),
                exchange.origin(),
                exchange);
    }

    private Verdict refused(ServiceError error, ServerClock clock) {
        refusal = error;
        String remedy = recovery.against(error, clock);
        return remedy == null ? StorageClassifier.classify(error, request.type()) : Verdict.remedied(remedy);
    }

    /** The SDK client finds out what the response means, if it is one of the service at all. */
    private Verdict documented(Exchange<?> exchange, HttpResponse response) {
        String wrong = success == null ? null : success.against(response);
        if (wrong == null) {
            return Verdict.success();
        }
        undecodable = UndecodableResponse.of(wrong, response, exchange);
        boolean listing = success != null && success.against(response.getStatusCode()) == null;
        return listing ? Verdict.never(UNREADABLE) : once(StorageClassifier.unreadable(UNREADABLE, request.type()));
    }

    private Verdict parsed(Exchange<?> exchange, ParseResult<A> result, HttpResponse response, ServerClock clock) {
        if (result instanceof ParseResult.Value<A> done) {
            value = done.value();
            return Verdict.success();
        }
        if (result instanceof ParseResult.RefusedResponse<A> inside) {
            return refused(inside.error(), clock);
        }
        ParseResult.Unreadable<A> wrong = (ParseResult.Unreadable<A>) result;
        undecodable = UndecodableResponse.of(wrong.why(), response, exchange);
        return wrong.again()
                ? StorageClassifier.unreadable(UNREADABLE, request.type())
                : StorageClassifier.last(UNREADABLE, request.type());
    }

    /** Where the meaning of a second response would be unknown, an ambiguous attempt is the last one (RETRY-11). */
    private Verdict once(Verdict verdict) {
        return verdict.ambiguous() && !request.repeatable()
                ? Verdict.never(verdict.reason()).asAmbiguous()
                : verdict;
    }

    /** The last attempt of a batch that is no longer wanted, or that fewer operations at a time serve better than one more try. */
    private static Verdict delivered(Verdict verdict, PermittedDelivery delivery, Exchange<?> exchange) {
        boolean again = verdict.kind() != Verdict.Kind.SUCCESS && verdict.kind() != Verdict.Kind.NEVER;
        boolean timedOut = verdict.ambiguous() && verdict.throttling() != ThrottleScope.NONE;
        boolean halves = timedOut
                && delivery.halves()
                && exchange.attempts() > exchange.options().settings().retries();
        return again && (halves || !delivery.wantsAttempt(false))
                ? new Verdict(Verdict.Kind.NEVER, verdict.ambiguous(), null, verdict.reason(), verdict.throttling())
                : verdict;
    }

    /** The meaning of the response; only after success. */
    A value() {
        return Objects.requireNonNull(value, "the exchange has no value");
    }

    /** The refusal of the last attempt that was sent, or {@code null} if that one got no readable response. */
    @Nullable
    ServiceError refusal() {
        return refusal;
    }

    /** How the last attempt failed. */
    AttemptFailure failure(@Nullable Throwable error, boolean written, RequestSecrets secrets) {
        return new AttemptFailure(
                refusal, undecodable, error == null ? null : Exceptions.unwrap(error), written, secrets);
    }

    /** The remedies against refusals of the caller's proof. */
    AuthRecovery recovery() {
        return recovery;
    }

    /**
     * An answer that cannot be read.
     *
     * @param why what is wrong with it
     * @param status its status, or 0 if it did not arrive whole
     * @param requestId the service's id of it, or {@code null} if it has none
     */
    public record UndecodableResponse(
            String why, int status, @Nullable String requestId) {

        private static UndecodableResponse of(String why, HttpResponse response, Exchange<?> exchange) {
            String id = response.getHeaderValue(StorageResponse.REQUEST_ID);
            return new UndecodableResponse(
                    exchange.masked(why), response.getStatusCode(), id == null ? null : exchange.masked(id));
        }

        private static UndecodableResponse of(Throwable error, Exchange<?> exchange) {
            return new UndecodableResponse(exchange.masked(String.valueOf(error.getMessage())), 0, null);
        }
    }

    /**
     * What a failed attempt ended with.
     *
     * @param refusal the service's refusal of it, or {@code null}
     * @param unreadable what is wrong with an answer that cannot be read, or {@code null}
     * @param error the error that came in place of an answer, or {@code null}
     * @param written whether the request may have been written
     * @param secrets the proof that its request carried, which the error may repeat
     */
    record AttemptFailure(
            @Nullable ServiceError refusal,
            @Nullable UndecodableResponse unreadable,
            @Nullable Throwable error,
            boolean written,
            RequestSecrets secrets) {}
}
