package io.stowline.observe;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
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
    private final Map<Key, List<ServiceState>> unused = new HashMap<>();
    private final CacheMeters caches = new CacheMeters();

    private record Key(String account, String service) {}

    private SharedMeters() {}

    static SharedMeters of(MeterRegistry registry) {
        return OF_REGISTRIES.computeIfAbsent(registry, first -> new SharedMeters());
    }

    /** The meters of the operation's service, which its first operation adds. */
    @Nullable
    ServiceMeters of(MeterRegistry registry, OperationInfo operation) {
        Key key = new Key(operation.account(), operation.service());
        ServiceMeters known = services.get(key);
        return known == null ? used(registry, key) : known;
    }

    private synchronized @Nullable ServiceMeters used(MeterRegistry registry, Key key) {
        List<ServiceState> states = unused.remove(key);
        if (states != null) {
            ServiceMeters meters = new ServiceMeters(registry, key.account, key.service);
            states.forEach(state -> meters.open(registry, state));
            services.put(key, meters);
        }
        return services.get(key);
    }

    CacheMeters caches() {
        return caches;
    }

    synchronized void open(MeterRegistry registry, ServiceState state) {
        ServiceMeters meters = services.get(key(state));
        if (meters == null) {
            unused.computeIfAbsent(key(state), key -> new ArrayList<>()).add(state);
        } else {
            meters.open(registry, state);
        }
    }

    synchronized void close(MeterRegistry registry, ServiceState state) {
        unused.computeIfPresent(key(state), (key, states) -> {
            states.remove(state);
            return states.isEmpty() ? null : states;
        });
        services.computeIfPresent(key(state), (key, meters) -> meters.close(registry, state) ? null : meters);
    }

    private static Key key(ServiceState state) {
        return new Key(state.account(), state.service());
    }
}
