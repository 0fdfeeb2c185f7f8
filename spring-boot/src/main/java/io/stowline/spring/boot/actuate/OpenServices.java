package io.stowline.spring.boot.actuate;

import io.stowline.caching.ResponseCache;
import io.stowline.observe.ServiceState;
import io.stowline.observe.StowlineListener;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The services and caches of the clients that are open. */
final class OpenServices implements StowlineListener {

    private final Set<ServiceState> services = ConcurrentHashMap.newKeySet();
    private final Map<ResponseCache, String> caches = new ConcurrentHashMap<>();

    @Override
    public void onServiceOpened(ServiceState state) {
        services.add(state);
    }

    @Override
    public void onServiceClosed(ServiceState state) {
        services.remove(state);
    }

    @Override
    public void onCacheOpened(String account, ResponseCache cache) {
        caches.put(cache, account);
    }

    @Override
    public void onCacheClosed(String account, ResponseCache cache) {
        caches.remove(cache);
    }

    List<ServiceState> services() {
        return services.stream()
                .sorted(Comparator.comparing(ServiceState::account).thenComparing(ServiceState::service))
                .toList();
    }

    Map<ResponseCache, String> caches() {
        return caches;
    }
}
