package io.stowline.system.ledger.subject;

import io.stowline.outcome.WriteResult;
import io.stowline.system.ledger.script.Change;
import io.stowline.system.ledger.script.Row;
import io.stowline.system.ledger.verdict.IndexRows;
import io.stowline.table.Entity;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The changes of tables with index rows, carried out by Stowline. */
final class IndexedTables {

    private final IndexedTable<Entity> indexed;

    IndexedTables(Table<Entity> table) {
        this.indexed = table.indexed(List.of(
                Index.text(IndexRows.UNIQUE, IndexedTables::value).unique(),
                Index.text(IndexRows.MANY, IndexedTables::group),
                Index.text(IndexRows.ELSEWHERE, IndexedTables::group).global()));
    }

    private static @Nullable String value(Entity entity) {
        return entity.get(Row.VALUE, String.class);
    }

    private static @Nullable String group(Entity entity) {
        String value = value(entity);
        return value == null ? null : IndexRows.group(value);
    }

    /** Carries out a change; an entity to change or remove has to be found first. */
    Optional<WriteResult> perform(Change change) {
        Entity wanted = Entity.builder(change.key().partition(), change.key().row())
                .set(Row.VALUE, change.value())
                .build();
        return switch (change.verb()) {
            case INSERT -> Optional.of(indexed.insert(wanted));
            case REPLACE_ANY -> Optional.of(indexed.insertOrReplace(wanted));
            case UPDATE -> found(change).map(stored -> indexed.replace(stored.with(wanted)));
            default -> found(change).map(indexed::delete);
        };
    }

    private Optional<StoredEntity<Entity>> found(Change change) {
        return indexed.find(change.key().partition(), change.key().row());
    }
}
