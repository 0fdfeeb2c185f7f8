package io.stowline.table.internal.format;

import io.stowline.projection.internal.edm.EdmDateTime;
import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.table.Entity;
import io.stowline.table.internal.codec.AnyProperties.AnyProperty;
import io.stowline.table.transfer.PropertyKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a CSV file: the keys, the time stamp, and for each property its value and in {@code name@type} its type. Immutable.
 */
final class CsvColumns {

    private static final String TYPE = "@type";

    private final List<String> names;
    private final Map<String, PropertyKind> declared;

    private CsvColumns(List<String> names, Map<String, PropertyKind> declared) {
        this.names = names;
        this.declared = declared;
    }

    /** Returns the columns of an export. */
    static CsvColumns of(List<String> properties) {
        List<String> names =
                new ArrayList<>(List.of(PropertyNames.PARTITION_KEY, PropertyNames.ROW_KEY, PropertyNames.TIMESTAMP));
        for (String property : properties) {
            names.add(property);
            names.add(property + TYPE);
        }
        return new CsvColumns(List.copyOf(names), Map.of());
    }

    /**
     * Reads the columns of a file from its first record.
     *
     * @param declared the types of columns that have no column of types beside them
     * @throws IOException if a key is missing, a column is there twice, or has no type
     */
    static CsvColumns read(String header, Map<String, PropertyKind> declared) throws IOException {
        List<String> names = new ArrayList<>();
        for (String name : CsvText.fields(header)) {
            names.add(name == null ? "" : name.strip());
        }
        if (names.contains("")) {
            throw new IOException("column " + (names.indexOf("") + 1) + " of the " + names.size()
                    + " in the header has no name: give it one, or remove the comma and the field from each row");
        }
        Set<String> seen = new HashSet<>(names);
        if (seen.size() < names.size()) {
            throw new IOException("the header has a column twice: " + names);
        }
        if (!seen.contains(PropertyNames.PARTITION_KEY) || !seen.contains(PropertyNames.ROW_KEY)) {
            throw new IOException("the header needs the columns PartitionKey and RowKey, but has " + names);
        }
        for (String name : names) {
            if (isProperty(name) && !seen.contains(name + TYPE) && !declared.containsKey(name)) {
                throw new IOException("the column " + name + " has no type: declare it with column(\"" + name
                        + "\", ..), or add a column " + name + TYPE);
            }
        }
        return new CsvColumns(List.copyOf(names), declared);
    }

    private static boolean isProperty(String name) {
        return !name.endsWith(TYPE)
                && !name.equals(PropertyNames.PARTITION_KEY)
                && !name.equals(PropertyNames.ROW_KEY)
                && !name.equals(PropertyNames.TIMESTAMP);
    }

    byte[] header() {
        return CsvText.record(new ArrayList<>(names)).getBytes(StandardCharsets.UTF_8);
    }

    byte[] record(Entity entity) {
        List<@Nullable String> fields = new ArrayList<>();
        for (String name : names) {
            fields.add(field(name, entity));
        }
        return CsvText.record(fields).getBytes(StandardCharsets.UTF_8);
    }

    private static @Nullable String field(String name, Entity entity) {
        Instant timestamp = entity.timestamp();
        if (name.endsWith(TYPE)) {
            Object value = entity.get(name.substring(0, name.length() - TYPE.length()));
            return value == null ? null : CsvText.type(value);
        }
        return switch (name) {
            case PropertyNames.PARTITION_KEY -> entity.partitionKey();
            case PropertyNames.ROW_KEY -> entity.rowKey();
            case PropertyNames.TIMESTAMP -> timestamp == null ? null : EdmDateTime.format(timestamp);
            default -> {
                Object value = entity.get(name);
                yield value == null ? null : CsvText.value(value);
            }
        };
    }

    /** Returns the entity of a record. */
    Entity entity(String record) throws IOException {
        List<@Nullable String> fields = CsvText.fields(record);
        if (fields.size() != names.size()) {
            throw new IOException("the record has " + fields.size() + " fields, the header " + names.size());
        }
        Map<String, @Nullable String> byName = new LinkedHashMap<>();
        for (int i = 0; i < fields.size(); i++) {
            byName.put(names.get(i), fields.get(i));
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        for (Map.Entry<String, @Nullable String> field : byName.entrySet()) {
            String text = field.getValue();
            if (text != null && isProperty(field.getKey())) {
                String name = PropertyNames.check(field.getKey());
                properties.put(name, AnyProperty.exact(name, text, type(name, byName), true));
            }
        }
        String stamp = byName.get(PropertyNames.TIMESTAMP);
        return Entity.read(
                key(PropertyNames.PARTITION_KEY, byName),
                key(PropertyNames.ROW_KEY, byName),
                properties,
                stamp == null ? null : EdmDateTime.parse(stamp));
    }

    /** A key may be empty. */
    private static String key(String name, Map<String, @Nullable String> fields) {
        String key = fields.get(name);
        return key == null ? "" : key;
    }

    private String type(String name, Map<String, @Nullable String> fields) throws IOException {
        String beside = fields.get(name + TYPE);
        PropertyKind kind = declared.get(name);
        if (beside == null && kind == null) {
            throw new IOException("the property " + name + " has a value and no type");
        }
        return beside == null && kind != null ? kind.wireName() : String.valueOf(beside);
    }
}
