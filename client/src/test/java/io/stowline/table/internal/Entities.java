package io.stowline.table.internal;

import org.jspecify.annotations.Nullable;

/** Entities as the service sends them, for tests. */
final class Entities {

    private Entities() {}

    static String json(String rowKey, String text, String timestamp, @Nullable String mark) {
        return "{\"odata.metadata\":\"x\",\"odata.etag\":\"W/\\\"7\\\"\",\"PartitionKey\":\"p\",\"RowKey\":\"" + rowKey
                + "\",\"Timestamp\":\"" + timestamp + "\",\"Text\":\"" + text + "\""
                + (mark == null ? "" : ",\"StowlineWrite\":\"" + mark + "\"") + "}";
    }
}
