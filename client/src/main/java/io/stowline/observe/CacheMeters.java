package io.stowline.observe;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.search.Search;
import io.stowline.caching.ResponseCache;
import io.stowline.caching.ResponseCacheMeters;
import java.util.HashMap;
import java.util.Map;

/** The meters of the clients' caches in one registry. Each has a name of its own: {@code stowline.acct}, then {@code stowline.acct.2}. */
final class CacheMeters {

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
