package io.stowline.table.internal.write;

import io.stowline.table.internal.json.JsonCursor;
import io.stowline.table.internal.json.JsonCursor.JsonShape;
import io.stowline.table.internal.json.JsonField;
import io.stowline.table.internal.json.JsonField.JsonFieldTable;
import io.stowline.table.internal.request.TableRequests;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A check that the response to a point read is the requested entity: a page of a gateway, or the response to another
 * request, is no version of it. The user's code, which makes a row of it, comes later.
 *
 * @param rowKey its key there
 * @param complete whether to read all of it, as it is cached for others, or only the keys, which come first
 */
record PointReadCheck(String partitionKey, String rowKey, boolean complete) {

    private static final int NOT_MODIFIED = 304;

    /** The names that stand in entities; it wants no property. */
    private static final JsonFieldTable NAMES = new JsonFieldTable(name -> -1, name -> -1);

    /** Refuses what is not the entity. It is not requested once more: what stands between would respond the same. */
    StorageResponse checked(String table, StorageResponse response) {
        String wrong = response.status() == NOT_MODIFIED ? null : against(response);
        if (wrong != null) {
            throw ErrorMapper.undecodable(
                    response, "find", TableRequests.resource(table, partitionKey, rowKey), wrong, null);
        }
        return response;
    }

    /** Returns the fault of a response, or {@code null} if it is the entity. */
    @Nullable
    String against(StorageResponse response) {
        try {
            String wrong = against(new JsonCursor(response.body()));
            return wrong == null ? null : "the response is not the requested entity: " + wrong;
        } catch (IOException e) {
            return "the response is not the requested JSON: " + e.getMessage();
        }
    }

    private @Nullable String against(JsonCursor json) throws IOException {
        boolean partition = false;
        boolean row = false;
        JsonField field = NAMES.start();
        for (boolean more = json.enter('{', '}'); more && (complete || !(partition && row)); more = json.more('}')) {
            field = NAMES.after(field, json);
            switch (field.role()) {
                case PARTITION_KEY -> {
                    partition = true;
                    String wrong = other("PartitionKey", partitionKey, json);
                    if (wrong != null) {
                        return wrong;
                    }
                }
                case ROW_KEY -> {
                    row = true;
                    String wrong = other("RowKey", rowKey, json);
                    if (wrong != null) {
                        return wrong;
                    }
                }
                default -> json.skip();
            }
        }
        if (complete) {
            json.end();
        }
        return partition && row ? null : "it has no " + (partition ? "RowKey" : "PartitionKey");
    }

    private static @Nullable String other(String name, String requested, JsonCursor json) throws IOException {
        String found = json.kind() == JsonShape.STRING ? json.again(requested) : json.scalar();
        return requested.equals(found) ? null : "its " + name + " is '" + found + "' instead of '" + requested + "'";
    }
}
