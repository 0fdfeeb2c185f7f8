package io.stowline.table.internal;

import io.stowline.projection.PropertyNames;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** A name in rows, and what stands behind it. */
final class Field {

    private static final String TYPE_SUFFIX = "@odata.type";
    private static final String OF_THE_PROTOCOL = "odata.";

    /** What stands behind a name. */
    enum Role {
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

    private final Role role;
    private final String property;
    private final int index;
    private final byte[] wire;
    // Both are read and written by many threads without order: whoever follows them looks at the bytes.
    private @Nullable Field next;
    private String likely = "";

    private Field(Role role, String property, int index, byte[] wire) {
        this.role = role;
        this.property = property;
        this.index = index;
        this.wire = wire;
    }

    /** What stands behind a name; the indexes of properties and types that nobody wants are negative. */
    static Field of(String name, ToIntFunction<String> properties, ToIntFunction<String> types) {
        byte[] wire = new WireBytes().json(name).one(':').copy();
        return switch (name) {
            case "PartitionKey" -> new Field(Role.PARTITION_KEY, name, -1, wire);
            case "RowKey" -> new Field(Role.ROW_KEY, name, -1, wire);
            case "Timestamp" -> new Field(Role.TIMESTAMP, name, -1, wire);
            case "odata.etag" -> new Field(Role.ETAG, name, -1, wire);
            case PropertyNames.INDEXED_ROW -> new Field(Role.INDEXED_ROW, name, -1, wire);
            case PropertyNames.INDEX -> new Field(Role.INDEX, name, -1, wire);
            default -> {
                if (name.endsWith(TYPE_SUFFIX)) {
                    String property = name.substring(0, name.length() - TYPE_SUFFIX.length());
                    yield of(Role.TYPE, property, types.applyAsInt(property), wire);
                }
                int index = name.startsWith(OF_THE_PROTOCOL) ? -1 : properties.applyAsInt(name);
                yield of(Role.PROPERTY, name, index, wire);
            }
        };
    }

    private static Field of(Role role, String property, int index, byte[] wire) {
        return new Field(index < 0 ? Role.NOTHING : role, property, index, wire);
    }

    Role role() {
        return role;
    }

    /** The name of the property, for its type, too. */
    String property() {
        return property;
    }

    int index() {
        return index;
    }

    /** The name and its colon as they stand in JSON if nobody adds white space. */
    byte[] wire() {
        return wire;
    }

    /** What came behind it lately. */
    @Nullable
    Field next() {
        return next;
    }

    void next(Field field) {
        next = field;
    }

    /** What its value was lately, as text. */
    String likely() {
        return likely;
    }

    void likely(String text) {
        likely = text;
    }
}
