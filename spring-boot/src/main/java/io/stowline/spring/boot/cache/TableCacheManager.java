package io.stowline.spring.boot.cache;

import com.azure.core.util.serializer.ObjectSerializer;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import java.lang.reflect.Type;
import java.time.Clock;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;

/**
 * A cache manager over one table, for processes that share their caches. Each cache is a partition of the table and holds values of one type. It has the caches that were declared and no others.
 *
 * <pre>{@code
 * record Price(String item, long cents) {}
 * JsonSerializer json = JsonSerializerProviders.createInstance();
 * CacheManager caches = TableCacheManager.builder(storage.table("caches"), json)
 *         .cache("prices", Price.class, cache -> cache.timeToLive(Duration.ofMinutes(10)))
 *         .cache("settings", String.class, cache -> cache.freshness(Freshness.fresh(Duration.ofSeconds(30))))
 *         .build();
 * }</pre>
 *
 * <p>A get, a put and an eviction are one request each. A get of an expired entry is a miss, and removes the row of that version. {@code clear} reads the keys of
 * the cache and deletes up to 100 rows with a request. {@code get(key, loader)} loads once in a process for one key at a time. Failures of the storage
 * are {@link io.stowline.error.StorageException}s, which a {@link org.springframework.cache.interceptor.CacheErrorHandler} may log.
 *
 * <p>Keys are text, numbers, booleans, enums, UUIDs, times, and lists, records and {@code SimpleKey}s of these; any other key is an
 * {@link IllegalArgumentException}. A value has at most 960 KiB. Thread-safe.
 */
public final class TableCacheManager implements CacheManager {

    private final Map<String, TableCache> caches;

    private TableCacheManager(Map<String, TableCache> caches) {
        this.caches = Collections.unmodifiableMap(caches);
    }

    /**
     * Begins a cache manager without caches.
     *
     * @param table the table, which holds nothing else
     * @param serializer writes and reads the values, such as the bean of type {@code JsonSerializer} that the starter makes of Boot's mapper
     * @return a builder
     */
    public static Builder builder(Table<Entity> table, ObjectSerializer serializer) {
        return new Builder(Objects.requireNonNull(table, "table"), Objects.requireNonNull(serializer, "serializer"));
    }

    @Override
    public @Nullable Cache getCache(String name) {
        return caches.get(name);
    }

    @Override
    public Collection<String> getCacheNames() {
        return caches.keySet();
    }

    /**
     * Removes the expired entries of a cache, for entries that no caller reads again. Reads the expiry of all entries of the cache, and deletes up
     * to 100 with a request.
     *
     * @param name the cache
     * @return how many entries were removed
     * @throws IllegalArgumentException if there is no such cache
     */
    public long removeExpired(String name) {
        TableCache cache = caches.get(name);
        if (cache == null) {
            throw new IllegalArgumentException("there is no cache '" + name + "'; the caches are " + caches.keySet());
        }
        return cache.removeExpired();
    }

    /** A builder that collects the caches. Not thread-safe. */
    public static final class Builder {

        private record DeclaredCache(Type type, TableCacheSettings settings) {}

        private final Table<Entity> table;
        private final ObjectSerializer serializer;
        private final Map<String, DeclaredCache> declared = new LinkedHashMap<>();
        private Clock clock = Clock.systemUTC();

        private Builder(Table<Entity> table, ObjectSerializer serializer) {
            this.table = table;
            this.serializer = serializer;
        }

        Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        /**
         * Declares a cache.
         *
         * @param name its name
         * @param type the type of its values: a class, or a type with parameters such as that of a {@code ParameterizedTypeReference}
         * @param settings sets the time to live, and the freshness of reads
         * @return this builder
         * @throws IllegalArgumentException if the cache is declared already, or a setting is out of its limits
         */
        public Builder cache(String name, Type type, UnaryOperator<TableCacheSettings.Builder> settings) {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(type, "type");
            DeclaredCache cache = new DeclaredCache(
                    type, settings.apply(TableCacheSettings.builder()).build());
            if (declared.putIfAbsent(name, cache) != null) {
                throw new IllegalArgumentException("the cache '" + name + "' is declared twice");
            }
            return this;
        }

        /**
         * Makes the cache manager. Nothing is sent.
         *
         * @return the cache manager
         */
        public TableCacheManager build() {
            Map<String, TableCache> caches = new LinkedHashMap<>();
            declared.forEach((name, cache) ->
                    caches.put(name, new TableCache(name, table, serializer, cache.type(), cache.settings(), clock)));
            return new TableCacheManager(caches);
        }
    }
}
