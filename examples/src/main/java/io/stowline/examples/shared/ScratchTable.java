package io.stowline.examples.shared;

import io.stowline.Stowline;
import io.stowline.table.Table;
import java.util.UUID;

/**
 * A table with a unique name, which is deleted at the end.
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
        table.createIfMissing(); // either way it exists, also if a lost response hid its creation
        return new ScratchTable<>(table);
    }

    /**
     * Returns a unique name.
     *
     * @param prefix what it begins with, in lower case
     * @return letters and digits
     */
    public static String name(String prefix) {
        return prefix + UUID.randomUUID().toString().replace("-", "");
    }

    @Override
    public void close() {
        table.dropIfExists();
    }
}
