package io.stowline.table.internal.query;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.caching.CacheOutcome;
import io.stowline.caching.Freshness;
import io.stowline.caching.internal.engine.CachedResponse;
import io.stowline.caching.internal.load.CacheKey;
import io.stowline.table.internal.codec.EntityCodec;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.request.TableRequests;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.transport.internal.client.ClientCache;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.request.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The reads of single entities of one table through the cache of its client. Thread-safe.
 *
 * @param cache the client's cache
 */
public record CachedReads(ClientCache cache, TableOperations operations) {

    /**
     * The result of a cached read.
     *
     * @param resource the entity, as errors show it
     * @param response the response, or {@code null} if there is no such entity
     * @param outcome how the cache served it
     * @param age its age
     */
    public record FoundEntity(
            String resource, @Nullable StorageResponse response, CacheOutcome outcome, Duration age) {}

    /**
     * Reads one entity.
     *
     * @param codec which properties are read, and in which form
     * @param freshness what may be given without asking
     * @return what was found, on whatever thread
     */
    public Mono<FoundEntity> find(String partitionKey, String rowKey, EntityCodec<?> codec, Freshness freshness) {
        List<String> select = codec.select();
        MetadataLevel level = codec.metadataLevel();
        CacheKey key = cache.key(
                address(partitionKey, rowKey), level.name() + operations.selecting(select), operations.headers());
        Operation operation = operations.finding(partitionKey, rowKey);
        return cache.read(operation, key, freshness, operations.loader(partitionKey, rowKey, select, level))
                .flatMap(read -> whole(operation.resource(), read));
    }

    private static Mono<FoundEntity> whole(String resource, CachedResponse read) {
        return read.absent()
                ? Mono.just(absent(resource, read))
                : read.bytes().map(body -> found(resource, read, body));
    }

    private static FoundEntity absent(String resource, CachedResponse read) {
        read.close();
        return new FoundEntity(resource, null, read.outcome(), read.age());
    }

    private static FoundEntity found(String resource, CachedResponse read, byte[] body) {
        HttpHeaders headers = new HttpHeaders();
        read.headers().forEach((name, value) -> headers.set(HttpHeaderName.fromString(name), value));
        return new FoundEntity(resource, new StorageResponse(read.status(), headers, body), read.outcome(), read.age());
    }

    /** Forgets an entity. */
    public void invalidate(String partitionKey, String rowKey) {
        Objects.requireNonNull(partitionKey, "partitionKey");
        Objects.requireNonNull(rowKey, "rowKey");
        cache.forget(address(partitionKey, rowKey));
    }

    private String address(String partitionKey, String rowKey) {
        return TableRequests.address(operations.encoder().url(partitionKey, rowKey));
    }
}
