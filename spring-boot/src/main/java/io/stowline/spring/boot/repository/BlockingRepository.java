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
import io.stowline.table.IndexedTable;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A repository over the blocking face of a table. Thread-safe. */
final class BlockingRepository<T> implements TableRepository<T>, DerivedCalls<T> {

    private final Table<T> table;
    private final @Nullable IndexedTable<T> indexed;

    BlockingRepository(Table<T> table, List<Index<T, ?>> indexes) {
        this.indexed = indexes.isEmpty() ? null : table.indexed(indexes);
        this.table = indexed == null ? table : indexed.table();
    }

    @Override
    public Table<T> table() {
        return table;
    }

    @Override
    public IndexedTable<T> indexed() {
        if (indexed == null) {
            throw new IllegalStateException("the repository of the table " + table.name() + " has no index");
        }
        return indexed;
    }

    @Override
    public Optional<StoredEntity<T>> find(String partitionKey, String rowKey) {
        return indexed == null ? table.find(partitionKey, rowKey) : indexed.find(partitionKey, rowKey);
    }

    @Override
    public WriteResult insert(T value) {
        return indexed == null ? table.insert(value) : indexed.insert(value);
    }

    @Override
    public WriteResult claim(T value) {
        if (indexed != null) {
            throw noClaim(table.name());
        }
        return table.claim(value);
    }

    static UnsupportedOperationException noClaim(String table) {
        return new UnsupportedOperationException("claim: the repository of the table " + table
                + " has indexes, and a claim is one request; use insert, or claim in a table without indexes");
    }

    @Override
    public WriteResult insertOrReplace(T value) {
        return indexed == null ? table.insertOrReplace(value) : indexed.insertOrReplace(value);
    }

    @Override
    public WriteResult replace(StoredEntity<T> stored) {
        return indexed == null ? table.replace(stored) : indexed.replace(stored);
    }

    @Override
    public WriteResult delete(StoredEntity<T> stored) {
        return indexed == null ? table.delete(stored) : indexed.delete(stored);
    }

    @Override
    public boolean deleteIfExists(String partitionKey, String rowKey) {
        if (indexed == null) {
            return table.deleteIfExists(partitionKey, rowKey);
        }
        Optional<StoredEntity<T>> found = indexed.find(partitionKey, rowKey);
        if (found.isEmpty()) {
            return false;
        }
        try {
            indexed.delete(found.get());
            return true;
        } catch (NotFoundException e) {
            if (e.isContainerMissing()) {
                throw e;
            }
            return false;
        }
    }

    @Override
    public Query<T> query() {
        return table.query();
    }

    @Override
    public Query<T> query(String partitionKey) {
        return query().partition(partitionKey);
    }

    @Override
    public Object call(DerivedMethod<T> method, Object... arguments) {
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
            Query<T> query = query(rows.partitionKey().apply(arguments));
            return rows(method, rows.rows().apply(arguments).map(query::where).orElse(query), arguments);
        }
        IndexLookup<T> values = ((ValuesLookup<T>) lookup).values().apply(arguments);
        return method.stored()
                ? values(
                        method,
                        values,
                        (of, token) -> token.isEmpty()
                                ? indexed().pageStored(of)
                                : indexed().pageStored(of, token.get()),
                        arguments)
                : values(
                        method,
                        values,
                        (of, token) ->
                                token.isEmpty() ? indexed().page(of) : indexed().page(of, token.get()),
                        arguments);
    }

    private Object point(DerivedMethod<T> method, String partitionKey, String rowKey) {
        return switch (method.verb()) {
            case EXISTS -> find(partitionKey, rowKey).isPresent();
            case DELETE -> deleteIfExists(partitionKey, rowKey);
            case FIND ->
                method.stored()
                        ? find(partitionKey, rowKey)
                        : find(partitionKey, rowKey).map(StoredEntity::value);
        };
    }

    private Object unique(DerivedMethod<T> method, UniqueLookup<T> unique, Object... arguments) {
        String partitionKey = unique.partitionKey().apply(arguments);
        Object value = arguments[unique.argument()];
        if (method.stored()) {
            return indexed().findStored(unique.index(), partitionKey, value);
        }
        Optional<T> found = indexed().find(unique.index(), partitionKey, value);
        return method.verb() == Verb.EXISTS ? found.isPresent() : found;
    }

    private static <T> Object rows(DerivedMethod<T> method, Query<T> query, Object... arguments) {
        if (method.result() == ResultForm.PAGE) {
            Query<T> sized = query.pageSize(method.pageSize(arguments));
            Optional<String> token = method.token(arguments);
            return method.stored()
                    ? token.map(sized::pageStored).orElseGet(sized::pageStored)
                    : token.map(sized::page).orElseGet(sized::page);
        }
        Stream<?> found = method.stored() ? query.streamStored() : query.stream();
        return method.result() == ResultForm.STREAM ? found : list(found);
    }

    private static <E> List<E> list(Stream<E> found) {
        try (found) {
            return found.toList();
        }
    }

    /** Reads a page of a lookup. */
    private interface PageRead<T, E> {
        Query.Page<E> page(IndexLookup<T> lookup, Optional<String> token);
    }

    private static <T, E> Object values(
            DerivedMethod<T> method, IndexLookup<T> lookup, PageRead<T, E> read, Object... arguments) {
        return switch (method.result()) {
            case PAGE -> read.page(lookup.pageSize(method.pageSize(arguments)), method.token(arguments));
            case ONE ->
                only(method, read.page(lookup.pageSize(2), Optional.empty()).values());
            case STREAM -> stream(token -> read.page(lookup, token));
            default -> list(stream(token -> read.page(lookup, token)));
        };
    }

    private static <E> Optional<E> only(DerivedMethod<?> method, List<E> found) {
        if (found.size() > 1) {
            throw method.severalFound();
        }
        return found.stream().findFirst();
    }

    private static <E> Stream<E> stream(Function<Optional<String>, Query.Page<E>> pages) {
        return Stream.iterate(Optional.of(pages.apply(Optional.empty())), Optional::isPresent, page -> page.flatMap(
                                Query.Page::nextToken)
                        .map(token -> pages.apply(Optional.of(token))))
                .flatMap(page -> page.orElseThrow().values().stream());
    }

    @Override
    public String toString() {
        return table.name();
    }
}
