package io.stowline.table.internal;

import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
import io.stowline.projection.EdmDateTime;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows from JSON. What every row has (keys, time stamp, ETag) is read here; a subclass takes the properties and makes the
 * value. For one thread.
 *
 * @param <T> what a row becomes
 */
public abstract class RowReader<T> {

    /** For subclasses. */
    protected RowReader() {}

    static final String TYPE_SUFFIX = "@odata.type";

    private @Nullable String etag;
    private @Nullable Instant timestamp;

    /**
     * Reads the object that the reader stands at the beginning of.
     *
     * @param json the reader, at a START_OBJECT
     * @return the row
     * @throws IOException if the JSON is cut or wrong
     */
    public final Row<T> read(JsonReader json) throws IOException {
        etag = null;
        timestamp = null;
        for (JsonToken token = json.nextToken(); token != JsonToken.END_OBJECT; token = json.nextToken()) {
            if (token != JsonToken.FIELD_NAME) {
                throw new IOException("a row holds " + token + " where a property name belongs");
            }
            String name = json.getFieldName();
            field(name, json.nextToken(), json);
        }
        return new Row<>(build(timestamp), etag, timestamp);
    }

    private void field(String name, JsonToken token, JsonReader json) throws IOException {
        switch (name) {
            case "PartitionKey" -> partitionKey(json.getString());
            case "RowKey" -> rowKey(json.getString());
            case "odata.etag" -> etag = json.getString();
            case "Timestamp" -> timestamp = token == JsonToken.STRING ? time(json.getString()) : null;
            default -> {
                if (name.endsWith(TYPE_SUFFIX)) {
                    typed(name.substring(0, name.length() - TYPE_SUFFIX.length()), json.getString());
                } else if (!name.startsWith("odata.")) {
                    property(name, token, json);
                }
            }
        }
        if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
            json.skipChildren();
        }
    }

    private static Instant time(String text) throws IOException {
        try {
            return EdmDateTime.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IOException("the Timestamp is no time: " + e.getMessage(), e);
        }
    }

    /**
     * Takes the partition key.
     *
     * @param key the key
     */
    protected abstract void partitionKey(String key);

    /**
     * Takes the row key.
     *
     * @param key the key
     */
    protected abstract void rowKey(String key);

    /**
     * Takes the service's word for a property's type. As a rule it comes before the property.
     *
     * @param property the property's name
     * @param type such as {@code Edm.Int64}
     * @throws IOException if a value that came before does not fit the type
     */
    protected abstract void typed(String property, String type) throws IOException;

    /**
     * Takes a property.
     *
     * @param name its name
     * @param token what kind of JSON its value is
     * @param json the reader, at the value
     * @throws IOException if the value cannot be read
     */
    protected abstract void property(String name, JsonToken token, JsonReader json) throws IOException;

    /**
     * Makes the value of what was taken, and forgets it.
     *
     * @param rowTimestamp the service's time stamp, if it was sent
     * @return the value
     */
    protected abstract T build(@Nullable Instant rowTimestamp);
}
