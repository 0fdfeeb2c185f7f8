package io.stowline.system.ledger.script;

import com.azure.core.util.Context;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** A second writer, which no fault befalls. */
public final class CompetingWriter {

    private final TableClient table;
    private final AtomicInteger writes = new AtomicInteger();

    public CompetingWriter(TableClient table) {
        this.table = table;
    }

    /** Writes to an entity, and says how. */
    String strike(Change change, Random random) {
        Key key = change.key();
        switch (random.nextInt(5)) {
            case 0 -> {
                table.deleteEntity(key.partition(), key.row());
                return "delete";
            }
            case 1 -> {
                table.deleteEntity(key.partition(), key.row());
                write(key, Row.VALUE, mine(), TableEntityUpdateMode.REPLACE);
                return "re-creation";
            }
            case 2 -> {
                // The same content as the client's, so that content alone does not tell who wrote it.
                String value = change.verb().isDelete() ? mine() : change.value();
                write(key, change.verb().property(), value, mode(change));
                return "write of the same";
            }
            case 3 -> {
                write(key, Row.NOTE, mine(), TableEntityUpdateMode.MERGE);
                return "merge";
            }
            default -> {
                write(key, Row.VALUE, mine(), TableEntityUpdateMode.REPLACE);
                return "replacement";
            }
        }
    }

    private static TableEntityUpdateMode mode(Change change) {
        return change.verb().replaces() ? TableEntityUpdateMode.REPLACE : TableEntityUpdateMode.MERGE;
    }

    private String mine() {
        return "rival-" + writes.incrementAndGet();
    }

    private void write(Key key, String property, String value, TableEntityUpdateMode mode) {
        TableEntity entity = new TableEntity(key.partition(), key.row()).addProperty(property, value);
        table.upsertEntityWithResponse(entity, mode, null, Context.NONE);
    }
}
