package io.stowline.spring.boot.repository;

import io.stowline.error.NotFoundException;
import io.stowline.outcome.WriteResult;
import io.stowline.spring.boot.repository.DerivedLookup.PointLookup;
import io.stowline.spring.boot.repository.DerivedLookup.RowsLookup;
import io.stowline.spring.boot.repository.DerivedLookup.UniqueLookup;
import io.stowline.spring.boot.repository.DerivedLookup.ValuesLookup;
import io.stowline.spring.boot.repository.DerivedMethod.ResultForm;
import io.stowline.spring.boot.repository.DerivedName.Verb;
import io.stowline.spring.boot.repository.RepositoryProxy.DerivedCalls;
import io.stowline.table.Index;
import io.stowline.table.IndexLookup;
import io.stowline.table.Query;
import io.stowline.table.ReactiveIndexedTable;
import io.stowline.table.ReactiveQuery;
import io.stowline.table.ReactiveTable;
import io.stowline.table.StoredEntity;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A repository over the reactive face of a table. Thread-safe. */
final class ReactiveRepository<T> implements ReactiveTableRepository<T>, DerivedCalls<T> {

    private final ReactiveTable<T> table;
    private final @Nullable ReactiveIndexedTable<T> indexed;

    ReactiveRepository(ReactiveTable<T> table, List<Index<T, ?>> indexes) {
        this.indexed = indexes.isEmpty() ? null : table.indexed(indexes);
        this.table = indexed == null ? table : indexed.table();
    }

    @Override
    public ReactiveTable<T> table() {
        return table;
    }

    @Override
    public ReactiveIndexedTable<T> indexed() {
        if (indexed == null) {
            throw new IllegalStateException("the repository of the table " + table.name() + " has no index");
        }
        return indexed;
    }

    @Override
    public Mono<StoredEntity<T>> find(String partitionKey, String rowKey) {
        return indexed == null ? table.find(partitionKey, rowKey) : indexed.find(partitionKey, rowKey);
    }

    @Override
    public Mono<WriteResult> insert(T value) {
        return indexed == null ? table.insert(value) : indexed.insert(value);
    }

    @Override
    public Mono<WriteResult> claim(T value) {
        return indexed == null ? table.claim(value) : Mono.error(() -> BlockingRepository.noClaim(table.name()));
    }

    @Override
    public Mono<WriteResult> insertOrReplace(T value) {
        return indexed == null ? table.insertOrReplace(value) : indexed.insertOrReplace(value);
    }

    @Override
    public Mono<WriteResult> replace(StoredEntity<T> stored) {
        return indexed == null ? table.replace(stored) : indexed.replace(stored);
    }

    @Override
    public Mono<WriteResult> delete(StoredEntity<T> stored) {
        return indexed == null ? table.delete(stored) : indexed.delete(stored);
    }

    @Override
    public Mono<Boolean> deleteIfExists(String partitionKey, String rowKey) {
        ReactiveIndexedTable<T> rows = indexed;
        return rows == null
                ? table.deleteIfExists(partitionKey, rowKey)
                : rows.find(partitionKey, rowKey)
                        .flatMap(rows::delete)
                        .hasElement()
                        .onErrorResume(
                                NotFoundException.class,
                                e -> e.isContainerMissing() ? Mono.error(e) : Mono.just(false));
    }

    @Override
    public ReactiveQuery<T> query() {
        return table.query();
    }

    @Override
    public ReactiveQuery<T> query(String partitionKey) {
        return query().partition(partitionKey);
    }

    /** Arguments that are refused fail the publisher, as those of {@link ReactiveTable} do. */
    @Override
    public Object call(DerivedMethod<T> method, Object... arguments) {
        return method.result() == ResultForm.STREAM
                ? Flux.defer(() -> stream(method, arguments))
                : Mono.defer(() -> single(method, arguments));
    }

    private Flux<?> stream(DerivedMethod<T> method, Object... arguments) {
        if (method.lookup() instanceof RowsLookup<T> rows) {
            ReactiveQuery<T> query = query(rows, arguments);
            return method.stored() ? query.streamStored() : query.stream();
        }
        IndexLookup<T> lookup = ((ValuesLookup<T>) method.lookup()).values().apply(arguments);
        return page(method, lookup, Optional.empty())
                .expand(page ->
                        Mono.justOrEmpty(page.nextToken()).flatMap(token -> page(method, lookup, Optional.of(token))))
                .concatMapIterable(Query.Page::values, 1);
    }

    private Mono<?> single(DerivedMethod<T> method, Object... arguments) {
        DerivedLookup<T> lookup = method.lookup();
        if (lookup instanceof PointLookup<T> point) {
            return point(
                    method,
                    point.partitionKey().apply(arguments),
                    point.rowKey().apply(arguments));
        }
        if (lookup instanceof UniqueLookup<T> unique) {
            return unique(method, unique, arguments);
        }
        if (lookup instanceof RowsLookup<T> rows) {
            ReactiveQuery<T> query = query(rows, arguments).pageSize(method.pageSize(arguments));
            String token = method.token(arguments).orElse(null);
            return method.stored()
                    ? token == null ? query.pageStored() : query.pageStored(token)
                    : token == null ? query.page() : query.page(token);
        }
        IndexLookup<T> values = ((ValuesLookup<T>) lookup).values().apply(arguments);
        return method.result() == ResultForm.PAGE
                ? page(method, values.pageSize(method.pageSize(arguments)), method.token(arguments))
                : page(method, values.pageSize(2), Optional.empty()).flatMap(page -> only(method, page.values()));
    }

    private ReactiveQuery<T> query(RowsLookup<T> rows, Object... arguments) {
        ReactiveQuery<T> query = query(rows.partitionKey().apply(arguments));
        return rows.rows().apply(arguments).map(query::where).orElse(query);
    }

    private Mono<?> point(DerivedMethod<T> method, String partitionKey, String rowKey) {
        Mono<?> result =
                switch (method.verb()) {
                    case EXISTS -> find(partitionKey, rowKey).hasElement();
                    case DELETE -> deleteIfExists(partitionKey, rowKey);
                    case FIND ->
                        method.stored()
                                ? find(partitionKey, rowKey)
                                : find(partitionKey, rowKey).map(StoredEntity::value);
                };
        return method.result() == ResultForm.NOTHING ? result.then() : result;
    }

    private Mono<?> unique(DerivedMethod<T> method, UniqueLookup<T> unique, Object... arguments) {
        String partitionKey = unique.partitionKey().apply(arguments);
        Object value = arguments[unique.argument()];
        if (method.stored()) {
            return indexed().findStored(unique.index(), partitionKey, value);
        }
        Mono<T> found = indexed().find(unique.index(), partitionKey, value);
        return method.verb() == Verb.EXISTS ? found.hasElement() : found;
    }

    private Mono<Query.Page<?>> page(DerivedMethod<T> method, IndexLookup<T> lookup, Optional<String> next) {
        String token = next.orElse(null);
        Mono<? extends Query.Page<?>> page = method.stored()
                ? token == null ? indexed().pageStored(lookup) : indexed().pageStored(lookup, token)
                : token == null ? indexed().page(lookup) : indexed().page(lookup, token);
        return page.map(each -> each);
    }

    private static Mono<Object> only(DerivedMethod<?> method, List<?> found) {
        return found.size() > 1
                ? Mono.error(method.severalFound())
                : Mono.justOrEmpty(found.stream().findFirst());
    }

    @Override
    public String toString() {
        return table.name();
    }
}
