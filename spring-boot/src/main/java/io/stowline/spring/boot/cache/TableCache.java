package io.stowline.spring.boot.cache;

import com.azure.core.util.serializer.ObjectSerializer;
import com.azure.core.util.serializer.TypeReference;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.projection.filter.Filter;
import io.stowline.projection.key.KeyFormat;
import io.stowline.table.CachedTable;
import io.stowline.table.Entity;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import java.lang.reflect.Type;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cache.support.AbstractValueAdaptingCache;
import org.springframework.cache.support.NullValue;
import org.springframework.core.ResolvableType;
import reactor.core.publisher.Mono;

/** A cache in one partition of a table. Thread-safe. */
final class TableCache extends AbstractValueAdaptingCache {

    private static final Logger LOG = LoggerFactory.getLogger(TableCache.class);
    private static final KeyFormat PARTITIONS = KeyFormat.of().escaped("cache");
    private static final int ROUNDS = 5;

    private final String name;
    private final String partitionKey;
    private final Table<Entity> table;
    private final @Nullable CachedTable<Entity> cached;
    private final ObjectSerializer serializer;
    private final ValueType type;
    private final Class<?> valueClass;
    private final @Nullable Duration timeToLive;
    private final Clock clock;
    private final CacheLoads loads;

    TableCache(
            String name,
            Table<Entity> table,
            ObjectSerializer serializer,
            Type type,
            TableCacheSettings settings,
            Clock clock) {
        super(true);
        this.name = name;
        this.partitionKey = PARTITIONS.format(name);
        this.table = table;
        this.cached = settings.freshness().map(table::cached).orElse(null);
        this.serializer = serializer;
        this.type = new ValueType(type);
        this.valueClass = ResolvableType.forType(type).toClass();
        this.timeToLive = settings.timeToLive().orElse(null);
        this.clock = clock;
        this.loads = new CacheLoads(name);
    }

    /** A reference to a type that is known at run time only. */
    private static final class ValueType extends TypeReference<Object> {

        private final Type type;

        ValueType(Type type) {
            this.type = type;
        }

        @Override
        public Type getJavaType() {
            return type;
        }

        @Override
        public String toString() {
            return type.getTypeName();
        }
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public Object getNativeCache() {
        return table;
    }

    @Override
    protected @Nullable Object lookup(Object key) {
        return live(find(rowKey(key))).orElse(null);
    }

    private String rowKey(Object key) {
        return CacheKeys.rowKey(name, key);
    }

    private Optional<StoredEntity<Entity>> find(String rowKey) {
        return cached == null
                ? table.find(partitionKey, rowKey)
                : cached.find(partitionKey, rowKey).value();
    }

    private Mono<StoredEntity<Entity>> findLater(String rowKey) {
        return cached == null
                ? table.reactive().find(partitionKey, rowKey)
                : cached.reactive().find(partitionKey, rowKey).flatMap(read -> Mono.justOrEmpty(read.value()));
    }

    /** Returns the value of a row as a cache stores it. An expired row is removed beside the caller, in this version. */
    private Optional<Object> live(Optional<StoredEntity<Entity>> found) {
        if (found.isEmpty()) {
            return Optional.empty();
        }
        if (!isExpired(found.get())) {
            return Optional.of(value(found.get().value()));
        }
        table.reactive()
                .delete(found.get())
                .subscribe(removed -> {}, e -> LOG.debug("An expired entry of the cache {} is not removed", name, e));
        return Optional.empty();
    }

    private boolean isExpired(StoredEntity<Entity> row) {
        return CacheRow.isExpired(row.value(), clock.instant());
    }

    private Object value(Entity row) {
        byte[] bytes = CacheRow.value(row);
        if (bytes == null) {
            return NullValue.INSTANCE;
        }
        try {
            return toStoreValue(serializer.deserializeFromBytes(bytes, type));
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "an entry of the cache '" + name + "' is no " + type
                            + ": clear the cache, or give caches of another form another name",
                    e);
        }
    }

    private Entity row(String rowKey, Object stored) {
        boolean isNull = stored instanceof NullValue;
        if (!isNull && !valueClass.isInstance(stored)) {
            throw new IllegalArgumentException("the cache '" + name + "' holds values of the type " + type + ", not "
                    + stored.getClass().getName());
        }
        return CacheRow.of(
                name,
                partitionKey,
                rowKey,
                isNull ? null : serializer.serializeToBytes(stored),
                CacheRow.expiry(timeToLive, clock.instant()));
    }

    @Override
    public void put(Object key, @Nullable Object value) {
        String rowKey = rowKey(key);
        try {
            table.insertOrReplace(row(rowKey, toStoreValue(value)));
        } finally {
            loads.forget(rowKey);
        }
    }

    @Override
    public @Nullable ValueWrapper putIfAbsent(Object key, @Nullable Object value) {
        String rowKey = rowKey(key);
        try {
            return putIfAbsent(rowKey, row(rowKey, toStoreValue(value)));
        } finally {
            loads.forget(rowKey);
        }
    }

    private @Nullable ValueWrapper putIfAbsent(String rowKey, Entity row) {
        for (int round = 1; ; round++) {
            try {
                Optional<StoredEntity<Entity>> found = table.find(partitionKey, rowKey);
                if (found.isPresent() && !isExpired(found.get())) {
                    return toValueWrapper(value(found.get().value()));
                }
                if (found.isPresent()) {
                    table.replace(found.get().with(row));
                } else {
                    table.insert(row);
                }
                return null;
            } catch (ConflictException | PreconditionFailedException e) {
                if (round == ROUNDS) {
                    throw e;
                }
            } catch (NotFoundException e) {
                if (round == ROUNDS || e.isContainerMissing()) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void evict(Object key) {
        evictIfPresent(key);
    }

    @Override
    public boolean evictIfPresent(Object key) {
        String rowKey = rowKey(key);
        try {
            return table.deleteIfExists(partitionKey, rowKey);
        } finally {
            loads.forget(rowKey);
        }
    }

    @Override
    public void clear() {
        invalidate();
    }

    @Override
    public boolean invalidate() {
        try {
            return table.query().partition(partitionKey).deleteAll().deleted() > 0;
        } finally {
            loads.forgetAll();
        }
    }

    long removeExpired() {
        return table.query()
                .partition(partitionKey)
                .where(Filter.property(CacheRow.EXPIRES).atMost(clock.instant()))
                .deleteAll()
                .deleted();
    }

    @Override
    @SuppressWarnings("unchecked") // the caller knows the type of the values
    public <T> @Nullable T get(Object key, Callable<T> valueLoader) {
        String rowKey = rowKey(key);
        Object stored = loads.await(rowKey, key, valueLoader, () -> {
            Object found = live(find(rowKey)).orElse(null);
            if (found != null) {
                return found;
            }
            Object loaded = toStoreValue(loaded(key, valueLoader));
            table.insertOrReplace(row(rowKey, loaded));
            return loaded;
        });
        return (T) fromStoreValue(stored);
    }

    private static <T> @Nullable T loaded(Object key, Callable<T> valueLoader) {
        try {
            return valueLoader.call();
        } catch (Exception e) {
            throw new ValueRetrievalException(key, valueLoader, e);
        }
    }

    @Override
    public CompletableFuture<?> retrieve(Object key) {
        String rowKey = rowKey(key);
        return findLater(rowKey)
                .flatMap(found -> Mono.justOrEmpty(live(Optional.of(found))))
                .map(this::toValueWrapper)
                .toFuture();
    }

    @Override
    @SuppressWarnings("unchecked") // the caller knows the type of the values
    public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> valueLoader) {
        String rowKey = rowKey(key);
        Mono<Object> load = Mono.defer(() -> Mono.fromFuture(valueLoader.get()))
                .map(this::toStoreValue)
                .defaultIfEmpty(NullValue.INSTANCE)
                .flatMap(loaded ->
                        table.reactive().insertOrReplace(row(rowKey, loaded)).thenReturn(loaded));
        Mono<Object> stored = findLater(rowKey)
                .flatMap(found -> Mono.justOrEmpty(live(Optional.of(found))))
                .switchIfEmpty(load);
        return loads.later(rowKey, stored, value -> (T) fromStoreValue(value));
    }
}
