package io.stowline.observe;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What all listeners have added to one registry. It is one for each registry, for two meters of one name and tags cannot be in it:
 * the first client to close would take those of the second away. Thread-safe.
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
}
