package io.stowline.transport.internal.netty.direct;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a client has for each origin that it sends to, made with the first request to it. Most clients send to one origin only, which is
 * found without cutting its text out of the address. Thread-safe.
 *
 * @param <V> what there is for an origin
 */
public final class OriginMap<V> {

    private final Function<HttpOrigin, V> maker;
    private final Map<String, Entry<V>> entries = new ConcurrentHashMap<>();
    private volatile @Nullable Entry<V> latest;

    private record Entry<V>(HttpOrigin origin, V value) {}

    /** A map without an origin. */
    public OriginMap(Function<HttpOrigin, V> maker) {
        this.maker = maker;
    }

    /**
     * What there is for the origin of an address.
     *
     * @param path where the path of the address begins
     * @throws IllegalArgumentException if it is no address of a host over HTTP
     */
    public V of(String address, int path) {
        Entry<V> known = latest;
        if (known == null || !known.origin.begins(address, path)) {
            known = entries.computeIfAbsent(address.substring(0, path), text -> {
                HttpOrigin origin = HttpOrigin.of(text);
                return new Entry<>(origin, maker.apply(origin));
            });
            latest = known;
        }
        return known.value;
    }

    void forEach(Consumer<V> action) {
        entries.values().forEach(entry -> action.accept(entry.value));
    }
}
