package io.stowline.transport.internal;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.SimpleTokenCache;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The tokens for one scope and tenant: asked for once for all who wait, and renewed before they expire. */
final class TokenSource {

    private final Function<TokenRequestContext, SimpleTokenCache> caches;
    private final TokenRequestContext asked;
    private final SimpleTokenCache cache;
    private volatile @Nullable AccessToken last;

    TokenSource(Function<TokenRequestContext, SimpleTokenCache> caches, TokenRequestContext asked) {
        this.caches = caches;
        this.asked = asked;
        this.cache = caches.apply(asked);
    }

    /** A credential is the application's code and may block, so that it is asked on a thread of its own. */
    static Function<TokenRequestContext, SimpleTokenCache> caches(TokenCredential credential, Executor executor) {
        Scheduler own = Schedulers.fromExecutor(executor);
        return asked -> new SimpleTokenCache(
                () -> Mono.defer(() -> credential.getToken(asked)).subscribeOn(own));
    }

    /** The same, which knows of no token yet. */
    TokenSource anew() {
        return anew(asked);
    }

    TokenSource anew(TokenRequestContext other) {
        return new TokenSource(caches, other);
    }

    /** A token that is still good is not held back by the wait for the next one. */
    Mono<AccessToken> token() {
        return Mono.defer(() -> {
            // The cache's own Mono must not be cancelled: whoever else waits for the same token would wait for ever.
            CompletableFuture<AccessToken> next = cache.getToken().toFuture();
            AccessToken known = last;
            return next.isDone() || known == null || known.isExpired()
                    ? Mono.fromFuture(next, true).doOnNext(token -> last = token)
                    : Mono.just(known);
        });
    }
}
