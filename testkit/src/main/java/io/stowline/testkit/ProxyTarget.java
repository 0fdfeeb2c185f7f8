package io.stowline.testkit;

import io.stowline.testkit.internal.proxy.ProxyListener;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The target of a proxy: the endpoints of an account, wherever they are now, or a single one. */
final class ProxyTarget {

    private final @Nullable TestStorage storage;
    private final @Nullable URI endpoint;

    private ProxyTarget(@Nullable TestStorage storage, @Nullable URI endpoint) {
        this.storage = storage;
        this.endpoint = endpoint;
    }

    static ProxyTarget of(TestStorage storage) {
        ProxyTarget target = new ProxyTarget(storage, null);
        target.endpoints(storage).http();
        return target;
    }

    static ProxyTarget of(URI endpoint) {
        if (!"http".equals(endpoint.getScheme()) || endpoint.getHost() == null) {
            throw new IllegalArgumentException("endpoint must be an http URI with a host: " + endpoint);
        }
        return new ProxyTarget(null, endpoint);
    }

    private StorageEndpoints endpoints(TestStorage current) {
        return new StorageEndpoints(current.connectionString());
    }

    List<ProxyListener> open() throws IOException {
        List<ProxyListener> doors = new ArrayList<>();
        try {
            if (endpoint != null) {
                doors.add(new ProxyListener(null, () -> StorageEndpoints.address(endpoint)));
            }
            if (storage != null) {
                for (StorageService service : endpoints(storage).http().keySet()) {
                    doors.add(new ProxyListener(service, () -> StorageEndpoints.address(endpoint(storage, service))));
                }
            }
            return doors;
        } catch (IOException e) {
            for (ProxyListener door : doors) {
                door.close();
            }
            throw e;
        }
    }

    private URI endpoint(TestStorage current, StorageService service) {
        URI found = endpoints(current).http().get(service);
        if (found == null) {
            throw new IllegalStateException("there is no endpoint of the " + service + " service any more");
        }
        return found;
    }

    TestStorage storage(List<ProxyListener> doors) {
        if (storage == null) {
            throw new IllegalStateException("the proxy stands in front of " + endpoint + " and not of an account");
        }
        Map<StorageService, Integer> ports = new EnumMap<>(StorageService.class);
        for (ProxyListener door : doors) {
            StorageService service = door.service();
            if (service != null) {
                ports.put(service, door.port());
            }
        }
        return storage.through("a fault proxy", original -> new StorageEndpoints(original).at(ports));
    }

    URI endpoint(List<ProxyListener> doors) {
        if (endpoint == null) {
            throw new IllegalStateException(
                    "the proxy stands in front of an account: name the service of the endpoint");
        }
        return StorageEndpoints.moved(endpoint, doors.get(0).port());
    }

    URI endpoint(StorageService service, List<ProxyListener> doors) {
        for (ProxyListener door : doors) {
            if (storage != null && door.service() == service) {
                return StorageEndpoints.moved(endpoint(storage, service), door.port());
            }
        }
        throw new IllegalStateException("the proxy has no endpoint of the " + service + " service");
    }

    @Override
    public String toString() {
        return storage == null ? String.valueOf(endpoint) : storage.toString();
    }
}
