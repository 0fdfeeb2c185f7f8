package io.stowline.transport.internal.account;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.SimpleTokenCache;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import io.stowline.transport.internal.concurrent.UserCode;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The tokens for one scope and tenant: requested once for all who wait, and renewed before they expire. */
final class TokenCache {

    /** Longer than any credential that works: its timeouts and retries are over by then. */
    private static final Duration HANGING = Duration.ofSeconds(30);

    private final Function<TokenRequestContext, SimpleTokenCache> caches;
    private final TokenRequestContext requested;
    private final SimpleTokenCache cache;
    private final AtomicReference<@Nullable Instant> pending = new AtomicReference<>();
    private volatile @Nullable AccessToken last;

    TokenCache(Function<TokenRequestContext, SimpleTokenCache> caches, TokenRequestContext requested) {
        this.caches = caches;
        this.requested = requested;
        this.cache = caches.apply(requested);
    }

    /**
     * Makes a source of token caches. A credential is the application's code and may block, so that it is called on a
     * separate thread.
     */
    static Function<TokenRequestContext, SimpleTokenCache> caches(TokenCredential credential, Executor executor) {
        Scheduler own = Schedulers.fromExecutor(executor);
        return requested ->
                new SimpleTokenCache(() -> Mono.defer(() -> UserCode.call(() -> credential.getToken(requested)))
                        .subscribeOn(own));
    }

    /** Returns a cache without a token. */
    TokenCache renewed() {
        return renewed(requested);
    }

    TokenCache renewed(TokenRequestContext other) {
        return new TokenCache(caches, other);
    }

    /** Returns a cache that requests a new token but keeps using the present one. */
    TokenCache again() {
        TokenCache next = renewed();
        next.last = last;
        return next;
    }

    /** Returns a token. One that is still good is not held back by the wait for the next one. */
    Mono<AccessToken> token(Instant now) {
        return Mono.defer(() -> {
            // The cache's own Mono must not be cancelled: another request that waits for the same token would wait for
            // ever.
            CompletableFuture<AccessToken> next = cache.getToken().toFuture();
            if (next.isDone()) {
                pending.set(null);
            } else if (pending.compareAndSet(null, now)) {
                CompletableFuture<AccessToken> unused = next.whenComplete((token, failed) -> pending.set(null));
            }
            AccessToken known = last;
            return next.isDone() || known == null || known.isExpired()
                    ? Mono.fromFuture(next, true).doOnNext(token -> last = token)
                    : Mono.just(known);
        });
    }

    /** Returns whether the credential has not responded for so long that it never will. */
    boolean hangs(Instant now) {
        Instant since = pending.get();
        return since != null && !now.isBefore(since.plus(HANGING));
    }
}
