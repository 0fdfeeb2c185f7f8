package io.stowline.projection.internal.type;

import java.lang.ref.SoftReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One value for each class, made at the first request, and made again where memory ran short and no caller held it.
 *
 * <p>The class itself holds nothing but a {@link SoftReference} to its value, in objects of the JDK: whatever the value
 * refers to, it keeps no class loader from being unloaded. Safe for use by many threads, all of which get the same value.
 */
public final class ClassCache<V> {

    private final Function<Class<?>, V> making;

    private final ClassValue<AtomicReference<@Nullable SoftReference<V>>> places = new ClassValue<>() {
        @Override
        protected AtomicReference<@Nullable SoftReference<V>> computeValue(Class<?> type) {
            return new AtomicReference<>();
        }
    };

    public ClassCache(Function<Class<?>, V> making) {
        this.making = making;
    }

    public V get(Class<?> type) {
        AtomicReference<@Nullable SoftReference<V>> place = places.get(type);
        while (true) {
            SoftReference<V> kept = place.get();
            V value = kept == null ? null : kept.get();
            if (value != null) {
                return value;
            }
            V made = making.apply(type);
            if (place.compareAndSet(kept, new SoftReference<>(made))) {
                return made;
            }
        }
    }
}
