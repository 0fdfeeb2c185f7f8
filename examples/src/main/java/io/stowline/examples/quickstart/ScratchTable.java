package io.stowline.examples.quickstart;

import io.stowline.Stowline;
import io.stowline.table.Table;
import java.util.UUID;

/**
 * A table with a name of its own, which is gone at the end.
 *
 * @param table the table
 */
record ScratchTable(Table<City> table) implements AutoCloseable {

    static ScratchTable create(Stowline storage) {
        String name = "quickstart" + UUID.randomUUID().toString().replace("-", "");
        Table<City> table = storage.table(name, City.class);
        table.createIfMissing(); // whether it was made by an attempt whose answer was lost is no matter
        return new ScratchTable(table);
    }

    @Override
    public void close() {
        table.deleteTableIfExists();
    }
}
