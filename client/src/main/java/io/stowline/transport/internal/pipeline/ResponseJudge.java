package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpResponse;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.transport.internal.account.ServerClock;
import io.stowline.transport.internal.error.GatewayResponses;
import io.stowline.transport.internal.error.GatewayResponses.ForeignResponseException;
import io.stowline.transport.internal.error.RequestSecrets;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.MalformedResponseException;
import io.stowline.transport.internal.http.ResponseBounds.ResponseTooLongException;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.response.BufferedResponse;
import io.stowline.transport.internal.limits.UnwantedAttemptException;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/** Judge of the ends of attempts: each response or error becomes a verdict and, where there is one, a value, a refusal or a defect. Thread-safe. */
final class ResponseJudge {

    /** The reason of an attempt that was not made. */
    static final String UNWANTED = "unwanted";

    private static final String UNREADABLE = "unreadable response";
    private static final String NOT_OF_THE_SERVICE = "not a response of the service";

    private final ServerClock clock;

    /**
     * A judge of one service.
     *
     * @param clock the service's time, as far as it is known
     */
    ResponseJudge(ServerClock clock) {
        this.clock = clock;
    }

    /** Judges an attempt that ended with this response, or else with this error. */
    <A> ResponseFinding<A> judge(
            Exchange<A> exchange, RequestAttempt attempt, @Nullable HttpResponse response, @Nullable Throwable error) {
        return response == null
                ? failed(
                        exchange,
                        attempt,
                        Exceptions.unwrap(Objects.requireNonNull(error, "neither response nor error")))
                : responded(exchange, attempt, response);
    }

    private static <A> ResponseFinding<A> failed(Exchange<A> exchange, RequestAttempt attempt, Throwable error) {
        Request request = exchange.request();
        if (error instanceof UnwantedAttemptException) {
            return ResponseFinding.of(Verdict.never(UNWANTED));
        }
        if (error instanceof ResponseTooLongException) {
            return ResponseFinding.of(
                    StorageClassifier.last("response too long", request.type()),
                    UndecodableResponse.of(error, attempt));
        }
        Verdict verdict = once(
                request,
                StorageClassifier.classify(
                        error, request.type(), attempt.tracker().endedBy(error)));
        return error instanceof MalformedResponseException || error instanceof ForeignResponseException
                ? ResponseFinding.of(verdict, UndecodableResponse.of(error, attempt))
                : ResponseFinding.of(verdict);
    }

    private <A> ResponseFinding<A> responded(Exchange<A> exchange, RequestAttempt attempt, HttpResponse response) {
        Request request = exchange.request();
        boolean success = response.getStatusCode() / 100 == 2 || unchanged(request, response);
        ServiceError error = success ? null : ServiceError.of(whole(attempt, response), clock.now());
        String foreign = GatewayResponses.against(response, error);
        if (foreign != null) {
            Verdict verdict = GatewayResponses.redirects(response.getStatusCode())
                    ? StorageClassifier.last(NOT_OF_THE_SERVICE, request.type())
                    : once(request, StorageClassifier.lost(NOT_OF_THE_SERVICE, request.type()));
            return ResponseFinding.of(verdict, UndecodableResponse.of(foreign, response, attempt));
        }
        if (error != null) {
            return ResponseFinding.of(once(request, refused(exchange, attempt, error)), error);
        }
        ResponseParser<A> parser = exchange.parser();
        return parser == null
                ? documented(exchange, attempt, response)
                : parsed(exchange, attempt, parser.read(whole(attempt, response)), response);
    }

    /** True for the response to a read on condition of a change, which is no error (CACHE-1). */
    private static boolean unchanged(Request request, HttpResponse response) {
        return response.getStatusCode() == 304 && request.type() == OperationType.READ && request.conditional();
    }

    /** The response with its body, which the pipeline reads whole for refusals and for parsers. */
    private static StorageResponse whole(RequestAttempt attempt, HttpResponse response) {
        return new StorageResponse(
                response.getStatusCode(),
                BufferedResponse.headers(response),
                BufferedResponse.bytes(response),
                attempt.origin(),
                attempt);
    }

    private Verdict refused(Exchange<?> exchange, RequestAttempt attempt, ServiceError error) {
        boolean ofProof = error.status() == 401 || error.status() == 403;
        String remedy = ofProof ? exchange.recovery().against(error, attempt, clock) : null;
        return remedy == null
                ? StorageClassifier.classify(error, exchange.request().type())
                : Verdict.remedied(remedy);
    }

    /** The SDK client reads the meaning of the response, if it is one of the service at all. */
    private static <A> ResponseFinding<A> documented(
            Exchange<A> exchange, RequestAttempt attempt, HttpResponse response) {
        Request request = exchange.request();
        DocumentedStatus success = exchange.success();
        String wrong = success == null ? null : success.against(response);
        if (success == null || wrong == null) {
            return ResponseFinding.of(Verdict.success());
        }
        boolean listing = success.against(response.getStatusCode()) == null;
        Verdict verdict =
                listing ? Verdict.never(UNREADABLE) : once(request, StorageClassifier.lost(UNREADABLE, request.type()));
        return ResponseFinding.of(verdict, UndecodableResponse.of(wrong, response, attempt));
    }

    private <A> ResponseFinding<A> parsed(
            Exchange<A> exchange, RequestAttempt attempt, ParseResult<A> result, HttpResponse response) {
        if (result instanceof ParseResult.Value<A> done) {
            return new ResponseFinding<>(Verdict.success(), done.value(), null, null);
        }
        if (result instanceof ParseResult.RefusedResponse<A> inside) {
            return ResponseFinding.of(refused(exchange, attempt, inside.error()), inside.error());
        }
        ParseResult.Unreadable<A> wrong = (ParseResult.Unreadable<A>) result;
        OperationType type = exchange.request().type();
        Verdict verdict =
                wrong.again() ? StorageClassifier.lost(UNREADABLE, type) : StorageClassifier.last(UNREADABLE, type);
        return ResponseFinding.of(verdict, UndecodableResponse.of(wrong.why(), response, attempt));
    }

    /** An ambiguous attempt is the last one where the meaning of a second response would be unknown (RETRY-11). */
    private static Verdict once(Request request, Verdict verdict) {
        return verdict.ambiguous() && !request.repeatable()
                ? Verdict.never(verdict.reason()).asAmbiguous()
                : verdict;
    }

    /**
     * Finding on one end of an attempt.
     *
     * @param value the meaning of its response, or {@code null} without a success
     * @param refusal the service's refusal, or {@code null}
     * @param undecodable the defect of its response, or {@code null}
     */
    record ResponseFinding<A>(
            Verdict verdict,
            @Nullable A value,
            @Nullable ServiceError refusal,
            @Nullable UndecodableResponse undecodable) {

        static <A> ResponseFinding<A> of(Verdict verdict) {
            return new ResponseFinding<>(verdict, null, null, null);
        }

        static <A> ResponseFinding<A> of(Verdict verdict, ServiceError refusal) {
            return new ResponseFinding<>(verdict, null, refusal, null);
        }

        static <A> ResponseFinding<A> of(Verdict verdict, UndecodableResponse undecodable) {
            return new ResponseFinding<>(verdict, null, null, undecodable);
        }
    }

    /**
     * A response that cannot be read.
     *
     * @param why its fault
     * @param status its status, or 0 if it did not arrive whole
     * @param requestId the service's id of it, or {@code null} if it has none
     */
    public record UndecodableResponse(
            String why, int status, @Nullable String requestId) {

        private static UndecodableResponse of(String why, HttpResponse response, RequestAttempt attempt) {
            String id = response.getHeaderValue(StorageResponse.REQUEST_ID);
            return new UndecodableResponse(
                    attempt.masked(why), response.getStatusCode(), id == null ? null : attempt.masked(id));
        }

        private static UndecodableResponse of(Throwable error, RequestAttempt attempt) {
            return new UndecodableResponse(attempt.masked(String.valueOf(error.getMessage())), 0, null);
        }
    }

    /**
     * The end of a failed attempt.
     *
     * @param refusal the service's refusal of it, or {@code null}
     * @param unreadable the fault of an unreadable response, or {@code null}
     * @param error the error that came in place of a response, or {@code null}
     * @param written whether the request may have been written
     * @param secrets the proof that its request carried, which the error may repeat
     */
    record AttemptFailure(
            @Nullable ServiceError refusal,
            @Nullable UndecodableResponse unreadable,
            @Nullable Throwable error,
            boolean written,
            RequestSecrets secrets) {

        /** Returns the failure of an exchange without an attempt. */
        static AttemptFailure unsent(@Nullable Throwable error) {
            return new AttemptFailure(
                    null, null, error == null ? null : Exceptions.unwrap(error), false, RequestSecrets.NONE);
        }
    }
}
