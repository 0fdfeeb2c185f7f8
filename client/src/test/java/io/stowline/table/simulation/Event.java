package io.stowline.table.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * That an entity was changed.
 *
 * @param at when, in virtual nanoseconds
 * @param change by what; without a number if by another client
 * @param etag the version that it left, empty after a deletion
 * @param after what the entity was then, or {@code null} after a deletion
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
