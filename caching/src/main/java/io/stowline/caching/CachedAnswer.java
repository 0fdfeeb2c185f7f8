package io.stowline.caching;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The answer to a read of {@link ResponseCache}.
 *
 * <p>It may hold an open file or a connection: take its body or close it, once. An answer whose body is in memory needs no closing, and its
 * body may be taken as often as one likes. Thread-safe.
 */
public interface CachedAnswer extends AutoCloseable {

    /**
     * Returns how the cache answered the read.
     *
     * @return the outcome
     */
    CacheOutcome outcome();

    /**
     * Returns the age of this answer: the time since the request that last confirmed it began.
     *
     * @return the age, counted from the beginning of that request
     */
    Duration age();

    /**
     * Returns the status of the answer.
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
     * Returns the headers of the answer, updated when the service last confirmed the cached version.
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
     * Returns the body, piece by piece. The answer is closed when it has ended, failed or been cancelled.
     *
     * <p>What comes from disk was compared with its checksum before it was given. An I/O error of the disk in the middle of the body fails this
     * read nevertheless, because a part of the body is with its reader already.
     *
     * @return read-only buffers; it fails if the transfer or the file does, and if it was taken before from an answer that is not in memory
     */
    Flux<ByteBuffer> body();

    /** Releases what it holds. Closing twice, or after the body was taken, does nothing. */
    @Override
    void close();
}
