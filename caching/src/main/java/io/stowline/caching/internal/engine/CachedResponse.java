package io.stowline.caching.internal.engine;

import io.stowline.caching.CacheOutcome;
import io.stowline.caching.ResponseCache;
import io.stowline.caching.internal.entry.CachedBody;
import io.stowline.caching.internal.entry.EntryHead;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A response of the cache to one reader. */
public record CachedResponse(CacheOutcome outcome, Duration age, EntryHead head, CachedBody content)
        implements ResponseCache.Lookup {

    @Override
    public int status() {
        return head.status();
    }

    @Override
    public Map<String, String> headers() {
        return head.headers();
    }

    @Override
    public long length() {
        return content.length();
    }

    @Override
    public Mono<byte[]> bytes() {
        return content.bytes();
    }

    @Override
    public Flux<ByteBuffer> body() {
        return content.flux();
    }

    @Override
    public void close() {
        content.close();
    }

    @Override
    public String toString() {
        return outcome + " " + status() + ", " + age + " old, " + length() + " bytes";
    }
}
