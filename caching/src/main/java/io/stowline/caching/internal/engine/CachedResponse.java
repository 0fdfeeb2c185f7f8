package io.stowline.caching.internal.engine;

import io.stowline.caching.CacheOutcome;
import io.stowline.caching.internal.entry.CachedBody;
import io.stowline.caching.internal.entry.EntryHead;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A response of the cache to one reader.
 *
 * <p>It may hold an open file or a connection: take its body or close it, once. A response whose body is in memory needs no closing, and
 * its body may be taken as often as one likes. Thread-safe.
 *
 * @param age the time since the request that last confirmed the response began
 */
public record CachedResponse(CacheOutcome outcome, Duration age, EntryHead head, CachedBody content)
        implements AutoCloseable {

    /** Returns the status that came with the body. */
    public int status() {
        return head.status();
    }

    /** Returns whether the resource does not exist. */
    public boolean absent() {
        return status() >= 400;
    }

    /** Returns the headers, updated when the service last confirmed the cached version; their names have no case. */
    public Map<String, String> headers() {
        return head.headers();
    }

    /** Returns the bytes of the body, -1 if their number is not known. */
    public long length() {
        return content.length();
    }

    /** Returns a copy of the whole body; it fails as {@link #body()} does. */
    public Mono<byte[]> bytes() {
        return content.bytes();
    }

    /**
     * Returns the body, piece by piece. The response is closed when it has ended, failed or been cancelled.
     *
     * @return read-only buffers; it fails if the transfer or the file does, and if it was taken before from a response that is not in
     *     memory
     */
    public Flux<ByteBuffer> body() {
        return content.flux();
    }

    /** Closing twice, or after the body was taken, does nothing. */
    @Override
    public void close() {
        content.close();
    }

    @Override
    public String toString() {
        return outcome + " " + status() + ", " + age + " old, " + length() + " bytes";
    }
}
