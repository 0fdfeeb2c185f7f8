package io.stowline.testkit.internal.strict;

import static io.stowline.testkit.internal.strict.BatchText.batch;
import static io.stowline.testkit.internal.strict.BatchText.changeSet;
import static io.stowline.testkit.internal.strict.BatchText.get;
import static io.stowline.testkit.internal.strict.BatchText.insert;
import static io.stowline.testkit.internal.strict.BatchText.probe;
import static io.stowline.testkit.internal.strict.BatchText.query;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.BatchText.Operation;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The samples of the rules of batches, names, queries, conditions and shared access signatures of tables. */
final class TableSamples {

    static final String TABLE = "Strict";
    static final String OTHER = "Other";
    private static final int MIB = 1024 * 1024;

    private TableSamples() {}

    static List<StrictSample> batches() {
        return List.of(
                new StrictSample(
                        StrictRule.BATCH_PARTITIONS,
                        probe(insert(TABLE, "bp1", "1"), insert(TABLE, "bp2", "1")),
                        probe(insert(TABLE, "bp3", "1"), insert(TABLE, "bp3", "2"))),
                new StrictSample(
                        StrictRule.BATCH_TABLES,
                        probe(insert(TABLE, "bt1", "1"), insert(OTHER, "bt1", "2")),
                        probe(insert(TABLE, "bt2", "1"), insert(TABLE, "bt2", "2"))),
                new StrictSample(StrictRule.BATCH_OPERATIONS, inserts("bo1", 101), inserts("bo2", 100)),
                new StrictSample(StrictRule.BATCH_SIZE, sized(4 * MIB + 1), sized(4 * MIB)),
                new StrictSample(
                        StrictRule.BATCH_DUPLICATE,
                        probe(insert(TABLE, "bd1", "1"), insert(TABLE, "bd1", "1")),
                        probe(insert(TABLE, "bd2", "1"), insert(TABLE, "bd2", "2"))),
                new StrictSample(
                        StrictRule.BATCH_QUERY_WITH_OTHERS,
                        probe(batch(query(get(entity("q", "1"))), changeSet(List.of(insert(TABLE, "q", "1"))))),
                        probe(batch(query(get(entity("q", "1")))))),
                new StrictSample(
                        StrictRule.BATCH_EMPTY,
                        probe(batch(changeSet(List.of()))),
                        probe(batch(changeSet(List.of(insert(TABLE, "be", "1")))))),
                new StrictSample(
                        StrictRule.BATCH_CHANGE_SETS,
                        probe(batch(
                                changeSet(List.of(insert(TABLE, "bc1", "1"))),
                                changeSet(List.of(insert(TABLE, "bc1", "2"))))),
                        probe(batch(changeSet(List.of(insert(TABLE, "bc2", "1")))))));
    }

    private static StrictProbe inserts(String partition, int count) {
        return probe(IntStream.range(0, count)
                .mapToObj(i -> insert(TABLE, partition, Integer.toString(i)))
                .toArray(Operation[]::new));
    }

    /** A batch of exactly so many bytes: entities of just under 1 MiB, and spaces in one of them. */
    private static StrictProbe sized(int bytes) {
        int without = batchOf("").length();
        return probe(batchOf(" ".repeat(bytes - without)));
    }

    private static String batchOf(String padding) {
        return batch(changeSet(IntStream.range(0, 60)
                .mapToObj(i -> insert(
                        TABLE,
                        "{\"PartitionKey\":\"size\",\"RowKey\":\"" + i + "\",\"text\":\"" + "x".repeat(32_000) + "\""
                                + (i == 0 ? padding : "") + "}"))
                .toList()));
    }

    static List<StrictSample> names() {
        return List.of(
                new StrictSample(StrictRule.TABLE_NAME, create("with-dash"), create("withoutDash")),
                new StrictSample(StrictRule.TABLE_NAME_LENGTH, create("a".repeat(64)), create("a".repeat(63))),
                new StrictSample(StrictRule.TABLE_NAME_RESERVED, create("tables"), create("tablet")),
                new StrictSample(
                        StrictRule.ENTITY_ADDRESS,
                        StrictProbe.table("GET", "/Strict(PartitionKey='p')"),
                        StrictProbe.table("GET", "/Strict(PartitionKey='p',RowKey='it''s')")),
                new StrictSample(
                        StrictRule.KEY_CHARACTERS_IN_ADDRESS,
                        StrictProbe.table("GET", "/" + entity("a%2Fb", "r")),
                        StrictProbe.table("GET", "/" + entity("a%25b", "r"))),
                new StrictSample(
                        StrictRule.X_METHOD_WITHOUT_POST,
                        StrictProbe.table("PUT", "/" + entity("x", "1"))
                                .header("X-HTTP-Method", "MERGE")
                                .json("{}"),
                        StrictProbe.table("POST", "/" + entity("x", "1"))
                                .header("X-HTTP-Method", "MERGE")
                                .json("{}")),
                new StrictSample(
                        StrictRule.X_METHOD_VALUE,
                        StrictProbe.table("POST", "/" + entity("x", "1"))
                                .header("X-HTTP-Method", "BLEND")
                                .json("{}"),
                        StrictProbe.table("POST", "/" + entity("x", "2"))
                                .header("X-HTTP-Method", "MERGE")
                                .json("{}")));
    }

    private static StrictProbe create(String table) {
        return StrictProbe.table("POST", "/Tables").json("{\"TableName\":\"" + table + "\"}");
    }

    static List<StrictSample> queries() {
        return List.of(
                new StrictSample(StrictRule.FILTER_COMPARISONS, filter(comparisons(16)), filter(comparisons(15))),
                new StrictSample(StrictRule.FILTER_LITERAL, filter("g eq guid'x'"), filter("t eq 'guid''x'''")),
                new StrictSample(
                        StrictRule.FILTER_FUNCTION,
                        filter("startswith(PartitionKey,'a')"),
                        filter("PartitionKey ge 'a' and (PartitionKey lt 'b')")),
                new StrictSample(
                        StrictRule.TOP_RANGE,
                        StrictProbe.table("GET", "/Strict()?$top=1001"),
                        StrictProbe.table("GET", "/Strict()?$top=1000")),
                new StrictSample(
                        StrictRule.ATOM_FORMAT,
                        StrictProbe.table("GET", "/Strict()").withoutHeader("Accept"),
                        StrictProbe.table("GET", "/Strict()?$format=application%2Fjson")
                                .withoutHeader("Accept")));
    }

    private static StrictProbe filter(String filter) {
        return StrictProbe.table("GET", "/Strict()?$filter=" + Sas.encoded(filter));
    }

    private static String comparisons(int count) {
        return IntStream.range(0, count).mapToObj(i -> "n eq " + i).collect(Collectors.joining(" or "));
    }

    static List<StrictSample> conditions() {
        return List.of(
                new StrictSample(
                        StrictRule.DELETE_WITHOUT_IF_MATCH,
                        probe(operation("DELETE", "dm", List.of())),
                        probe(operation("DELETE", "dm", List.of("If-Match: *")))),
                new StrictSample(
                        StrictRule.WRITE_IF_NONE_MATCH,
                        replace("wn").header("If-None-Match", "W/\"1\""),
                        replace("wn")),
                new StrictSample(
                        StrictRule.BOTH_ETAG_CONDITIONS,
                        StrictProbe.table("GET", "/" + entity("be", "1"))
                                .header("If-Match", "*")
                                .header("If-None-Match", "*"),
                        StrictProbe.table("GET", "/" + entity("be", "1")).header("If-None-Match", "*")));
    }

    private static StrictProbe replace(String partition) {
        return StrictProbe.table("PUT", "/" + entity(partition, "1")).json("{\"n\":1}");
    }

    private static Operation operation(String method, String partition, List<String> headers) {
        return new Operation(method, entity(partition, "1"), headers, "");
    }

    static List<StrictSample> signatures() {
        StrictProbe replace = replace("m");
        Map<String, String> range = Map.of("spk", "k", "epk", "l");
        return List.of(
                new StrictSample(
                        StrictRule.SAS_RANGE,
                        replace.sas(Sas.table(TABLE, "au", range)),
                        StrictProbe.table("PUT", "/" + entity("k", "1"))
                                .json("{}")
                                .sas(Sas.table(TABLE, "au", range))),
                new StrictSample(
                        StrictRule.SAS_UPSERT,
                        replace.sas(Sas.table(TABLE, "u", Map.of())),
                        replace.sas(Sas.table(TABLE, "au", Map.of()))),
                new StrictSample(
                        StrictRule.SAS_BATCH,
                        probe(insert(TABLE, "sb1", "1")).sas(Sas.account("r")),
                        probe(insert(TABLE, "sb2", "1")).sas(Sas.account("ra"))),
                new StrictSample(
                        StrictRule.SAS_ADDRESS,
                        replace.sas(Sas.table(TABLE, "au", Map.of("sip", "168.1.5.60-168.1.5.70"))),
                        replace.sas(Sas.table(TABLE, "au", Map.of("sip", "127.0.0.0-127.0.0.1")))));
    }

    static String entity(String partitionKey, String rowKey) {
        return TABLE + "(PartitionKey='" + partitionKey + "',RowKey='" + rowKey + "')";
    }
}
