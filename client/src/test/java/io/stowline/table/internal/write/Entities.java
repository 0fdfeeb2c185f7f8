package io.stowline.table.internal.write;

import org.jspecify.annotations.Nullable;

/** Entities as the service sends them, for tests. */
public final class Entities {

    private Entities() {}

    public static String json(String rowKey, String text, String timestamp, @Nullable String marker) {
        return "{\"odata.metadata\":\"x\",\"odata.etag\":\"W/\\\"7\\\"\",\"PartitionKey\":\"p\",\"RowKey\":\"" + rowKey
                + "\",\"Timestamp\":\"" + timestamp + "\",\"Text\":\"" + text + "\""
                + (marker == null ? "" : ",\"StowlineWrite\":\"" + marker + "\"") + "}";
    }
}
