package io.stowline.table.internal;

import com.azure.core.http.HttpHeaderName;
import io.stowline.transport.internal.Answer;
import org.jspecify.annotations.Nullable;

/**
 * Where the service will go on: opaque texts that are sent back as they came. One that is present and empty is a token too; only an
 * absent one means the end (the service's page "Query timeout and pagination").
 *
 * @param partitionKey the first header, where it was sent
 * @param rowKey the second header, where it was sent
 * @param tableName the header of a list of tables, where it was sent
 */
public record Continuation(
        @Nullable String partitionKey,
        @Nullable String rowKey,
        @Nullable String tableName) {

    private static final HttpHeaderName PARTITION_KEY = HttpHeaderName.fromString("x-ms-continuation-NextPartitionKey");
    private static final HttpHeaderName ROW_KEY = HttpHeaderName.fromString("x-ms-continuation-NextRowKey");
    private static final HttpHeaderName TABLE_NAME = HttpHeaderName.fromString("x-ms-continuation-NextTableName");

    static @Nullable Continuation of(Answer answer) {
        String partitionKey = answer.header(PARTITION_KEY);
        String tableName = answer.header(TABLE_NAME);
        return partitionKey == null && tableName == null
                ? null
                : new Continuation(partitionKey, answer.header(ROW_KEY), tableName);
    }

    /** What an answer to a request that began here must not say: it would be asked for again and again. */
    static @Nullable String unchanged(@Nullable Continuation from, Answer answer) {
        return from != null && from.equals(of(answer))
                ? "the page has the continuation that it was asked for with, so that the list would never end"
                : null;
    }

    void addTo(QueryString query) {
        query.add("NextPartitionKey", partitionKey);
        query.add("NextRowKey", rowKey);
        query.add("NextTableName", tableName);
    }
}
