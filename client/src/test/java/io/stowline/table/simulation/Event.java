package io.stowline.table.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A change of an entity.
 *
 * @param at the time, in virtual nanoseconds
 * @param change the change; without a number if by another client
 * @param etag the version that it left, empty after a deletion
 * @param after the entity afterwards, or {@code null} after a deletion
 */
record Event(
        long at, StoreChange change, String etag, @Nullable Map<String, JsonNode> after) {

    boolean of(int op) {
        return change.op() == op;
    }

    boolean shows(int op) {
        JsonNode shown = after == null ? null : after.get("op");
        return shown != null && shown.asInt() == op;
    }

    @Override
    public String toString() {
        return Trace.time(at) + " " + change + (etag.isEmpty() ? "" : " -> " + etag);
    }
}
