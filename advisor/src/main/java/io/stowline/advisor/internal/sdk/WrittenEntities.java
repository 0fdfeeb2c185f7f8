package io.stowline.advisor.internal.sdk;

import com.azure.core.util.BinaryData;
import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The entities that the body of a request writes: the keys of an insert, the table, partition and number of a transaction. The body is
 * read only if it lies in memory and can be read again.
 *
 * @param table the table of a transaction, or {@code null}
 * @param partition the partition key, or {@code null}
 * @param row the row key of an insert, or {@code null}
 * @param number how many
 */
record WrittenEntities(
        @Nullable String table,
        @Nullable String partition,
        @Nullable String row,
        int number) {

    static final WrittenEntities UNREAD = new WrittenEntities(null, null, null, 1);

    /** A transaction has 4 MiB; the rest is that of its multipart form. */
    private static final int MAX_BYTES = 5 << 20;

    private static final Pattern OPERATION = Pattern.compile(
            "^(POST|PUT|PATCH|MERGE|DELETE|GET) (\\S++) HTTP/1\\.1\\r?$", Pattern.MULTILINE | Pattern.UNIX_LINES);
    private static final Pattern JSON = Pattern.compile("^\\{.*+$", Pattern.MULTILINE | Pattern.UNIX_LINES);

    static WrittenEntities ofInsert(@Nullable BinaryData body) throws IOException {
        byte[] bytes = bytes(body);
        if (bytes == null) {
            return UNREAD;
        }
        try (JsonReader json = JsonProviders.createReader(bytes)) {
            return ofEntity(json);
        }
    }

    static WrittenEntities ofTransaction(@Nullable BinaryData body) throws IOException {
        byte[] bytes = bytes(body);
        if (bytes == null) {
            return UNREAD;
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        Matcher operation = OPERATION.matcher(text);
        int number = 0;
        String table = null;
        String partition = null;
        while (operation.find()) {
            number++;
            if (number == 1) {
                SdkAddress entity = SdkAddress.ofOperation(operation.group(2));
                table = entity.container();
                partition = entity.partition() == null ? partitionOf(text, operation.end()) : entity.partition();
            }
        }
        return new WrittenEntities(table, partition, null, Math.max(1, number));
    }

    private static @Nullable String partitionOf(String text, int from) throws IOException {
        Matcher entity = JSON.matcher(text);
        if (!entity.find(from)) {
            return null;
        }
        try (JsonReader json = JsonProviders.createReader(entity.group())) {
            return ofEntity(json).partition;
        }
    }

    private static WrittenEntities ofEntity(JsonReader json) throws IOException {
        String partition = null;
        String row = null;
        if (json.nextToken() != JsonToken.START_OBJECT) {
            return UNREAD;
        }
        while ((partition == null || row == null) && json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.getFieldName();
            JsonToken value = json.nextToken();
            if (value == JsonToken.STRING && name.equals("PartitionKey")) {
                partition = json.getString();
            } else if (value == JsonToken.STRING && name.equals("RowKey")) {
                row = json.getString();
            } else {
                json.skipChildren();
            }
        }
        return new WrittenEntities(null, partition, row, 1);
    }

    private static byte @Nullable [] bytes(@Nullable BinaryData body) {
        if (body == null || !body.isReplayable()) {
            return null;
        }
        Long length = body.getLength();
        return length == null || length > MAX_BYTES ? null : body.toBytes();
    }
}
