package io.stowline.examples.shared;

import io.stowline.Stowline;
import io.stowline.table.Table;
import java.util.UUID;

/**
 * A table with a name of its own, which is gone at the end.
 *
 * @param table the table
 * @param <T> the table's type
 */
public record ScratchTable<T>(Table<T> table) implements AutoCloseable {

    /**
     * Makes it.
     *
     * @param storage the client
     * @param prefix what its name begins with
     * @param type the table's type
     * @param <T> the table's type
     * @return the table; close it
     */
    public static <T> ScratchTable<T> create(Stowline storage, String prefix, Class<T> type) {
        Table<T> table = storage.table(name(prefix), type);
        table.createIfMissing(); // whether it was made by an attempt whose answer was lost is no matter
        return new ScratchTable<>(table);
    }

    /**
     * A name that nothing else has.
     *
     * @param prefix what it begins with, in lower case
     * @return letters and digits
     */
    public static String name(String prefix) {
        return prefix + UUID.randomUUID().toString().replace("-", "");
    }

    @Override
    public void close() {
        table.deleteTableIfExists();
    }
}
