package io.stowline.observe;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.search.Search;
import io.stowline.caching.ResponseCache;
import io.stowline.caching.ResponseCacheMeters;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The meters that all listeners have added to one registry. It is one for each registry, for two meters of one name and tags cannot be in
 * it: the first client to close would take those of the second away. Thread-safe.
 */
final class SharedMeters {

    private static final Map<MeterRegistry, SharedMeters> OF_REGISTRIES =
            Collections.synchronizedMap(new WeakHashMap<>());

    private final Map<Key, ServiceMeters> services = new ConcurrentHashMap<>();
    private final CacheMeters caches = new CacheMeters();

    private record Key(String account, String service) {}

    private SharedMeters() {}

    static SharedMeters of(MeterRegistry registry) {
        return OF_REGISTRIES.computeIfAbsent(registry, first -> new SharedMeters());
    }

    @Nullable
    ServiceMeters of(OperationInfo operation) {
        return services.get(new Key(operation.account(), operation.service()));
    }

    void delivered(ConsumerEvent event) {
        ServiceMeters meters = services.get(new Key(event.account(), "queue"));
        if (meters != null) {
            meters.delivered(event);
        }
    }

    void queried(QueryPageEvent event) {
        ServiceMeters meters = services.get(new Key(event.account(), "table"));
        if (meters != null) {
            meters.queried(event);
        }
    }

    CacheMeters caches() {
        return caches;
    }

    synchronized void open(MeterRegistry registry, ServiceState state) {
        services.computeIfAbsent(key(state), key -> new ServiceMeters(registry, key.account, key.service))
                .open(registry, state);
    }

    synchronized void close(MeterRegistry registry, ServiceState state) {
        services.computeIfPresent(key(state), (key, meters) -> meters.close(registry, state) ? null : meters);
    }

    private static Key key(ServiceState state) {
        return new Key(state.account(), state.service());
    }

    /**
     * The meters of the clients' caches in one registry. Each cache has a unique name: {@code stowline.acct}, then {@code stowline.acct.2}.
     */
    static final class CacheMeters {

        private static final String TAG = "cache";

        private final Map<String, ResponseCache> named = new HashMap<>();

        synchronized void open(MeterRegistry registry, String account, ResponseCache cache) {
            String first = "stowline." + account;
            String name = first;
            for (int i = 2; named.putIfAbsent(name, cache) != null; i++) {
                name = first + "." + i;
            }
            new ResponseCacheMeters(cache, name, Tags.empty()).bindTo(registry);
        }

        synchronized void close(MeterRegistry registry, ResponseCache cache) {
            named.entrySet().removeIf(entry -> {
                boolean closed = entry.getValue() == cache;
                if (closed) {
                    Search.in(registry).tag(TAG, entry.getKey()).meters().forEach(registry::remove);
                }
                return closed;
            });
        }
    }
}
