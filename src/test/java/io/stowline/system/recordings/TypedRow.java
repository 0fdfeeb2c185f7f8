package io.stowline.system.recordings;

import com.fasterxml.jackson.databind.JsonNode;
import io.stowline.caching.Freshness;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.Property;
import io.stowline.projection.RowKey;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Row with the properties of the recorded samples. Its types say how to read JSON that comes without types. */
record TypedRow(
        @PartitionKey String PartitionKey,
        @RowKey String RowKey,
        @Property("StringProperty") @Nullable String stringProperty,
        @Property("BinaryProperty") byte @Nullable [] binaryProperty,
        @Property("BooleanProperty") @Nullable Boolean booleanProperty,
        @Property("DateTimeProperty") @Nullable Instant dateTimeProperty,
        @Property("DoubleProperty") @Nullable Double doubleProperty,
        @Property("GuidProperty") @Nullable UUID guidProperty,
        @Property("Int32Property") @Nullable Integer int32Property,
        @Property("Int64Property") @Nullable Long int64Property,
        @Property("MaxDouble") @Nullable Double maxDouble,
        @Property("MinDouble") @Nullable Double minDouble,
        @Property("MaxInt64") @Nullable Long maxInt64,
        @Property("NanDouble") @Nullable Double nanDouble,
        @Property("NegativeInfinityDouble") @Nullable Double negativeInfinityDouble,
        @Property("PositiveInfinityDouble") @Nullable Double positiveInfinityDouble,
        @Property("RegularDouble") @Nullable Double regularDouble,
        @Property("Address") @Nullable String address,
        @Property("Name") @Nullable String lastName,
        @Property("Birthday") @Nullable Instant birthdayOfPerson,
        @Nullable Instant birthday,
        @Nullable Long age,
        byte @Nullable [] binary,
        @Nullable UUID clsid,
        @Nullable Boolean deceased,
        @Nullable Double evenratio,
        @Nullable Long large,
        @Nullable Boolean married,
        @Nullable Integer other,
        @Nullable Double ratio,
        @Nullable String sex) {

    private static final Set<String> NAMES =
            Stream.of(TypedRow.class.getRecordComponents()).map(TypedRow::name).collect(Collectors.toSet());

    /** Reads a page through this type, where the type has all that its rows have. */
    static ReplayPlan list(ServiceRecording recording, String table) {
        List<Map<String, Object>> expected = new ArrayList<>();
        for (JsonNode row : EntityOracle.json(recording.response().body()).get("value")) {
            if (!describes(row)) {
                return ReplayPlan.refused("tables: rows without types of properties that the test does not know");
            }
            expected.add(expected(row));
        }
        boolean goesOn = recording.response().headers().contains("x-ms-continuation-NextPartitionKey");
        if (expected.isEmpty() && goesOn) {
            return new ReplayPlan(List.of(), null);
        }
        // The limit ends the list with the recorded page.
        return ReplayPlan.of(Replay.of(
                recording,
                "Query.list (typed)",
                storage ->
                        storage.table(table, TypedRow.class).query().limit(Math.max(1, expected.size())).list().stream()
                                .map(TypedRow::plain)
                                .toList(),
                VerbOutcome.of(expected)));
    }

    /** Reads an entity through this type, where the type has all that it has. */
    static ReplayPlan find(ServiceRecording recording, String table, String partitionKey, String rowKey) {
        JsonNode row = EntityOracle.json(recording.response().body());
        if (!describes(row)) {
            return new ReplayPlan(List.of(), null);
        }
        return ReplayPlan.of(
                Replay.of(
                        recording,
                        "Table.find (typed)",
                        storage -> storage.table(table, TypedRow.class)
                                .find(partitionKey, rowKey)
                                .orElseThrow()
                                .value()
                                .plain(),
                        VerbOutcome.of(expected(row))),
                Replay.of(
                        recording,
                        "Table.cached.find (typed)",
                        storage -> storage.table(table, TypedRow.class)
                                .cached(Freshness.revalidated())
                                .find(partitionKey, rowKey)
                                .get()
                                .value()
                                .plain(),
                        VerbOutcome.of(expected(row))));
    }

    /** Text that is kept encrypted is binary there. */
    private static boolean describes(JsonNode row) {
        return row.get("sex@odata.type") == null
                && Stream.iterate(row.fieldNames(), Iterator::hasNext, names -> names)
                        .map(Iterator::next)
                        .allMatch(name ->
                                NAMES.contains(name) || name.equals(EntityOracle.TIMESTAMP) || name.contains("odata."));
    }

    private static String name(RecordComponent component) {
        Property property = component.getAnnotation(Property.class);
        return property == null ? component.getName() : property.value();
    }

    private static Map<String, Object> expected(JsonNode row) {
        Map<String, Object> values = new TreeMap<>();
        for (RecordComponent component : TypedRow.class.getRecordComponents()) {
            JsonNode value = row.get(name(component));
            if (value != null && !value.isNull()) {
                values.put(name(component), value(value, component.getType()));
            }
        }
        return values;
    }

    private static Object value(JsonNode value, Class<?> type) {
        String text = value.asText();
        if (type == Long.class) {
            return Long.valueOf(text);
        }
        if (type == Integer.class) {
            return Integer.valueOf(text);
        }
        if (type == Double.class) {
            return Double.valueOf(text);
        }
        if (type == Boolean.class) {
            return Boolean.valueOf(text);
        }
        if (type == Instant.class) {
            return Instant.parse(text);
        }
        if (type == UUID.class) {
            return UUID.fromString(text);
        }
        return type == byte[].class
                ? HexFormat.of().formatHex(Base64.getDecoder().decode(text))
                : text;
    }

    private Map<String, Object> plain() {
        Map<String, Object> values = new TreeMap<>();
        for (RecordComponent component : TypedRow.class.getRecordComponents()) {
            try {
                Object value = component.getAccessor().invoke(this);
                if (value != null) {
                    values.put(
                            name(component),
                            value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value);
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        return values;
    }
}
