package io.stowline.transport.internal;

import io.stowline.caching.CacheKey;
import io.stowline.caching.CachedAnswer;
import io.stowline.caching.Freshness;
import io.stowline.caching.Loader;
import io.stowline.caching.ResponseCache;
import io.stowline.error.CircuitOpenException;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * What one client keeps of what it has read. It is made when it is first needed; until then nothing costs anything. It is told of the end
 * of every write before the writer is (C4). Thread-safe.
 */
public final class AccountCache {

    private final AccountCredential credential;
    private final Supplier<ResponseCache> maker;
    private final Scheduler timer;
    private volatile @Nullable ResponseCache made;
    private boolean closed;

    AccountCache(AccountCredential credential, Supplier<ResponseCache> maker, Scheduler timer) {
        this.credential = credential;
        this.maker = maker;
        this.timer = timer;
    }

    /**
     * Reads through the cache.
     *
     * @param key what is read
     * @param freshness what may be given without asking
     * @param loader asks the service
     * @return the answer, on whatever thread
     */
    public Mono<CachedAnswer> read(CacheKey key, Freshness freshness, Loader loader) {
        return cache().read(key, freshness, loader, AccountCache::unavailable);
    }

    /** Makes the cache now: that may take a while, and fail. */
    void open() {
        make();
    }

    private ResponseCache cache() {
        ResponseCache known = made;
        return known == null ? make() : known;
    }

    private synchronized ResponseCache make() {
        if (closed) {
            throw new IllegalStateException("this Stowline is closed");
        }
        ResponseCache known = made;
        if (known == null) {
            known = maker.get();
            made = known;
        }
        return known;
    }

    /** The service is not reached, is too busy, or fails; a refusal is an answer. */
    private static boolean unavailable(Throwable error) {
        return error instanceof UnreachableException
                || error instanceof ThrottledException
                || error instanceof ServerErrorException
                || error instanceof DeadlineExceededException
                || error instanceof CircuitOpenException;
    }

    /**
     * The key of something that is read with the present credential (C6).
     *
     * @param address its address, without a query
     * @param variant what is read of it, and in which form
     * @return the key
     */
    public CacheKey key(String address, String variant) {
        return new CacheKey(credential.scope(), address, variant);
    }

    void ended(Call<?> call) {
        ResponseCache known = made;
        if (known != null && call.operation().effect() != Effect.READ) {
            call.changes(new Told(known, call.untilOver(timer)));
        }
    }

    /**
     * Forgets something that somebody else has changed.
     *
     * @param address its address, without a query
     */
    public void forget(String address) {
        ResponseCache known = made;
        if (known != null) {
            known.invalidate(address);
        }
    }

    /** Gives back what it holds, after the last of it was told. */
    synchronized void close(Consumer<ResponseCache> told) {
        closed = true;
        ResponseCache known = made;
        if (known != null) {
            told.accept(known);
            known.close();
        }
    }

    /** Tells the cache what has changed, and for how long it may yet change. */
    private record Told(ResponseCache cache, Duration ahead) implements Changes.Kept {

        @Override
        public void changed(String address) {
            cache.invalidate(address, ahead);
        }

        @Override
        public void allChanged(String beginning) {
            cache.invalidateAll(beginning, ahead);
        }
    }
}
