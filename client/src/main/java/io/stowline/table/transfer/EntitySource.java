package io.stowline.table.transfer;

import io.stowline.error.internal.PrintableText;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * A side of a comparison: a table of any account, or a table file. Exactly one of both is present. Immutable; making it costs nothing.
 */
public final class EntitySource {

    private final Optional<Table<Entity>> table;
    private final Optional<Path> file;

    private EntitySource(Optional<Table<Entity>> table, Optional<Path> file) {
        this.table = table;
        this.file = file;
    }

    /**
     * Returns a table as a side, with the retry settings and headers that it has.
     *
     * @param table the table, of any type
     * @return the side
     */
    public static EntitySource of(Table<?> table) {
        return new EntitySource(Optional.of(table.as(Entity.class)), Optional.empty());
    }

    /**
     * Returns a file as a side. One that is not in the order of the keys is sorted beside it first.
     *
     * @param file a file of an export, JSON of AzCopy 7.3, or CSV
     * @return the side
     */
    public static EntitySource of(Path file) {
        return new EntitySource(Optional.empty(), Optional.of(Objects.requireNonNull(file, "file")));
    }

    /**
     * Returns the table.
     *
     * @return the table, if this side is one
     */
    public Optional<Table<Entity>> table() {
        return table;
    }

    /**
     * Returns the file.
     *
     * @return the file, if this side is one
     */
    public Optional<Path> file() {
        return file;
    }

    @Override
    public String toString() {
        return PrintableText.of(table.map(side -> "table " + side.name())
                .orElseGet(() -> "file " + file.map(Path::toString).orElse("")));
    }
}
