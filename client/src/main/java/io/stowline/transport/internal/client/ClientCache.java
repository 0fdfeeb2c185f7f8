package io.stowline.transport.internal.client;

import io.stowline.caching.Freshness;
import io.stowline.caching.internal.engine.CacheEngine;
import io.stowline.caching.internal.engine.CacheRead;
import io.stowline.caching.internal.engine.CachedResponse;
import io.stowline.caching.internal.load.CacheKey;
import io.stowline.caching.internal.load.Loader;
import io.stowline.caching.internal.load.Loader.Conditions;
import io.stowline.error.CircuitOpenException;
import io.stowline.error.ClosedException;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.AccountCredential;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.ChangedResources;
import io.stowline.transport.internal.request.ExtraHeaders;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.OperationType;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The cache of one client's reads. It is made when it is first needed, and costs nothing until then. It is notified of the end
 * of every write before the writer is (CACHE-4). Thread-safe.
 */
public final class ClientCache {

    private static final Logger LOG = LoggerFactory.getLogger(ClientCache.class);

    private final AccountCredential credential;
    private final Supplier<CacheEngine> maker;
    private final Scheduler timer;
    private volatile @Nullable CacheEngine made;
    private long invalidUntil;
    private boolean closed;

    public ClientCache(AccountCredential credential, Supplier<CacheEngine> maker, Scheduler timer) {
        this.credential = credential;
        this.maker = maker;
        this.timer = timer;
        this.invalidUntil = now();
    }

    private long now() {
        return timer.now(TimeUnit.NANOSECONDS);
    }

    /**
     * Reads through the cache.
     *
     * @param freshness the bounds of the cached responses
     * @param loader sends the request
     * @return the response, on whatever thread; a {@link DeadlineExceededException} if another read's load takes longer than this one waits
     */
    public Mono<CachedResponse> read(Operation operation, CacheKey key, Freshness freshness, Loader loader) {
        return cache().read(new CacheRead(key, freshness, loader, ClientCache::unavailable))
                .onErrorMap(TimeoutException.class, late -> tooLate(operation, longest(loader), late));
    }

    private static Duration longest(Loader loader) {
        Duration still = loader.maxStandstill();
        return still.compareTo(loader.maxWait()) < 0 ? still : loader.maxWait();
    }

    private static DeadlineExceededException tooLate(Operation operation, Duration waited, TimeoutException late) {
        return new DeadlineExceededException(
                FailureFacts.of(operation.name(), operation.resource())
                        .tried(0, 0, waited)
                        .because("the load of another reader has not ended", "the deadline of " + waited + " is over"),
                late);
    }

    /** Makes the cache now: that may take a while, and fail. */
    void open() {
        make();
    }

    /** Returns whether it is made and not closed. */
    synchronized boolean isOpen() {
        return made != null && !closed;
    }

    private CacheEngine cache() {
        CacheEngine known = made;
        return known == null ? make() : known;
    }

    private synchronized CacheEngine make() {
        if (closed) {
            throw new ClosedException("this Stowline is closed");
        }
        CacheEngine known = made;
        if (known == null) {
            known = maker.get();
            long unresolved = invalidUntil - now();
            if (unresolved > 0) {
                known.invalidateAll("", Duration.ofNanos(unresolved));
            }
            made = known;
        }
        return known;
    }

    /** A refusal is a response, unlike a service that is not reached, is too busy, or fails. */
    private static boolean unavailable(Throwable error) {
        return error instanceof UnreachableException
                || error instanceof ThrottledException
                || error instanceof ServerErrorException
                || error instanceof DeadlineExceededException
                || error instanceof TimeoutException
                || error instanceof CircuitOpenException;
    }

    /**
     * Returns the key of a resource that is read with the present credential (CACHE-6).
     *
     * @param address its address, without a query
     * @param variant what is read of it, and in which form
     * @param headers what the application adds to the request, as they may decide the response
     */
    public CacheKey key(String address, String variant, ExtraHeaders headers) {
        String scope = credential.scope();
        return new CacheKey(headers.isEmpty() ? scope : headers.digest(scope), address, variant);
    }

    public void ended(Exchange<?> exchange) {
        if (exchange.request().type() != OperationType.READ && (made != null || exchange.unanswered() > 0)) {
            ended(exchange, exchange.timeUntilSettled(timer));
        }
    }

    private void ended(Exchange<?> exchange, Duration ahead) {
        CacheEngine known = madeOrInvalidated(ahead);
        if (known == null) {
            return;
        }
        try {
            exchange.request().changes().invalidate(new CacheInvalidation(known, ahead));
        } catch (RuntimeException e) {
            LOG.warn("the resources that a write changed could not be determined: the whole cache is invalidated", e);
            known.invalidateAll("", ahead);
        }
    }

    /** A write without a response may take effect after the cache has been made. */
    private @Nullable CacheEngine madeOrInvalidated(Duration ahead) {
        CacheEngine known = made;
        return known == null ? extendInvalidation(ahead) : known;
    }

    private synchronized @Nullable CacheEngine extendInvalidation(Duration ahead) {
        CacheEngine known = made;
        long until = now() + ahead.toNanos();
        if (known == null && until - invalidUntil > 0) {
            invalidUntil = until;
        }
        return known;
    }

    /**
     * Forgets something that another client has changed.
     *
     * @param address its address, without a query
     */
    public void forget(String address) {
        CacheEngine known = made;
        if (known != null) {
            known.invalidate(address);
        }
    }

    /** Gives back what it holds, after the last of it was reported. */
    synchronized void close(Consumer<CacheEngine> reported) {
        CacheEngine known = made;
        if (known != null && !closed) {
            reported.accept(known);
            known.close();
        }
        closed = true;
    }

    /** A notice to the cache of changed resources, and of the time for which they may yet change. */
    private record CacheInvalidation(CacheEngine cache, Duration ahead) implements ChangedResources.AddressCache {

        @Override
        public void changed(String address) {
            cache.invalidate(address, ahead);
        }

        @Override
        public void allChanged(String beginning) {
            cache.invalidateAll(beginning, ahead);
        }
    }

    /**
     * A loader that sends a cached read to the service, as often and as long as the retry settings of its view allow.
     *
     * @param inParts whether the time of the settings begins again with each part that comes, and so for how long the read waits for another
     *     one's load
     * @param requesting sends requests with the settings that it is given
     */
    public record CacheLoader(
            RetrySettings retry,
            boolean inParts,
            BiFunction<RetrySettings, Conditions, Mono<Loader.LoadResult>> requesting)
            implements Loader {

        @Override
        public Mono<Loader.LoadResult> load(Conditions conditions) {
            return requesting.apply(retry, conditions);
        }

        @Override
        public Mono<Loader.LoadResult> loadOnce(Conditions conditions) {
            return requesting.apply(retry.toBuilder().retries(0).build(), conditions);
        }

        @Override
        public Duration patience() {
            return retry.deadline();
        }

        @Override
        public Duration maxWait() {
            return inParts ? Loader.super.maxWait() : retry.deadline();
        }

        @Override
        public Duration maxStandstill() {
            return inParts ? retry.deadline() : Loader.super.maxStandstill();
        }
    }
}
