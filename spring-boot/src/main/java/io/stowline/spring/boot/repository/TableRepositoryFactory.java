package io.stowline.spring.boot.repository;

import io.stowline.projection.key.KeyFormat;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.table.Index;
import io.stowline.table.Table;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * A factory of repositories over one table. {@link io.stowline.spring.boot.autoconfigure.StowlineBeans#repository} uses it, and a method of the
 * application may:
 *
 * <pre>{@code
 * interface Runners extends TableRepository<Runner> {}
 *
 * @Bean
 * Runners repository(Table<Runner> table) {
 *     return TableRepositoryFactory.of(table).index(Index.number("AGE", 3, Runner::age)).create(Runners.class);
 * }
 * }</pre>
 *
 * <p>Immutable and thread-safe: each step gives a new factory.
 *
 * @param <T> the type of the table's entities
 */
public final class TableRepositoryFactory<T> {

    private final Table<T> table;
    private final List<Index<T, ?>> indexes;
    private final @Nullable KeyFormat partitionKey;
    private final @Nullable KeyFormat rowKey;

    private TableRepositoryFactory(
            Table<T> table, List<Index<T, ?>> indexes, @Nullable KeyFormat partitionKey, @Nullable KeyFormat rowKey) {
        this.table = table;
        this.indexes = List.copyOf(indexes);
        this.partitionKey = partitionKey;
        this.rowKey = rowKey;
    }

    /**
     * Returns a factory without indexes and without formats of the keys.
     *
     * @param table the table
     * @param <T> the type of its entities
     * @return the factory
     */
    public static <T> TableRepositoryFactory<T> of(Table<T> table) {
        return new TableRepositoryFactory<>(Objects.requireNonNull(table, "table"), List.of(), null, null);
    }

    /**
     * Adds an index. Its repositories write its rows, and derive methods for the property whose name is that of the index in any case: {@code
     * findByRaceAndAge} for the index {@code AGE}.
     *
     * @param index the index
     * @return the factory with this index
     */
    public TableRepositoryFactory<T> index(Index<T, ?> index) {
        List<Index<T, ?>> more = new ArrayList<>(indexes);
        more.add(Objects.requireNonNull(index, "index"));
        return new TableRepositoryFactory<>(table, more, partitionKey, rowKey);
    }

    /**
     * Sets the format of the partition key, whose parts are then properties of derived methods.
     *
     * @param format the format
     * @return the factory with this format
     */
    public TableRepositoryFactory<T> partitionKey(KeyFormat format) {
        return new TableRepositoryFactory<>(table, indexes, Objects.requireNonNull(format, "format"), rowKey);
    }

    /**
     * Sets the format of the row key, whose parts are then properties of derived methods: the first parts find a range, all of them one entity.
     *
     * @param format the format
     * @return the factory with this format
     */
    public TableRepositoryFactory<T> rowKey(KeyFormat format) {
        return new TableRepositoryFactory<>(table, indexes, partitionKey, Objects.requireNonNull(format, "format"));
    }

    /**
     * Makes a repository. Nothing is sent.
     *
     * @param type an interface that extends {@link TableRepository} or {@link ReactiveTableRepository}
     * @param <R> this interface
     * @return the repository
     * @throws RuntimeException if a method cannot be derived; the message names it, and its query class
     */
    public <R extends StowlineRepository<T>> R create(Class<R> type) {
        Class<?> entities = ResolvableType.forClass(type)
                .as(StowlineRepository.class)
                .getGeneric(0)
                .resolve();
        boolean reactive = ReactiveTableRepository.class.isAssignableFrom(type);
        if (!type.isInterface() || entities == null || reactive == TableRepository.class.isAssignableFrom(type)) {
            throw new StowlineConfigurationException(
                    type.getName() + " is no repository of one type of entities.",
                    "Declare an interface that extends TableRepository<X> or ReactiveTableRepository<X>, where X is"
                            + " the record.");
        }
        try {
            KeyProperties<T> keys = new KeyProperties<>(entities, partitionKey, rowKey, indexes);
            BlockingRepository<T> blocking = new BlockingRepository<>(table, indexes);
            DerivedMethods<T> methods = new DerivedMethods<>(type, entities, keys, blocking.query());
            RepositoryProxy handler = reactive
                    ? RepositoryProxy.of(type, new ReactiveRepository<>(table.reactive(), indexes), methods)
                    : RepositoryProxy.of(type, blocking, methods);
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
        } catch (IllegalArgumentException e) {
            throw new StowlineConfigurationException(
                    type.getName() + " over the table '" + table.name() + "' cannot be made: " + e.getMessage(),
                    "Correct its indexes or the formats of its keys.");
        }
    }
}
