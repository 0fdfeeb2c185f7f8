package io.stowline.caching.internal.entry;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The bounds of a cache, and what it works with.
 *
 * @param memory how many bytes are kept in memory
 * @param largestInMemory how many bytes an answer in memory may have
 * @param disk where larger ones are kept, null for nowhere
 * @param watch tells the time
 * @param work where it may block
 */
public record CacheEngineSettings(
        long memory, long largestInMemory, @Nullable Disk disk, CacheClock watch, Scheduler work) {

    /**
     * A folder for larger answers.
     *
     * @param bytes how many bytes are kept in it
     */
    public record Disk(Path folder, long bytes) {}
}
