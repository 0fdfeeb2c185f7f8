package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.stowline.transport.internal.account.AccountCredential.Authorizer;
import io.stowline.transport.internal.account.ServerClock;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.RequestHeaders;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.response.EagerHttpClient;
import io.stowline.transport.internal.netty.HttpWire;
import io.stowline.transport.internal.netty.UserAgent;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ServiceVersion;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** HTTP client of one service that authorizes each attempt by the service's time, as far as it is known. Thread-safe. */
public final class AuthorizedClient {

    private static final Context WHOLE = new Context(EagerHttpClient.EAGER, true);

    private final Authorizer authorizer;
    private final ServerClock clock;
    private final HttpClient client;
    private final UserAgent userAgent;
    private final ServiceVersion version;

    AuthorizedClient(Authorizer authorizer, ServerClock clock, HttpWire wire, ServiceVersion version) {
        this.authorizer = authorizer;
        this.clock = clock;
        this.client = wire.client();
        this.userAgent = wire.userAgent();
        this.version = version;
    }

    /** Sends an attempt of a request of this library, whose response is read whole. */
    Mono<HttpResponse> send(RequestAttempt attempt, String url) {
        return send(attempt, request(attempt.exchange(), url), WHOLE);
    }

    private DirectRequest request(Exchange<?> exchange, String url) {
        Request request = exchange.request();
        RequestHeaders headers = request.headers();
        if (headers.has(StorageResponse.CLIENT_REQUEST_ID)) {
            // An earlier attempt has them, and may still be in flight. A copy for the first one would cost each request
            // 0.6 KB.
            headers = headers.copy();
        }
        headers.set(StorageResponse.CLIENT_REQUEST_ID, exchange.clientRequestId());
        headers.set(ServiceVersion.HEADER, version.date());
        RequestBody body = request.body();
        if (body != null) {
            headers.set(HttpHeaderName.CONTENT_LENGTH, Integer.toString(body.length()));
        }
        Consumer<RequestHeaders> ofAttempt = request.attemptHeaders();
        if (ofAttempt != null) {
            ofAttempt.accept(headers);
        }
        return new DirectRequest(
                request.method(),
                url,
                headers,
                body,
                request.maxResponse(),
                exchange.options().standstill());
    }

    /**
     * Sends an attempt.
     *
     * @param request its request, changed in place
     * @param context what the HTTP client is given beside it
     */
    public Mono<HttpResponse> send(RequestAttempt attempt, HttpRequest request, Context context) {
        request.setHeader(HttpHeaderName.USER_AGENT, userAgent.text());
        Instant now = clock.now();
        attempt.authorizing();
        if (attempt.exchange().request().foreign()) {
            return sent(attempt, request, null, null, context);
        }
        Authorizer.Proof atOnce = authorizer.authorizeAtOnce(request, now);
        return atOnce != null
                ? sent(attempt, request, now, atOnce, context)
                : authorizer.authorize(request, now).flatMap(proof -> sent(attempt, request, now, proof, context));
    }

    private Mono<HttpResponse> sent(
            RequestAttempt attempt,
            HttpRequest request,
            @Nullable Instant now,
            Authorizer.@Nullable Proof proof,
            Context context) {
        attempt.sent(now, proof, request);
        return client.send(request, context);
    }

    boolean signsEachRequest() {
        return authorizer.signsEachRequest();
    }

    /** Authorizes a request that does not travel by itself: a part of another one, or the source of a copy. */
    Mono<DirectRequest> authorized(DirectRequest part) {
        return Mono.defer(() -> authorizer.authorize(part, clock.now())).thenReturn(part);
    }
}
