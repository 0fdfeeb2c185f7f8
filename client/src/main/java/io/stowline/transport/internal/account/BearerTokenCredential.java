package io.stowline.transport.internal.account;

import com.azure.core.credential.SimpleTokenCache;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import io.stowline.transport.internal.account.AccountCredential.Authorizer;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.HttpDates;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Tokens of Microsoft Entra ID. A token is kept until it is about to expire; a refusal with a bearer challenge requests a fresh one, for the tenant and with the claims that the challenge names (RETRY-3).
 */
public final class BearerTokenCredential implements AccountCredential, Authorizer {

    /** The scope of all clouds and services (the page "Authorize with Microsoft Entra ID"). */
    static final String SCOPE = "https://storage.azure.com/.default";

    private static final HttpHeaderName DATE = HttpHeaderName.fromString("x-ms-date");

    private final HttpDates dates = new HttpDates();
    /** A {@code TokenCredential} does not reveal its identity, so each instance gets its own cache scope. */
    private final String scope =
            AccountCredential.fingerprint("tokens", UUID.randomUUID().toString());

    private volatile TokenCache source;

    BearerTokenCredential(TokenCredential credential, Executor executor) {
        this(TokenCache.caches(credential, executor));
    }

    BearerTokenCredential(Function<TokenRequestContext, SimpleTokenCache> caches) {
        this.source = new TokenCache(caches, context());
    }

    private static TokenRequestContext context() {
        return new TokenRequestContext().addScopes(SCOPE).setCaeEnabled(true);
    }

    @Override
    public Authorizer authorizer(Service service) {
        return this;
    }

    @Override
    public String scope() {
        return scope;
    }

    @Override
    public Mono<Proof> authorize(HttpRequest request, Instant now) {
        if (source.hangs(now)) {
            TokenCache hanging = source;
            replace(hanging, hanging.again());
        }
        TokenCache used = source;
        String host = request.getUrl().getHost();
        return used.token(now)
                .switchIfEmpty(Mono.error(() -> new TokenRequestException(null)))
                .onErrorMap(TokenRequestException::of)
                .doOnError(failed -> replace(used, used.renewed()))
                .map(token -> {
                    request.setHeader(DATE, dates.print(now.getEpochSecond()));
                    request.setHeader(HttpHeaderName.AUTHORIZATION, "Bearer " + token.getToken());
                    return refusal -> renewed(used, refusal, host);
                });
    }

    /**
     * Unless another operation has done it already. After a failure the cache of azure-core would hold the next request back for 30 s, and
     * behind one that hangs for ever. An abandoned attempt shows nothing about its token, nor about a credential that is still at work.
     */
    private synchronized void replace(TokenCache used, TokenCache next) {
        if (source == used) {
            source = next;
        }
    }

    private @Nullable String renewed(TokenCache used, ServiceError refusal, String host) {
        BearerChallenge challenge = refusal.status() == 401 ? BearerChallenge.in(refusal.challenge()) : null;
        if (challenge == null) {
            return null;
        }
        replace(used, used.renewed(challenge.requests(context(), host)));
        return "401 with a challenge, so that the client requested a new token";
    }

    @Override
    public String toString() {
        return "BearerToken(not shown)";
    }
}
