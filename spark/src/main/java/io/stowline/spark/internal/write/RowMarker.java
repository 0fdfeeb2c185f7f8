package io.stowline.spark.internal.write;

import io.stowline.table.Entity;
import java.io.Serializable;

/**
 * The property by which rows of mode {@code insert} show the write that they come from, so that a second try of a task recognizes them.
 *
 * @param column the name of the property
 * @param id the id of the write
 */
record RowMarker(String column, String id) implements Serializable {

    /** Returns the marker of the rows of one part of this write: of an epoch, or of a task without clustering. */
    RowMarker of(String part) {
        return new RowMarker(column, id + "/" + part);
    }

    void put(Entity.Builder entity) {
        entity.set(column, id);
    }

    boolean isOn(Entity stored) {
        return id.equals(stored.get(column));
    }

    String foreign(Entity stored) {
        return stored.get(column) == null
                ? "an entity with these keys exists, and has no " + column
                : "an entity with these keys exists, and another write or row has left its " + column
                        + "; mode insert writes each key once";
    }
}
