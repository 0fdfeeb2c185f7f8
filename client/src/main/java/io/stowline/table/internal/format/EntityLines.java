package io.stowline.table.internal.format;

import io.stowline.error.internal.PrintableText;
import io.stowline.projection.internal.edm.EdmDateTime;
import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.table.Entity;
import io.stowline.table.internal.codec.AnyProperties.AnyProperty;
import io.stowline.table.internal.codec.EntityJsonWriter;
import io.stowline.table.internal.codec.EntityObjectCodec;
import io.stowline.table.internal.codec.RowReader;
import io.stowline.table.internal.json.ByteBuilder;
import io.stowline.table.internal.json.JsonCursor;
import java.io.IOException;
import java.time.Instant;
import java.util.TreeMap;

/**
 * The form of an entity in a line: the service's JSON with the types that a value does not show, properties in the order of their names.
 * The bytes without the time stamp are the same for equal entities, so that checksums are made of them. For one thread.
 */
public final class EntityLines {

    private static final String PARTITION_KEY = "{\"PartitionKey\":";
    private static final String ROW_KEY = ",\"RowKey\":";

    private final EntityJsonWriter json = new EntityJsonWriter(new ByteBuilder());
    private RowReader<Entity> reader = newReader();

    /**
     * Returns an entity without its time stamp.
     *
     * @throws IllegalArgumentException if it breaks a rule of the service, naming the property
     */
    public byte[] line(Entity entity) {
        ByteBuilder out = json.cleared();
        json.begin(entity.partitionKey(), entity.rowKey());
        new TreeMap<>(entity.properties()).forEach((name, value) -> AnyProperty.write(plain(name), value, json));
        json.end();
        return out.copy();
    }

    /** Returns the bytes of a time stamp in a line, which stand after the keys. */
    static byte[] stamp(Instant timestamp) {
        return new ByteBuilder()
                .ascii(",\"Timestamp\":\"")
                .ascii(EdmDateTime.format(timestamp))
                .one('"')
                .copy();
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
            entity.properties().keySet().forEach(EntityLines::checked);
            return entity;
        } catch (IOException | RuntimeException e) {
            reader = newReader();
            throw e;
        }
    }

    /** A reader that has failed in the middle of a row is not used for the next one. */
    private static RowReader<Entity> newReader() {
        return new EntityObjectCodec(null).reader().requested(null);
    }

    /** A name that other programs have stored may break the rules of names, but not the line. */
    private static String plain(String name) {
        if (name.chars().anyMatch(c -> c == '"' || c == '\\' || c < ' ')) {
            throw new IllegalArgumentException("property name " + PrintableText.of(name) + " cannot stand in a line");
        }
        return name;
    }

    /** Index rows are copied as they stand. */
    private static String checked(String name) {
        return name.equals(PropertyNames.INDEXED_ROW) || name.equals(PropertyNames.INDEX)
                ? name
                : PropertyNames.check(name);
    }
}
