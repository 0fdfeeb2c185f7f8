package io.stowline.caching.internal.entry;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The bounds, the clock and the threads of a cache.
 *
 * @param memory the bytes of all responses in memory
 * @param maxInMemory the largest response in memory, in bytes
 * @param disk the folder of larger ones, or null
 * @param watch the clock
 * @param work the threads that may block
 */
public record CacheEngineSettings(
        long memory, long maxInMemory, @Nullable DiskTierSettings disk, CacheClock watch, Scheduler work) {

    /**
     * A folder for larger responses.
     *
     * @param bytes the bytes of all files in it
     */
    public record DiskTierSettings(Path folder, long bytes) {}
}
