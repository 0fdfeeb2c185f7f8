package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.table.EntitySize;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The samples of the rules of what an entity holds. */
final class EntitySamples {

    /** Added up by the formula: 4, the keys, 8 for each property, its name, and 4 for its length. */
    private static final int MIN_SIZE = 4 + 2 * ("size".length() + 1);

    private EntitySamples() {}

    static List<StrictSample> all() {
        return List.of(
                new StrictSample(StrictRule.PROPERTY_COUNT, counted(253), counted(252)),
                new StrictSample(StrictRule.ENTITY_SIZE, sized(EntitySize.MAX + 2), sized(EntitySize.MAX)),
                new StrictSample(
                        StrictRule.PROPERTY_SIZE,
                        property("text", "\"" + "x".repeat(32_769) + "\""),
                        property("text", "\"" + "x".repeat(32_768) + "\"")),
                new StrictSample(StrictRule.PROPERTY_NAME, property("with-dash", "1"), property("_größe2", "1")),
                new StrictSample(
                        StrictRule.PROPERTY_NAME_LENGTH,
                        property("n".repeat(256), "1"),
                        property("n".repeat(255), "1")),
                new StrictSample(
                        StrictRule.PROPERTY_TWICE,
                        entity("\"RowKey\":\"twice\",\"n\":1,\"n\":2"),
                        entity("\"RowKey\":\"once\",\"n\":1,\"N\":2")),
                new StrictSample(StrictRule.PROPERTY_NESTED, property("n", "{\"a\":1}"), property("n", "\"{}\"")),
                new StrictSample(StrictRule.TYPE_UNKNOWN, typed("Edm.Nothing", "\"1\""), typed("Edm.String", "\"1\"")),
                new StrictSample(StrictRule.INT32_RANGE, property("n", "2147483648"), property("n", "-2147483648")),
                new StrictSample(
                        StrictRule.INT64_VALUE,
                        typed("Edm.Int64", "\"9223372036854775808\""),
                        typed("Edm.Int64", "\"9223372036854775807\"")),
                new StrictSample(
                        StrictRule.GUID_VALUE,
                        typed("Edm.Guid", "\"4185404a-5818-48c3-b9be-f217df0dba6\""),
                        typed("Edm.Guid", "\"4185404a-5818-48c3-b9be-f217df0dba6f\"")),
                new StrictSample(
                        StrictRule.DATE_TIME_VALUE,
                        typed("Edm.DateTime", "\"2026-11-21T10:00:00+01:00\""),
                        typed("Edm.DateTime", "\"2026-11-21T10:00:00.1234567Z\"")),
                new StrictSample(
                        StrictRule.DATE_TIME_RANGE,
                        typed("Edm.DateTime", "\"1600-12-31T23:59:59Z\""),
                        typed("Edm.DateTime", "\"1601-01-01T00:00:00Z\"")),
                new StrictSample(
                        StrictRule.BINARY_VALUE, typed("Edm.Binary", "\"AQIDB\""), typed("Edm.Binary", "\"AQIDBA==\"")),
                new StrictSample(StrictRule.KEY_MISSING, entity("\"n\":1"), entity("\"RowKey\":\"\"")),
                new StrictSample(StrictRule.KEY_TYPE, entity("\"RowKey\":5"), entity("\"RowKey\":\"5\"")),
                new StrictSample(
                        StrictRule.KEY_CHARACTERS, entity("\"RowKey\":\"a#b\""), entity("\"RowKey\":\"a%b'c\"")),
                new StrictSample(
                        StrictRule.KEY_LENGTH,
                        entity("\"RowKey\":\"" + "r".repeat(513) + "\""),
                        entity("\"RowKey\":\"" + "r".repeat(512) + "\"")));
    }

    private static StrictProbe counted(int count) {
        return entity("\"RowKey\":\"c" + count + "\","
                + IntStream.range(0, count).mapToObj(i -> "\"p" + i + "\":1").collect(Collectors.joining(",")));
    }

    /** An entity of so many bytes by the formula, of binary properties and one string. */
    private static StrictProbe sized(int size) {
        String largest = Base64.getEncoder().encodeToString(new byte[EntitySize.MAX_BYTES]);
        int ofOne = 8 + 2 * "b00".length() + 4 + EntitySize.MAX_BYTES;
        int rest = size - MIN_SIZE - 15 * ofOne - (8 + 2 * "s".length() + 4);
        String binaries = IntStream.range(10, 25)
                .mapToObj(i -> "\"b" + i + "@odata.type\":\"Edm.Binary\",\"b" + i + "\":\"" + largest + "\"")
                .collect(Collectors.joining(","));
        return StrictProbe.table("POST", "/" + TableSamples.TABLE)
                .json("{\"PartitionKey\":\"size\",\"RowKey\":\"" + size % 10 + "\"," + binaries + ",\"s\":\""
                        + "x".repeat(rest / 2) + "\"}");
    }

    private static StrictProbe property(String name, String value) {
        return entity(
                "\"RowKey\":\"" + Integer.toHexString((name + value).hashCode()) + "\",\"" + name + "\":" + value);
    }

    private static StrictProbe typed(String type, String value) {
        return entity("\"RowKey\":\"" + Integer.toHexString((type + value).hashCode()) + "\",\"n@odata.type\":\"" + type
                + "\",\"n\":" + value);
    }

    private static StrictProbe entity(String members) {
        return StrictProbe.table("POST", "/" + TableSamples.TABLE)
                .json("{\"PartitionKey\":\"entity\"," + members + "}");
    }
}
