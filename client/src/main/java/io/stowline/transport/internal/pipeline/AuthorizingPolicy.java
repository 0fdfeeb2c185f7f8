package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.stowline.transport.internal.account.AccountCredential.Authorizer;
import io.stowline.transport.internal.account.ServerClock;
import io.stowline.transport.internal.error.RequestSecrets;
import io.stowline.transport.internal.error.ServiceError;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Authorizes each attempt by the service's time, as far as it is known; the innermost policy. */
final class AuthorizingPolicy implements HttpPipelinePolicy {

    private final Authorizer authorizer;
    private final ServerClock clock;

    AuthorizingPolicy(Authorizer authorizer, ServerClock clock) {
        this.authorizer = authorizer;
        this.clock = clock;
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        Instant now = clock.now();
        HttpRequest request = context.getHttpRequest();
        Exchange<Object> exchange = Exchange.in(context);
        exchange.authorizing();
        Authorizer.Proof atOnce = authorizer.authorizeAtOnce(request, now);
        return atOnce != null
                ? send(exchange, request, now, atOnce, next)
                : authorizer.authorize(request, now).flatMap(proof -> send(exchange, request, now, proof, next));
    }

    private static Mono<HttpResponse> send(
            Exchange<Object> exchange,
            HttpRequest request,
            Instant now,
            Authorizer.Proof proof,
            HttpPipelineNextPolicy next) {
        exchange.sent(now, proof, RequestSecrets.of(request));
        return next.process();
    }

    /** What is done against refusals of the caller's proof, each once in a call (RETRY-3). Attempts follow each other. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one attempt at a time
    static final class AuthRecovery {

        private volatile @Nullable Instant signed;
        private volatile Authorizer.@Nullable Proof proof;
        private volatile boolean redated;
        private volatile boolean renewed;
        private volatile String found = "";
        private volatile String tried = "";

        /** The next attempt is about to be authorized: what was found is being tried. */
        void trying() {
            tried = tried + found;
            found = "";
        }

        /** The attempt goes out with this date and this proof. */
        void signed(Instant date, Authorizer.Proof with) {
            signed = date;
            proof = with;
        }

        /** Finds out what can be done against a refusal; {@code null} if nothing can. */
        @Nullable
        String against(ServiceError error, ServerClock clock) {
            String remedy = redated(error, clock);
            if (remedy == null) {
                remedy = renewed(error);
            }
            if (remedy != null) {
                found = "; " + remedy;
            }
            return remedy;
        }

        /** What was tried; each with a semicolon before it. What no attempt followed is left out. */
        String tried() {
            return tried;
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
            return "403 AuthenticationFailed, this machine's clock is "
                    + off.abs().toSeconds() + " s " + (off.isNegative() ? "ahead" : "behind")
                    + ", signed once more with the service's time";
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
}
