package io.stowline.table.internal.format;

import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.internal.edm.EdmType;
import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.table.EntityKey;
import io.stowline.table.internal.codec.EntityJsonWriter;
import io.stowline.table.internal.json.JsonField.JsonFieldPrefix;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A scanner of lines whose bytes, without a time stamp behind the keys, are those of {@link EntityLines#line} for their entity, which keeps all
 * rules of the service. Such a line is written as it stands, and nothing of it is decoded but the keys. All others are left to {@link
 * EntityLines#entity}, which also knows why a row is rejected. For one thread.
 */
final class LineScanner {

    private static final byte[] NOTHING = {};
    private static final byte[] PARTITION_KEY = "{\"PartitionKey\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ROW_KEY = ",\"RowKey\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] STAMP = ",\"Timestamp\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TYPED = "\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final String TYPE_SUFFIX = "@odata.type";

    /** Names that are kept; most tables have a few. */
    private static final int MAX_NAMES = 1_000;

    private final ValueScanner values = new ValueScanner();
    private final Map<String, ScannedProperty> known = new HashMap<>();
    private final ScannedProperty start = new ScannedProperty("", null, NOTHING);
    private byte[] text = NOTHING;
    private int at;
    private byte[] beforeRowKey = NOTHING;
    private String partitionKey = "";
    private String rowKey = "";
    private int keysEnd;
    private int stampEnd;
    private int count;
    private long size;

    /** A property of earlier lines, with the bytes before its value. */
    private static final class ScannedProperty {

        private final String name;
        private final @Nullable EdmType type;
        private final byte[] prefix;
        private @Nullable ScannedProperty next;

        ScannedProperty(String name, @Nullable EdmType type, byte[] prefix) {
            this.name = name;
            this.type = type;
            this.prefix = prefix;
        }
    }

    /** Returns whether a line is one that is written as it stands. */
    boolean scan(byte[] line) {
        text = line;
        at = 0;
        return partition() && row() && stamp() && properties();
    }

    /** Returns the entity of the last line, which was one that is written as it stands. */
    FileEntity entity(FileRow row) {
        byte[] line = text;
        if (stampEnd > keysEnd) {
            line = new byte[text.length - stampEnd + keysEnd];
            System.arraycopy(text, 0, line, 0, keysEnd);
            System.arraycopy(text, stampEnd, line, keysEnd, text.length - stampEnd);
        }
        EntityKey key = new EntityKey(partitionKey, rowKey);
        return FileEntity.scanned(row, key, line, EntityJsonWriter.hasRoomForMarker(count, size));
    }

    /** Most rows have the partition of the one before. */
    private boolean partition() {
        if (beforeRowKey.length > 0 && passes(beforeRowKey)) {
            return true;
        }
        String key = passes(PARTITION_KEY) ? key("PartitionKey") : null;
        if (key == null || !passes(ROW_KEY)) {
            return false;
        }
        partitionKey = key;
        beforeRowKey = Arrays.copyOf(text, at);
        return true;
    }

    private boolean row() {
        String key = key("RowKey");
        rowKey = key == null ? "" : key;
        keysEnd = at;
        return key != null;
    }

    private @Nullable String key(String role) {
        int from = at + 1;
        int end = values.string(text, at);
        if (end < 0) {
            return null;
        }
        at = end;
        try {
            return KeyRules.check(role, new String(text, from, end - 1 - from, StandardCharsets.UTF_8));
        } catch (InvalidKeyException other) {
            return null;
        }
    }

    private boolean stamp() {
        at = passes(STAMP) ? ValueScanner.time(text, at) : at;
        stampEnd = at;
        return at >= 0;
    }

    private boolean properties() {
        count = 0;
        size = EntityJsonWriter.keysSize(partitionKey, rowKey);
        ScannedProperty before = start;
        while (at < text.length && text[at] == ',') {
            ScannedProperty property = after(before);
            int end = property == null ? ValueScanner.OTHER : values.end(property.type, text, at);
            if (property == null || end < 0) {
                return false;
            }
            at = end;
            count++;
            size += EntityJsonWriter.propertySize(property.name, values.size());
            before = property;
        }
        return at == text.length - 1 && text[at] == '}' && EntityJsonWriter.fits(count, size);
    }

    /** Passes over what stands before the next value; {@code null} if the property does not follow in the order of the names. */
    private @Nullable ScannedProperty after(ScannedProperty before) {
        ScannedProperty likely = before.next;
        if (likely != null && passes(likely.prefix)) {
            return likely;
        }
        ScannedProperty second = likely == null ? null : likely.next;
        if (second != null && passes(second.prefix)) {
            return second;
        }
        ScannedProperty found = named();
        if (found == null || before.name.compareTo(found.name) >= 0) {
            return null;
        }
        before.next = found;
        return found;
    }

    private @Nullable ScannedProperty named() {
        int from = at + 1;
        int end = values.string(text, from);
        if (end < 0) {
            return null;
        }
        String name = new String(text, from + 1, end - from - 2, StandardCharsets.UTF_8);
        String type = "";
        if (name.endsWith(TYPE_SUFFIX)) {
            int typeFrom = end - 1 + TYPED.length;
            int typeEnd = values.string(text, typeFrom - 1);
            if (typeEnd < 0) {
                return null;
            }
            name = name.substring(0, name.length() - TYPE_SUFFIX.length());
            type = new String(text, typeFrom, typeEnd - 1 - typeFrom, StandardCharsets.UTF_8);
        }
        ScannedProperty found = known.get(name + TYPE_SUFFIX + type);
        if (found == null) {
            found = made(name, type);
            if (found == null) {
                return null;
            }
            if (known.size() == MAX_NAMES) {
                known.clear();
            }
            known.put(name + TYPE_SUFFIX + type, found);
        }
        return passes(found.prefix) ? found : null;
    }

    private static @Nullable ScannedProperty made(String name, String wireName) {
        EdmType type = wireName.isEmpty() ? null : EdmType.ofWireName(wireName);
        if (type == null && !wireName.isEmpty()) {
            return null;
        }
        try {
            PropertyNames.check(name);
        } catch (IllegalArgumentException other) {
            return null;
        }
        return new ScannedProperty(
                name,
                type,
                JsonFieldPrefix.of(name, type == null ? EdmType.STRING : type).bytes());
    }

    private boolean passes(byte[] expected) {
        int end = at + expected.length;
        if (end > text.length || !Arrays.equals(text, at, end, expected, 0, expected.length)) {
            return false;
        }
        at = end;
        return true;
    }
}
