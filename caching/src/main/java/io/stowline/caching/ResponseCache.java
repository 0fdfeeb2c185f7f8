package io.stowline.caching;

import io.stowline.caching.internal.engine.CacheEngine;
import io.stowline.caching.internal.engine.CacheThreads;
import io.stowline.caching.internal.entry.CacheClock;
import io.stowline.caching.internal.entry.CacheEngineSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * A cache of responses, in memory and on disk, revalidated by their ETag. A client of Stowline has one, and a
 * {@link ConditionalGetPolicy} gives one to clients of the Azure SDK. Only {@link #builder()} makes caches.
 *
 * <p>Reads of one resource that run at the same time are one request. A reader who cancels leaves it to the others; the request is
 * cancelled when its last reader has left, and when it fails all of its readers fail alike, unless the failure is the first reader's own:
 * its interrupt, or a deadline shorter than that of the others, which then load by themselves. What fits neither memory
 * ({@link Builder#maxInMemory}) nor the folder is handed through as it comes and not kept: that is one request for each reader. Faults
 * of the cache itself fail no read: they are counted, and logged once.
 *
 * <p>A read that begins after {@link #invalidate(String)} is never given what was read before it. One that requests
 * {@link Freshness#revalidated()} may be given what a request finds that had been sent before it began.
 *
 * <p>Thread-safe. Close it to give back its memory and its folder.
 */
public interface ResponseCache extends AutoCloseable {

    /**
     * Begins a cache of 64 MiB in memory and nothing on disk.
     *
     * @return a builder
     */
    static Builder builder() {
        return new Builder();
    }

    /**
     * Invalidates a resource after a write of this process has ended, whatever its end. Call it before the write
     * signals its end: later reads then get later loads.
     *
     * @param resource scheme, host, port and decoded path of what was written, such as
     *     {@code https://account.blob.core.windows.net:443/container/a blob}; it concerns all responses for it
     */
    default void invalidate(String resource) {
        invalidate(resource, Duration.ZERO);
    }

    /**
     * Invalidates a resource after a write with a lost response. Until that write can no longer take effect, nothing read is fresh.
     *
     * @param resource what was written, as in {@link #invalidate(String)}
     * @param horizon for how long from now it may yet take effect
     * @throws IllegalArgumentException if the horizon is negative
     */
    void invalidate(String resource, Duration horizon);

    /**
     * Invalidates all resources below a prefix, such as those of a table or container that was removed or rewritten.
     *
     * @param prefix how the names of the resources begin
     */
    default void invalidateAll(String prefix) {
        invalidateAll(prefix, Duration.ZERO);
    }

    /**
     * Invalidates all resources below a prefix after a write of a whole table or container with a lost response. Until it can no longer
     * take effect, nothing at all is fresh.
     *
     * @param prefix how the names of the resources begin
     * @param horizon for how long from now it may yet take effect
     * @throws IllegalArgumentException if the horizon is negative
     */
    void invalidateAll(String prefix, Duration horizon);

    /**
     * Returns the number of reads with this outcome.
     *
     * @param outcome the outcome
     * @return the count since the cache was made
     */
    long reads(CacheOutcome outcome);

    /**
     * Gives back memory and folder. Responses that were given keep what they hold until they are read or closed. Later
     * reads go to the service, each for itself. Closing twice does nothing.
     */
    @Override
    void close();

    /** A builder of a {@link ResponseCache}. Not thread-safe. */
    final class Builder {

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
            return CacheEngine.open(new CacheEngineSettings(memory, largest, disk, watch, CacheThreads.SHARED));
        }

        private static long atLeast(String name, long bytes, long min) {
            if (bytes < min) {
                throw new IllegalArgumentException(name + " is " + bytes + " bytes; the least is " + min);
            }
            return bytes;
        }
    }
}
