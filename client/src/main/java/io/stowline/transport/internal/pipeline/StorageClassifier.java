package io.stowline.transport.internal.pipeline;

import io.stowline.error.internal.StatusMeaning;
import io.stowline.retry.AttemptEnd.ThrottleScope;
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
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import reactor.netty.channel.AbortedException;

/**
 * A classifier of the ends of attempts: of a response by its {@link StatusMeaning}, of an error by its type. Stateless.
 *
 * <p>An attempt is ambiguous when the request may have been carried out although no response shows it; reads never are.
 */
public final class StorageClassifier {

    private static final int DEEPEST_CAUSE = 20;

    private StorageClassifier() {}

    static Verdict classify(ServiceError error, OperationType effect) {
        Verdict verdict = byStatus(error, effect);
        return error.hint() == null || verdict.kind() != Verdict.VerdictKind.RETRY
                ? verdict
                : verdict.withHint(error.hint());
    }

    private static Verdict byStatus(ServiceError error, OperationType effect) {
        String reason = error.code() == null ? Integer.toString(error.status()) : error.status() + " " + error.code();
        StatusMeaning meaning = error.meaning();
        Verdict verdict =
                meaning.passes(effect == OperationType.CREATE) ? Verdict.retry(reason) : Verdict.never(reason);
        if (meaning.throttles()) {
            verdict = verdict.asThrottling(throttled(error));
        }
        return meaning.unresolved() ? ambiguous(verdict, effect) : verdict;
    }

    /** The text names the account where its limits are meant: "Operations per second is over the account limit." and the like. */
    private static ThrottleScope throttled(ServiceError error) {
        return error.message().contains("over the account limit") ? ThrottleScope.ACCOUNT : ThrottleScope.PARTITION;
    }

    /** Returns the verdict on an unreadable response where a repetition does not help. */
    static Verdict last(String why, OperationType effect) {
        return ambiguous(Verdict.never(why), effect);
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

    /** Returns the verdict on a response that did not come or could not be read: its content is lost. */
    static Verdict lost(String reason, OperationType effect) {
        return ambiguous(Verdict.retry(reason), effect);
    }

    private static Verdict ambiguous(Verdict verdict, OperationType effect) {
        return effect == OperationType.READ ? verdict : verdict.asAmbiguous();
    }
}
