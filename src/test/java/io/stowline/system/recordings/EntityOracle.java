package io.stowline.system.recordings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stowline.table.Entity;
import io.stowline.table.StoredEntity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reader of entities in JSON that shares no code with the library's. Its results are maps of plain values. */
final class EntityOracle {

    static final String ETAG = "*etag";
    static final String PARTITION_KEY = "PartitionKey";
    static final String ROW_KEY = "RowKey";
    static final String TIMESTAMP = "Timestamp";

    private static final ObjectMapper JSON = new ObjectMapper();

    private EntityOracle() {}

    static JsonNode json(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the rows of a page. */
    static List<Map<String, Object>> rows(byte[] body) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (JsonNode row : json(body).get("value")) {
            rows.add(row(row, null));
        }
        return rows;
    }

    /**
     * Returns a row with its keys, its timestamp and its ETag, which without another source is made of the timestamp.
     *
     * @param etag the header's, or {@code null}
     */
    static Map<String, Object> row(JsonNode row, @Nullable String etag) {
        Map<String, Object> values = properties(row);
        JsonNode timestamp = row.get(TIMESTAMP);
        if (timestamp != null) {
            values.put(TIMESTAMP, Instant.parse(timestamp.asText()));
        }
        JsonNode inRow = row.get("odata.etag");
        if (inRow != null) {
            values.put(ETAG, inRow.asText());
        } else if (etag != null) {
            values.put(ETAG, etag);
        } else if (timestamp != null) {
            values.put(ETAG, "W/\"datetime'" + timestamp.asText().replace(":", "%3A") + "'\"");
        }
        return values;
    }

    /** Returns the keys and the properties that are not null, each as the Java type of its type. */
    static Map<String, Object> properties(JsonNode row) {
        Map<String, Object> values = new TreeMap<>();
        row.properties().forEach(field -> {
            String name = field.getKey();
            if (!name.contains("odata.") && !field.getValue().isNull() && !name.equals(TIMESTAMP)) {
                JsonNode type = row.get(name + "@odata.type");
                values.put(name, value(field.getValue(), type == null ? "" : type.asText()));
            }
        });
        return values;
    }

    private static Object value(JsonNode value, String type) {
        return switch (type) {
            case "Edm.Int64" -> Long.valueOf(value.asText());
            case "Edm.Int32" -> Integer.valueOf(value.asText());
            case "Edm.Double" -> Double.valueOf(value.asText());
            case "Edm.Boolean" -> Boolean.valueOf(value.asText());
            case "Edm.DateTime" -> Instant.parse(value.asText());
            case "Edm.Guid" -> UUID.fromString(value.asText());
            case "Edm.Binary" -> HexFormat.of().formatHex(Base64.getDecoder().decode(value.asText()));
            case "Edm.String" -> value.asText();
            case "" -> plain(value);
            default -> throw new IllegalArgumentException("no type of the service: " + type);
        };
    }

    private static Object plain(JsonNode value) {
        if (value.isBoolean()) {
            return value.booleanValue();
        }
        if (value.isInt()) {
            return value.intValue();
        }
        if (value.isLong()) {
            return value.longValue();
        }
        return value.isNumber() ? (Object) value.doubleValue() : value.asText();
    }

    /** Returns what the library has read, in the same form. */
    static Map<String, Object> plain(StoredEntity<Entity> stored) {
        Map<String, Object> values = plain(stored.value());
        stored.timestamp().ifPresent(at -> values.put(TIMESTAMP, at));
        values.put(ETAG, stored.etag());
        return values;
    }

    private static Map<String, Object> plain(Entity entity) {
        Map<String, Object> values = new TreeMap<>();
        values.put(PARTITION_KEY, entity.partitionKey());
        values.put(ROW_KEY, entity.rowKey());
        entity.properties()
                .forEach((name, value) -> values.put(
                        name, value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value));
        return values;
    }

    /** Returns the library's entity of the same content. */
    static Entity entity(Map<String, Object> values, JsonNode row) {
        Entity.Builder entity =
                Entity.builder(String.valueOf(values.get(PARTITION_KEY)), String.valueOf(values.get(ROW_KEY)));
        values.forEach((name, value) -> {
            if (!name.equals(PARTITION_KEY) && !name.equals(ROW_KEY)) {
                boolean binary =
                        "Edm.Binary".equals(row.path(name + "@odata.type").asText());
                entity.set(name, binary ? HexFormat.of().parseHex((String) value) : value);
            }
        });
        return entity.build();
    }
}
