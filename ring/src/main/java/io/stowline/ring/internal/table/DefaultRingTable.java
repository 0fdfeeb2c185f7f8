package io.stowline.ring.internal.table;

import io.stowline.error.NotFoundException;
import io.stowline.outcome.WriteMarkers;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.filter.FilterProperty;
import io.stowline.retry.RetrySettings;
import io.stowline.ring.RingQuery;
import io.stowline.ring.RingTable;
import io.stowline.ring.RingTransaction;
import io.stowline.ring.RingWriter;
import io.stowline.ring.internal.place.AccountWork;
import io.stowline.ring.internal.place.PartitionRoutes;
import io.stowline.ring.internal.place.ReservedRows;
import io.stowline.ring.internal.place.RingMember;
import io.stowline.ring.internal.place.RoutedTable;
import io.stowline.table.EntityKey;
import io.stowline.table.ReactiveTable;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableOperation;
import io.stowline.table.WriterSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/** {@link RingTable} whose operations go by the {@link PartitionRoutes} of its partitions. */
public final class DefaultRingTable<T> extends RingVerbs<T, WriteResult> implements RingTable<T> {

    private final RoutedTable<T> table;
    private final PartitionRoutes<T> routes;
    private final Function<RoutedTable<T>, PartitionRoutes<T>> router;
    private final Class<T> type;

    /**
     * Makes the face of a table.
     *
     * @param router gives the routes of a view of the table
     */
    public DefaultRingTable(RoutedTable<T> table, Function<RoutedTable<T>, PartitionRoutes<T>> router, Class<T> type) {
        this.table = table;
        this.router = router;
        this.routes = router.apply(table);
        this.type = type;
    }

    @Override
    public String name() {
        return table.name();
    }

    @Override
    public String accountOf(String partitionKey) {
        return table.after(partitionKey).name();
    }

    @Override
    public boolean createIfMissing() {
        return inAll(ReactiveTable::createIfMissing).contains(true);
    }

    @Override
    public boolean exists() {
        return !inAll(ReactiveTable::exists).contains(false);
    }

    @Override
    public boolean dropIfExists() {
        return inAll(ReactiveTable::dropIfExists).contains(true);
    }

    private List<Boolean> inAll(Function<ReactiveTable<T>, Mono<Boolean>> work) {
        return AccountWork.onEach(
                table.checked(), member -> work.apply(table.at(member).reactive()));
    }

    @Override
    WriteResult take(String partitionKey, TableOperation<T, ?> operation) {
        return routes.write(partitionKey, List.of(operation)).get(0);
    }

    @Override
    public boolean deleteIfExists(String partitionKey, String rowKey) {
        try {
            delete(partitionKey, rowKey);
            return true;
        } catch (NotFoundException e) {
            if (e.isContainerMissing()) {
                throw e;
            }
            return false;
        }
    }

    @Override
    public Optional<StoredEntity<T>> find(String partitionKey, String rowKey) {
        ReservedRows.checked(Objects.requireNonNull(rowKey, "rowKey"));
        return routes.read(partitionKey, place -> place.find(partitionKey, rowKey));
    }

    @Override
    public List<StoredEntity<T>> findAll(Collection<EntityKey> keys) {
        Set<EntityKey> wanted = new LinkedHashSet<>(Objects.requireNonNull(keys, "keys"));
        wanted.forEach(key -> ReservedRows.checked(key.rowKey()));
        Map<EntityKey, StoredEntity<T>> found = new HashMap<>();
        Map<RingMember, List<EntityKey>> shares = new LinkedHashMap<>();
        for (EntityKey key : wanted) {
            routes.settled(key.partitionKey())
                    .ifPresentOrElse(
                            home -> shares.computeIfAbsent(home, first -> new ArrayList<>())
                                    .add(key),
                            () -> find(key.partitionKey(), key.rowKey()).ifPresent(row -> found.put(key, row)));
        }
        shares.keySet().forEach(table.members()::checked);
        AccountWork.onEach(
                        shares.keySet(),
                        home -> table.at(home).reactive().findAll(Objects.requireNonNull(shares.get(home))))
                .forEach(rows -> rows.forEach(row -> found.put(ValueKeys.of(row.value()), row)));
        return wanted.stream().map(found::get).filter(Objects::nonNull).toList();
    }

    @Override
    public Optional<StoredEntity<T>> modify(String partitionKey, String rowKey, UnaryOperator<T> change) {
        ReservedRows.checked(Objects.requireNonNull(rowKey, "rowKey"));
        return routes.modify(partitionKey, rowKey, Objects.requireNonNull(change, "change"));
    }

    @Override
    public FilterProperty property(String name) {
        return table.any().property(name);
    }

    @Override
    public RingQuery<T> query() {
        return DefaultRingQuery.of(table, routes, type);
    }

    @Override
    public RingTransaction<T> transaction(String partitionKey) {
        return new DefaultRingTransaction<>(routes, Objects.requireNonNull(partitionKey, "partitionKey"));
    }

    @Override
    public RingWriter<T> writer(UnaryOperator<WriterSettings.Builder> settings) {
        return new DefaultRingWriter<>(table, routes, Objects.requireNonNull(settings, "settings"));
    }

    @Override
    public RingTable<T> withRetry(UnaryOperator<RetrySettings.Builder> settings) {
        Objects.requireNonNull(settings, "settings");
        return with(one -> one.withRetry(settings));
    }

    @Override
    public RingTable<T> withMarkers(WriteMarkers markers) {
        Objects.requireNonNull(markers, "markers");
        return with(one -> one.withMarkers(markers));
    }

    private RingTable<T> with(UnaryOperator<Table<T>> view) {
        return new DefaultRingTable<>(table.withView(view), router, type);
    }

    @Override
    public String toString() {
        return "RingTable[" + name() + "]";
    }
}
