package io.stowline.caching;

import io.stowline.caching.internal.engine.CacheEngine;
import io.stowline.caching.internal.engine.CacheEngine.CacheRead;
import io.stowline.caching.internal.entry.CacheClock;
import io.stowline.caching.internal.entry.CacheCounts.CacheCounter;
import io.stowline.caching.internal.entry.CacheEngineSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A cache of responses, in memory and on disk, revalidated by their ETag.
 *
 * <p>Reads of one key that run at the same time are one request. A reader who cancels leaves it to the others; the request is cancelled
 * when its last reader has left, and when it fails all of its readers fail alike, unless the failure is the first reader's own: its
 * interrupt, or a deadline shorter than that of the others, which then load by themselves. What fits neither memory
 * ({@link Builder#maxInMemory}) nor the folder is handed through as it comes and not kept: that is one request for each reader. Faults
 * of the cache itself fail no read: they are counted, and logged once.
 *
 * <p>A read that begins after {@link #invalidate(String)} is never given what was read before it. One that requests
 * {@link Freshness#revalidated()} may be given what a request finds that had been sent before it began.
 *
 * <p>Thread-safe. Close it to give back its memory and its folder.
 */
public final class ResponseCache implements AutoCloseable {

    private final CacheEngine engine;

    private ResponseCache(CacheEngine engine) {
        this.engine = engine;
    }

    /**
     * Begins a cache of 64 MiB in memory and nothing on disk.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Reads a response, and returns the cached one in place of an error when the loader fails by an {@link IOException}
     * or a {@link TimeoutException}, or by something that was caused by one; that is if the freshness allows it.
     *
     * @param key what it is kept under
     * @param freshness how old the response may be
     * @param loader requests the resource from the service
     * @return the response, read again at each subscription; it fails with what the loader fails with
     */
    public Mono<Lookup> read(Key key, Freshness freshness, Loader loader) {
        return read(key, freshness, loader, ResponseCache::isUnreachable);
    }

    /**
     * Reads a response.
     *
     * @param key what it is kept under
     * @param freshness how old the response may be
     * @param loader requests the resource from the service
     * @param unavailable decides whether a failure of the loader means that the service is unavailable, for which a
     * freshness may allow a
     *     stale response
     * @return the response, read again at each subscription; it fails with what the loader fails with
     */
    public Mono<Lookup> read(Key key, Freshness freshness, Loader loader, Predicate<Throwable> unavailable) {
        return engine.read(new CacheRead(key, freshness, loader, unavailable));
    }

    /**
     * Invalidates a resource after a write of this process has ended, whatever its end. Call it before the write
     * signals its end: later reads then get later loads.
     *
     * @param resource what was written, as in {@link Key#resource()}; it concerns the responses of every scope and variant
     */
    public void invalidate(String resource) {
        engine.invalidate(resource, Duration.ZERO);
    }

    /**
     * Invalidates a resource after a write with a lost response. Until that write can no longer take effect, nothing read is fresh.
     *
     * @param resource what was written, as in {@link Key#resource()}
     * @param horizon for how long from now it may yet take effect
     * @throws IllegalArgumentException if the horizon is negative
     */
    public void invalidate(String resource, Duration horizon) {
        engine.invalidate(resource, notNegative(horizon));
    }

    /**
     * Invalidates all resources below a prefix, such as those of a table or container that was removed or rewritten.
     *
     * @param prefix how the names of the resources begin
     */
    public void invalidateAll(String prefix) {
        engine.invalidateAll(prefix, Duration.ZERO);
    }

    /**
     * Invalidates all resources below a prefix after a write of a whole table or container with a lost response. Until it can no longer
     * take effect, nothing at all is fresh.
     *
     * @param prefix how the names of the resources begin
     * @param horizon for how long from now it may yet take effect
     * @throws IllegalArgumentException if the horizon is negative
     */
    public void invalidateAll(String prefix, Duration horizon) {
        engine.invalidateAll(prefix, notNegative(horizon));
    }

    /**
     * Returns the number of reads with this outcome.
     *
     * @param outcome the outcome
     * @return the count since the cache was made
     */
    public long reads(CacheOutcome outcome) {
        return engine.reads(outcome);
    }

    long count(CacheCounter what) {
        return engine.count(what);
    }

    /**
     * Gives back memory and folder. Responses that were given keep what they hold until they are read or closed. Later
     * reads go to the service, each for itself. Closing twice does nothing.
     */
    @Override
    public void close() {
        engine.close();
    }

    private static Duration notNegative(Duration horizon) {
        if (horizon.isNegative()) {
            throw new IllegalArgumentException("horizon is " + horizon + "; it is not negative");
        }
        return horizon;
    }

    static boolean isUnreachable(Throwable failure) {
        Throwable cause = Exceptions.unwrap(failure);
        while (cause != null && !(cause instanceof IOException) && !(cause instanceof TimeoutException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    /** A builder of a {@link ResponseCache}. Not thread-safe. */
    public static final class Builder {

        private static final long MEMORY = 64L << 20;
        private static final int ENTRIES_AT_LEAST = 8;

        private long memory = MEMORY;
        private long maxInMemory = -1;
        private CacheEngineSettings.@Nullable DiskTierSettings disk;
        private CacheClock watch = CacheClock.system();

        private Builder() {}

        /**
         * Sets how much memory responses may take.
         *
         * @param bytes the bound, bodies, headers and keys counted; 0 keeps nothing in memory
         * @return this
         * @throws IllegalArgumentException if it is negative
         */
        public Builder memory(long bytes) {
            this.memory = atLeast("memory", bytes, 0);
            return this;
        }

        /**
         * Sets how large a response in memory may be. A larger one goes to disk, or past the cache if there is none. Without this it is an
         * eighth of the memory.
         *
         * @param bytes the bound
         * @return this
         * @throws IllegalArgumentException if it is negative
         */
        public Builder maxInMemory(long bytes) {
            this.maxInMemory = atLeast("maxInMemory", bytes, 0);
            return this;
        }

        /**
         * Keeps responses on disk that are too large for memory. They outlive the process; a later one revalidates each before it gives it.
         *
         * <p>The cache works in the subfolder {@code stowline-cache}, which is its user's alone and one cache's at a
         * time, and touches nothing else. A subfolder that is in use by another cache, belongs to another user, holds
         * files of another program or cannot be written switches the tier off: the cache logs it at level warn, counts
         * a fault and keeps in memory what fits there.
         *
         * @param folder where the subfolder is; made if it is not there
         * @param bytes how much may be in it
         * @return this
         * @throws IllegalArgumentException if the bound is not positive
         */
        public Builder disk(Path folder, long bytes) {
            this.disk = new CacheEngineSettings.DiskTierSettings(folder, atLeast("disk", bytes, 1));
            return this;
        }

        /**
         * Sets the scheduler that replaces the machine's clocks, for tests in virtual time.
         *
         * @param timer the scheduler
         * @return this
         */
        public Builder timer(Scheduler timer) {
            this.watch = CacheClock.of(timer);
            return this;
        }

        /**
         * Makes the cache. Blocks while the folder is looked through, if there is one; a folder that cannot be used fails nothing.
         *
         * @return a cache
         */
        public ResponseCache build() {
            long largest = maxInMemory < 0 ? memory / ENTRIES_AT_LEAST : maxInMemory;
            return new ResponseCache(CacheEngine.open(
                    new CacheEngineSettings(memory, largest, disk, watch, Schedulers.boundedElastic())));
        }

        private static long atLeast(String name, long bytes, long min) {
            if (bytes < min) {
                throw new IllegalArgumentException(name + " is " + bytes + " bytes; the least is " + min);
            }
            return bytes;
        }
    }

    /**
     * The response to a read of {@link ResponseCache}.
     *
     * <p>It may hold an open file or a connection: take its body or close it, once. A response whose body is in memory
     * needs no closing, and its body may be taken as often as one likes. Thread-safe.
     */
    public interface Lookup extends AutoCloseable {

        /**
         * Returns how the cache served the read.
         *
         * @return the outcome
         */
        CacheOutcome outcome();

        /**
         * Returns the age of this response: the time since the request that last confirmed it began.
         *
         * @return the age, counted from the beginning of that request
         */
        Duration age();

        /**
         * Returns the status of the response.
         *
         * @return the status: of what the service gave when it gave the body
         */
        int status();

        /**
         * Returns whether the resource does not exist.
         *
         * @return true if the service has found nothing to give
         */
        default boolean absent() {
            return status() >= 400;
        }

        /**
         * Returns the headers of the response, updated when the service last confirmed the cached version.
         *
         * @return the headers; lookup by name regards no case
         */
        Map<String, String> headers();

        /**
         * Returns how many bytes the body has.
         *
         * @return the length, -1 if it is not known
         */
        long length();

        /**
         * Returns the whole body.
         *
         * @return a copy of the body; it fails as {@link #body()} does
         */
        Mono<byte[]> bytes();

        /**
         * Returns the body, piece by piece. The response is closed when it has ended, failed or been cancelled.
         *
         * <p>What comes from disk was compared with its checksum before it was given. An I/O error of the disk in the
         * middle of the body fails this read nevertheless, because a part of the body is with its reader already.
         *
         * @return read-only buffers; it fails if the transfer or the file does, and if it was taken before from a
         *     response that is not in memory
         */
        Flux<ByteBuffer> body();

        /** Releases what it holds. Closing twice, or after the body was taken, does nothing. */
        @Override
        void close();
    }

    /**
     * The key of a cached response. Two reads share a response only if all three parts are equal.
     *
     * @param scope whose response it is: a digest of the account and of the credential, so that no caller is given what
     *     another was allowed to read; never a secret itself, for it is written to disk
     * @param resource what was read, without what varies between reads of it; a write names this to {@link
     *     ResponseCache#invalidate(String)}
     * @param variant what varies: snapshot or version, range, projection, the requested form; may be empty
     */
    public record Key(String scope, String resource, String variant) {

        /**
         * Checks that everything is there.
         *
         * @param scope who may see it
         * @param resource what was read
         * @param variant which form of it
         */
        public Key {
            Objects.requireNonNull(scope, "scope");
            Objects.requireNonNull(resource, "resource");
            Objects.requireNonNull(variant, "variant");
        }
    }
}
