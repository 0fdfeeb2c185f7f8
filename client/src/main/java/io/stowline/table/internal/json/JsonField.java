package io.stowline.table.internal.json;

import io.stowline.projection.internal.edm.EdmType;
import io.stowline.projection.internal.edm.PropertyNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** A name in rows, and what stands behind it. */
public final class JsonField {

    private static final String TYPE_SUFFIX = "@odata.type";
    private static final String OF_THE_PROTOCOL = "odata.";

    /** The role of the value behind a name. */
    public enum FieldRole {
        PARTITION_KEY,
        ROW_KEY,
        TIMESTAMP,
        ETAG,
        INDEXED_ROW,
        INDEX,
        TYPE,
        PROPERTY,
        NOTHING
    }

    private final FieldRole role;
    private final String property;
    private final int index;
    private final byte[] wire;
    // Both are read and written by many threads without order: a reader that follows them looks at the bytes.
    private @Nullable JsonField next;
    private String likely = "";

    private JsonField(FieldRole role, String property, int index, byte[] wire) {
        this.role = role;
        this.property = property;
        this.index = index;
        this.wire = wire;
    }

    /** Returns the field of a name; the indexes of unwanted properties and types are negative. */
    static JsonField of(String name, ToIntFunction<String> properties, ToIntFunction<String> types) {
        byte[] wire = new ByteBuilder().json(name).one(':').copy();
        return switch (name) {
            case "PartitionKey" -> new JsonField(FieldRole.PARTITION_KEY, name, -1, wire);
            case "RowKey" -> new JsonField(FieldRole.ROW_KEY, name, -1, wire);
            case "Timestamp" -> new JsonField(FieldRole.TIMESTAMP, name, -1, wire);
            case "odata.etag" -> new JsonField(FieldRole.ETAG, name, -1, wire);
            case PropertyNames.INDEXED_ROW -> new JsonField(FieldRole.INDEXED_ROW, name, -1, wire);
            case PropertyNames.INDEX -> new JsonField(FieldRole.INDEX, name, -1, wire);
            default -> {
                if (name.endsWith(TYPE_SUFFIX)) {
                    String property = name.substring(0, name.length() - TYPE_SUFFIX.length());
                    yield of(FieldRole.TYPE, property, types.applyAsInt(property), wire);
                }
                int index = name.startsWith(OF_THE_PROTOCOL) ? -1 : properties.applyAsInt(name);
                yield of(FieldRole.PROPERTY, name, index, wire);
            }
        };
    }

    private static JsonField of(FieldRole role, String property, int index, byte[] wire) {
        return new JsonField(index < 0 ? FieldRole.NOTHING : role, property, index, wire);
    }

    public FieldRole role() {
        return role;
    }

    /** Returns the name of the property, also for the field of its type. */
    public String property() {
        return property;
    }

    public int index() {
        return index;
    }

    /** Returns the name and its colon as in JSON without added white space. */
    byte[] wire() {
        return wire;
    }

    /** Returns the field that came behind it lately. */
    @Nullable
    JsonField next() {
        return next;
    }

    void next(JsonField field) {
        next = field;
    }

    /** Returns its last value as text. */
    public String likely() {
        return likely;
    }

    public void likely(String text) {
        likely = text;
    }

    /**
     * The JSON before a property's value: {@code ,"Name":}, and before it {@code ,"Name@odata.type":"Edm.Int64"} where
     * the value alone does not show its type. Doubles are always annotated, because a whole one reads as an Int32
     * otherwise.
     *
     * @param bytes the bytes before its value
     */
    @SuppressWarnings("ArrayRecordComponent") // made once per property; never compared
    public record JsonFieldPrefix(String name, byte[] bytes) {

        /** Returns the prefix of a property. */
        public static JsonFieldPrefix of(String name, EdmType type) {
            String annotation =
                    switch (type) {
                        case STRING, BOOLEAN, INT32 -> "";
                        case INT64, DOUBLE, DATETIME, GUID, BINARY ->
                            ",\"" + name + "@odata.type\":\"" + type.wireName() + "\"";
                    };
            return new JsonFieldPrefix(name, (annotation + ",\"" + name + "\":").getBytes(StandardCharsets.UTF_8));
        }
    }

    /**
     * The names that stand in rows. Rows resemble each other: mostly a name is known by its bytes, because it came behind the same name
     * before. Thread-safe.
     */
    public static final class JsonFieldTable {

        /** Names beyond this number are read, too, but not kept. */
        private static final int MAX = 1_024;

        /** Longer names are not kept: a property's name has 255 characters at most, and a type's a suffix. */
        private static final int LONGEST = 300;

        private final Map<String, JsonField> known = new ConcurrentHashMap<>();
        private final ToIntFunction<String> properties;
        private final ToIntFunction<String> types;
        private final JsonField start;

        /**
         * A table that is queried once for each name.
         *
         * @param properties the index of a property, negative if it is unwanted
         */
        public JsonFieldTable(ToIntFunction<String> properties, ToIntFunction<String> types) {
            this.properties = properties;
            this.types = types;
            this.start = JsonField.of("", name -> -1, name -> -1);
        }

        /** Returns the start, before the first name of a row. */
        public JsonField start() {
            return start;
        }

        /** Passes over the name of a row's next field. */
        public JsonField after(JsonField before, JsonCursor json) throws IOException {
            JsonField likely = before.next();
            if (likely != null && json.passes(likely.wire())) {
                return likely;
            }
            JsonField second = likely == null ? null : likely.next();
            if (second != null && json.passes(second.wire())) {
                return second;
            }
            String name = json.name();
            if (name.length() > LONGEST) {
                return JsonField.of(name, properties, types);
            }
            JsonField found = named(name);
            before.next(found);
            return found;
        }

        private JsonField named(String name) {
            @Nullable JsonField found = known.get(name);
            if (found == null) {
                found = JsonField.of(name, properties, types);
                if (known.size() < MAX) {
                    known.put(name, found);
                }
            }
            return found;
        }
    }
}
