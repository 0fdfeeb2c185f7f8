package io.stowline.transport.internal.pipeline;

import io.stowline.retry.AttemptLog.ThrottleScope;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.retry.internal.rate.RateTimeoutException;
import io.stowline.retry.internal.timeout.AttemptTimeoutException;
import io.stowline.transport.internal.account.TokenRequestException;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.BodySink.RefusedBodyException;
import io.stowline.transport.internal.http.BodySlices.UnreadableBodyException;
import io.stowline.transport.internal.http.ProxyConnectionException;
import io.stowline.transport.internal.limits.CircuitBreakerGuard.BreakerOpenException;
import io.stowline.transport.internal.request.OperationType;
import java.io.IOException;
import java.net.UnknownHostException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import reactor.netty.channel.AbortedException;

/**
 * A classifier of responses by status and error code, after the table of the service's documented codes. Stateless.
 *
 * <p>An attempt is ambiguous when the request may have been carried out although no response shows it; reads never are.
 */
public final class StorageClassifier {

    private static final Set<String> BEING_DELETED =
            Set.of("TableBeingDeleted", "QueueBeingDeleted", "ContainerBeingDeleted");
    private static final Set<String> DAMAGED_IN_TRANSIT = Set.of("Md5Mismatch", "Crc64Mismatch");

    private static final int DEEPEST_CAUSE = 20;

    private StorageClassifier() {}

    /** Returns whether a write that was refused so may have been carried out. */
    public static boolean leavesUnresolved(ServiceError refusal) {
        return classify(refusal, OperationType.WRITE).ambiguous();
    }

    static Verdict classify(ServiceError error, OperationType effect) {
        Verdict verdict = byStatus(error, effect);
        return error.hint() == null || verdict.kind() != Verdict.VerdictKind.RETRY
                ? verdict
                : verdict.withHint(error.hint());
    }

    private static Verdict byStatus(ServiceError error, OperationType effect) {
        String reason = error.code() == null ? Integer.toString(error.status()) : error.status() + " " + error.code();
        return switch (error.status()) {
            case 429 -> Verdict.retry(reason).asThrottling(throttled(error));
            case 503 ->
                error.is("ServerBusy") ? Verdict.retry(reason).asThrottling(throttled(error)) : lost(reason, effect);
            case 500 ->
                error.is("OperationTimedOut")
                        ? lost(reason, effect).asThrottling(throttled(error))
                        : lost(reason, effect);
            case 408, 502, 504 -> lost(reason, effect);
            case 409 ->
                error.is("AccountBeingCreated")
                                || (effect == OperationType.CREATE
                                        && BEING_DELETED.contains(String.valueOf(error.code())))
                        ? Verdict.retry(reason)
                        : Verdict.never(reason);
            case 400 ->
                DAMAGED_IN_TRANSIT.contains(String.valueOf(error.code()))
                        ? Verdict.retry(reason)
                        : Verdict.never(reason);
            case 501, 505 -> Verdict.never(reason);
            default ->
                foreign(error.status()) ? notOfTheService(error.status(), reason, effect) : Verdict.never(reason);
        };
    }

    /**
     * Returns whether the service refuses no request with this status: neither a 4xx nor one of its 5xx. A read of an
     * unchanged resource gets a 304.
     */
    private static boolean foreign(int status) {
        return status / 100 != 4;
    }

    /**
     * A response of something else in the service's place shows nothing about a write; a redirection would be met again
     * (OUTCOME-0).
     */
    private static Verdict notOfTheService(int status, String reason, OperationType effect) {
        if (status / 100 != 3) {
            return lost(reason, effect);
        }
        Verdict verdict = Verdict.never(reason);
        return effect == OperationType.READ ? verdict : verdict.asAmbiguous();
    }

    /** The text names the account where its limits are meant: "Operations per second is over the account limit." and the like. */
    private static ThrottleScope throttled(ServiceError error) {
        return error.message().contains("over the account limit") ? ThrottleScope.ACCOUNT : ThrottleScope.PARTITION;
    }

    /** Returns the verdict on a response that came but could not be read: its content is lost. */
    static Verdict unreadable(String why, OperationType effect) {
        return lost(why, effect);
    }

    /** Returns the verdict on a response that is too long, as a repetition would be. */
    static Verdict tooLong(OperationType effect) {
        return last("response too long", effect);
    }

    /** Returns the verdict on an unreadable response where a repetition does not help. */
    static Verdict last(String why, OperationType effect) {
        Verdict verdict = Verdict.never(why);
        return effect == OperationType.READ ? verdict : verdict.asAmbiguous();
    }

    static Verdict classify(Throwable error, OperationType effect, boolean written) {
        String reason = error.getClass().getSimpleName();
        if (error instanceof BreakerOpenException || error instanceof RateTimeoutException) {
            return Verdict.never(reason);
        }
        if (error instanceof RefusedBodyException) {
            // the service has carried the request out, and its response is of no use to this client
            return last(reason, effect);
        }
        if (error instanceof UnreadableBodyException) {
            return Verdict.never(reason);
        }
        if (error instanceof TokenRequestException noToken) {
            return noToken.unreachable() ? Verdict.retryNow(reason) : Verdict.never(reason);
        }
        if (written) {
            // Any other error, even a response that breaks the rules of HTTP: the request was out and its response is
            // lost.
            return lost(reason, effect);
        }
        if (error instanceof TimeoutException || error instanceof AttemptTimeoutException) {
            return Verdict.retry(reason);
        }
        if (hardlyPasses(error)) {
            return Verdict.retryOnce(reason);
        }
        return connection(error) ? Verdict.retryNow(reason) : Verdict.never(reason);
    }

    /**
     * An unknown host, a certificate that is not trusted, credentials that a proxy refuses: the next attempt is likely
     * to fail the same way.
     */
    private static boolean hardlyPasses(Throwable error) {
        if (error instanceof ProxyConnectionException refused && refused.unauthorized()) {
            return true;
        }
        if (error instanceof UnknownHostException || error instanceof SSLPeerUnverifiedException) {
            return true;
        }
        Throwable cause = error instanceof SSLException ? error.getCause() : null;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof CertificateException || cause instanceof CertPathValidatorException) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /**
     * Returns whether there was no connection, or it broke, or none became free; Reactor Netty's own signal of it is no
     * IOException.
     */
    static boolean connection(Throwable error) {
        return error instanceof IOException || error instanceof TimeoutException || error instanceof AbortedException;
    }

    private static Verdict lost(String reason, OperationType effect) {
        Verdict verdict = Verdict.retry(reason);
        return effect == OperationType.READ ? verdict : verdict.asAmbiguous();
    }
}
