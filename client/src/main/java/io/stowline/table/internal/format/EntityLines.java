package io.stowline.table.internal.format;

import io.stowline.error.internal.PrintableText;
import io.stowline.projection.internal.edm.EdmDateTime;
import io.stowline.projection.internal.edm.EdmType;
import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.table.Entity;
import io.stowline.table.internal.codec.AnyProperties.AnyProperty;
import io.stowline.table.internal.codec.EntityJsonWriter;
import io.stowline.table.internal.codec.EntityObjectCodec;
import io.stowline.table.internal.codec.RowReader;
import io.stowline.table.internal.json.ByteBuilder;
import io.stowline.table.internal.json.JsonCursor;
import io.stowline.table.internal.json.JsonField.JsonFieldPrefix;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The form of an entity in a line: the service's JSON with the types that a value does not show, properties in the order of their names.
 * The bytes without the time stamp are the same for equal entities, so that checksums are made of them. For one thread.
 */
public final class EntityLines {

    private static final String PARTITION_KEY = "{\"PartitionKey\":";
    private static final String ROW_KEY = ",\"RowKey\":";

    private static final byte[] STAMP = ",\"Timestamp\":\"".getBytes(StandardCharsets.US_ASCII);

    static final int STAMP_LENGTH = STAMP.length + EdmDateTime.LENGTH + 1;

    /** Names of properties whose checks are kept; most tables have a few. */
    private static final int MAX_NAMES = 1_000;

    private final Map<String, KnownProperty> known = new HashMap<>();
    private final Set<String> allowed = new HashSet<>();
    private final EntityJsonWriter json = new EntityJsonWriter(new ByteBuilder());
    private RowReader<Entity> reader = newReader();

    /** A property of earlier rows, whose values are of this class. */
    private record KnownProperty(Class<?> values, EdmType type, JsonFieldPrefix prefix) {}

    /**
     * Returns an entity without its time stamp.
     *
     * @throws IllegalArgumentException if it breaks a rule of the service, naming the property
     */
    public byte[] line(Entity entity) {
        ByteBuilder out = json.cleared();
        json.begin(entity.partitionKey(), entity.rowKey());
        Map<String, Object> properties = entity.properties();
        String[] names = properties.keySet().toArray(String[]::new);
        Arrays.sort(names);
        for (String name : names) {
            property(name, Objects.requireNonNull(properties.get(name), "a value"));
        }
        json.end();
        return out.copy();
    }

    private void property(String name, Object value) {
        KnownProperty property = known.get(name);
        if (property == null || property.values() != value.getClass()) {
            String plain = plain(name);
            EdmType type = AnyProperty.type(plain, value);
            property = new KnownProperty(value.getClass(), type, JsonFieldPrefix.of(plain, type));
            if (known.size() == MAX_NAMES) {
                known.clear();
            }
            known.put(plain, property);
        }
        AnyProperty.write(property.prefix(), property.type(), value, json);
    }

    /** Writes a time stamp into a line, of {@link #STAMP_LENGTH} bytes, which stand after the keys. */
    static void stamp(Instant timestamp, byte[] target, int offset) {
        System.arraycopy(STAMP, 0, target, offset, STAMP.length);
        target[EdmDateTime.write(timestamp, target, offset + STAMP.length)] = '"';
    }

    /** Returns where the keys end in a line: the place of the time stamp. */
    static int keysEnd(byte[] line) {
        return textEnd(line, textEnd(line, PARTITION_KEY.length()) + ROW_KEY.length());
    }

    private static int textEnd(byte[] line, int quote) {
        int at = quote + 1;
        while (line[at] != '"') {
            at += line[at] == '\\' ? 2 : 1;
        }
        return at + 1;
    }

    /**
     * Returns the entity of a line.
     *
     * @throws IOException if the line is no JSON, or lacks a key
     * @throws RuntimeException if a value is not of its type, or a name not one that the service allows
     */
    public Entity entity(byte[] line) throws IOException {
        JsonCursor cursor = new JsonCursor(line);
        try {
            Entity entity = reader.value(cursor);
            cursor.end();
            entity.properties().keySet().forEach(this::check);
            return entity;
        } catch (IOException | RuntimeException e) {
            reader = newReader();
            throw e;
        }
    }

    /** A reader that has failed in the middle of a row is not used for the next one. */
    private static RowReader<Entity> newReader() {
        return EntityObjectCodec.uniqueReader().requested(null);
    }

    /** A name that other programs have stored may break the rules of names, but not the line. */
    private static String plain(String name) {
        if (name.chars().anyMatch(c -> c == '"' || c == '\\' || c < ' ')) {
            throw new IllegalArgumentException("property name " + PrintableText.of(name) + " cannot stand in a line");
        }
        return name;
    }

    /** Index rows are copied as they stand. */
    private void check(String name) {
        if (allowed.contains(name) || name.equals(PropertyNames.INDEXED_ROW) || name.equals(PropertyNames.INDEX)) {
            return;
        }
        PropertyNames.check(name);
        if (allowed.size() == MAX_NAMES) {
            allowed.clear();
        }
        allowed.add(name);
    }
}
