package io.stowline.benchmarks.correctness;

import io.stowline.table.Entity;
import io.stowline.table.EntityWriteResult;
import io.stowline.table.IndexSettings;
import io.stowline.table.IndexedTable;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import java.util.Optional;

/** How Stowline does what a change asks for where index rows have to follow. */
final class IndexedTables {

    private final IndexedTable<Entity> indexed;

    IndexedTables(Table<Entity> table) {
        this.indexed = table.indexed(IndexedTables::indexes);
    }

    private static IndexSettings<Entity> indexes(IndexSettings<Entity> ix) {
        return ix.unique(IndexRows.UNIQUE, entity -> value(entity))
                .local(IndexRows.MANY, entity -> value(entity).map(IndexRows::group))
                .global(IndexRows.ELSEWHERE, entity -> value(entity).map(IndexRows::group));
    }

    private static Optional<String> value(Entity entity) {
        return Optional.ofNullable(entity.get(Row.VALUE, String.class));
    }

    /** What is changed or removed has to be found first. */
    Optional<EntityWriteResult> perform(Change change) {
        Entity wanted = Entity.builder(change.key().partition(), change.key().row())
                .set(Row.VALUE, change.value())
                .build();
        return switch (change.verb()) {
            case INSERT -> Optional.of(indexed.insert(wanted));
            case REPLACE_ANY -> Optional.of(indexed.put(wanted));
            case UPDATE -> found(change).map(stored -> indexed.replace(stored, wanted));
            default -> found(change).map(indexed::delete);
        };
    }

    private Optional<StoredEntity<Entity>> found(Change change) {
        return indexed.find(change.key().partition(), change.key().row());
    }
}
