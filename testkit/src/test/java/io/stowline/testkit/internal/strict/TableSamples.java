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

    static List<Sample> batches() {
        return List.of(
                new Sample(
                        StrictRule.BATCH_PARTITIONS,
                        probe(insert(TABLE, "bp1", "1"), insert(TABLE, "bp2", "1")),
                        probe(insert(TABLE, "bp3", "1"), insert(TABLE, "bp3", "2"))),
                new Sample(
                        StrictRule.BATCH_TABLES,
                        probe(insert(TABLE, "bt1", "1"), insert(OTHER, "bt1", "2")),
                        probe(insert(TABLE, "bt2", "1"), insert(TABLE, "bt2", "2"))),
                new Sample(StrictRule.BATCH_OPERATIONS, inserts("bo1", 101), inserts("bo2", 100)),
                new Sample(StrictRule.BATCH_SIZE, sized(4 * MIB + 1), sized(4 * MIB)),
                new Sample(
                        StrictRule.BATCH_DUPLICATE,
                        probe(insert(TABLE, "bd1", "1"), insert(TABLE, "bd1", "1")),
                        probe(insert(TABLE, "bd2", "1"), insert(TABLE, "bd2", "2"))),
                new Sample(
                        StrictRule.BATCH_QUERY_WITH_OTHERS,
                        probe(batch(query(get(entity("q", "1"))), changeSet(List.of(insert(TABLE, "q", "1"))))),
                        probe(batch(query(get(entity("q", "1")))))),
                new Sample(
                        StrictRule.BATCH_EMPTY,
                        probe(batch(changeSet(List.of()))),
                        probe(batch(changeSet(List.of(insert(TABLE, "be", "1")))))),
                new Sample(
                        StrictRule.BATCH_CHANGE_SETS,
                        probe(batch(
                                changeSet(List.of(insert(TABLE, "bc1", "1"))),
                                changeSet(List.of(insert(TABLE, "bc1", "2"))))),
                        probe(batch(changeSet(List.of(insert(TABLE, "bc2", "1")))))));
    }

    private static Probe inserts(String partition, int count) {
        return probe(IntStream.range(0, count)
                .mapToObj(i -> insert(TABLE, partition, Integer.toString(i)))
                .toArray(Operation[]::new));
    }

    /** A batch of exactly so many bytes: entities of just under 1 MiB, and spaces in one of them. */
    private static Probe sized(int bytes) {
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

    static List<Sample> names() {
        return List.of(
                new Sample(StrictRule.TABLE_NAME, create("with-dash"), create("withoutDash")),
                new Sample(StrictRule.TABLE_NAME_LENGTH, create("a".repeat(64)), create("a".repeat(63))),
                new Sample(StrictRule.TABLE_NAME_RESERVED, create("tables"), create("tablet")),
                new Sample(
                        StrictRule.ENTITY_ADDRESS,
                        Probe.table("GET", "/Strict(PartitionKey='p')"),
                        Probe.table("GET", "/Strict(PartitionKey='p',RowKey='it''s')")),
                new Sample(
                        StrictRule.KEY_CHARACTERS_IN_ADDRESS,
                        Probe.table("GET", "/" + entity("a%2Fb", "r")),
                        Probe.table("GET", "/" + entity("a%25b", "r"))),
                new Sample(
                        StrictRule.X_METHOD_WITHOUT_POST,
                        Probe.table("PUT", "/" + entity("x", "1"))
                                .header("X-HTTP-Method", "MERGE")
                                .json("{}"),
                        Probe.table("POST", "/" + entity("x", "1"))
                                .header("X-HTTP-Method", "MERGE")
                                .json("{}")),
                new Sample(
                        StrictRule.X_METHOD_VALUE,
                        Probe.table("POST", "/" + entity("x", "1"))
                                .header("X-HTTP-Method", "BLEND")
                                .json("{}"),
                        Probe.table("POST", "/" + entity("x", "2"))
                                .header("X-HTTP-Method", "MERGE")
                                .json("{}")));
    }

    private static Probe create(String table) {
        return Probe.table("POST", "/Tables").json("{\"TableName\":\"" + table + "\"}");
    }

    static List<Sample> queries() {
        return List.of(
                new Sample(StrictRule.FILTER_COMPARISONS, filter(comparisons(16)), filter(comparisons(15))),
                new Sample(StrictRule.FILTER_LITERAL, filter("g eq guid'x'"), filter("t eq 'guid''x'''")),
                new Sample(
                        StrictRule.FILTER_FUNCTION,
                        filter("startswith(PartitionKey,'a')"),
                        filter("PartitionKey ge 'a' and (PartitionKey lt 'b')")),
                new Sample(
                        StrictRule.TOP_RANGE,
                        Probe.table("GET", "/Strict()?$top=1001"),
                        Probe.table("GET", "/Strict()?$top=1000")),
                new Sample(
                        StrictRule.ATOM_FORMAT,
                        Probe.table("GET", "/Strict()").withoutHeader("Accept"),
                        Probe.table("GET", "/Strict()?$format=application%2Fjson")
                                .withoutHeader("Accept")));
    }

    private static Probe filter(String filter) {
        return Probe.table("GET", "/Strict()?$filter=" + Sas.encoded(filter));
    }

    private static String comparisons(int count) {
        return IntStream.range(0, count).mapToObj(i -> "n eq " + i).collect(Collectors.joining(" or "));
    }

    static List<Sample> conditions() {
        return List.of(
                new Sample(
                        StrictRule.DELETE_WITHOUT_IF_MATCH,
                        probe(operation("DELETE", "dm", List.of())),
                        probe(operation("DELETE", "dm", List.of("If-Match: *")))),
                new Sample(
                        StrictRule.WRITE_IF_NONE_MATCH,
                        replace("wn").header("If-None-Match", "W/\"1\""),
                        replace("wn")),
                new Sample(
                        StrictRule.BOTH_ETAG_CONDITIONS,
                        Probe.table("GET", "/" + entity("be", "1"))
                                .header("If-Match", "*")
                                .header("If-None-Match", "*"),
                        Probe.table("GET", "/" + entity("be", "1")).header("If-None-Match", "*")));
    }

    private static Probe replace(String partition) {
        return Probe.table("PUT", "/" + entity(partition, "1")).json("{\"n\":1}");
    }

    private static Operation operation(String method, String partition, List<String> headers) {
        return new Operation(method, entity(partition, "1"), headers, "");
    }

    static List<Sample> signatures() {
        Probe replace = replace("m");
        Map<String, String> range = Map.of("spk", "k", "epk", "l");
        return List.of(
                new Sample(
                        StrictRule.SAS_RANGE,
                        replace.sas(Sas.table(TABLE, "au", range)),
                        Probe.table("PUT", "/" + entity("k", "1")).json("{}").sas(Sas.table(TABLE, "au", range))),
                new Sample(
                        StrictRule.SAS_UPSERT,
                        replace.sas(Sas.table(TABLE, "u", Map.of())),
                        replace.sas(Sas.table(TABLE, "au", Map.of()))),
                new Sample(
                        StrictRule.SAS_BATCH,
                        probe(insert(TABLE, "sb1", "1")).sas(Sas.account("r")),
                        probe(insert(TABLE, "sb2", "1")).sas(Sas.account("ra"))),
                new Sample(
                        StrictRule.SAS_ADDRESS,
                        replace.sas(Sas.table(TABLE, "au", Map.of("sip", "168.1.5.60-168.1.5.70"))),
                        replace.sas(Sas.table(TABLE, "au", Map.of("sip", "127.0.0.0-127.0.0.1")))));
    }

    static String entity(String partitionKey, String rowKey) {
        return TABLE + "(PartitionKey='" + partitionKey + "',RowKey='" + rowKey + "')";
    }
}
