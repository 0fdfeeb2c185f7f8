package io.stowline.table.internal.format;

import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** An entity of a table file: its keys and its line; the values of its properties are decoded when they are requested. For one thread at a time. */
public final class FileEntity {

    private final FileRow row;
    private final EntityKey key;
    private final byte[] line;
    private final boolean scanned;
    private final boolean markable;
    private @Nullable Entity entity;

    private FileEntity(
            FileRow row, EntityKey key, byte[] line, boolean scanned, boolean markable, @Nullable Entity entity) {
        this.row = row;
        this.key = key;
        this.line = line;
        this.scanned = scanned;
        this.markable = markable;
        this.entity = entity;
    }

    /**
     * Makes an entity that has been decoded.
     *
     * @param line its line as {@link EntityLines#line} gives it
     */
    public static FileEntity decoded(FileRow row, Entity entity, byte[] line) {
        return new FileEntity(row, OrderedRows.keyOf(entity), line, false, false, entity);
    }

    static FileEntity scanned(FileRow row, EntityKey key, byte[] line, boolean markable) {
        return new FileEntity(row, key, line, true, markable, null);
    }

    /** Returns the row as it stands in its file. */
    public FileRow row() {
        return row;
    }

    public EntityKey key() {
        return key;
    }

    /** Returns its line as {@link EntityLines#line} gives it; not to be changed. */
    public byte[] line() {
        return line;
    }

    /** Returns whether the line is certain to keep the rules of the service, so that it can be sent as it stands. */
    public boolean scanned() {
        return scanned;
    }

    /** Returns whether an entity that was scanned has room for the marker of a write. */
    public boolean markable() {
        return markable;
    }

    /** Returns the entity with its time stamp. */
    public Entity entity() {
        Entity known = entity;
        if (known == null) {
            try {
                known = new EntityLines().entity(row.text());
            } catch (IOException e) {
                throw new UncheckedIOException("a line that was scanned cannot be decoded", e);
            }
            entity = known;
        }
        return known;
    }
}
