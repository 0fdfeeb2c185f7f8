package io.stowline.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.table.Entity;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads by Spark's planner and executors, on the wire. */
class AzureTableReadTest {

    private static final UUID GUID = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");
    private static final StructType PEOPLE = new StructType()
            .add("PartitionKey", DataTypes.StringType)
            .add("RowKey", DataTypes.StringType)
            .add("age", DataTypes.IntegerType)
            .add("name", DataTypes.StringType);

    private final SparkBench bench = new SparkBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private void people(int partitions, int rows) {
        bench.filled(
                "people",
                IntStream.range(0, partitions * rows)
                        .mapToObj(i -> Entity.builder("p%02d".formatted(i / rows), "r%03d".formatted(i % rows))
                                .set("age", i % rows)
                                .set("name", "n" + i)
                                .set("other", true)
                                .build())
                        .toList());
    }

    /** Returns the queries of tasks: without probes of one key, and the check of the types of 100 entities. */
    private List<String> reads() {
        return bench.queries("people").stream()
                .filter(query -> !query.matches(".*\\$top=1(00)?(&.*)?"))
                .toList();
    }

    private static long metric(Dataset<Row> read, String name) {
        SparkPlan plan = read.queryExecution().executedPlan();
        while (!plan.children().isEmpty()) {
            plan = plan.children().head();
        }
        return plan.metrics().get(name).get().value();
    }

    @Test
    @DisplayName("each type of the service comes as its column")
    void everyTypeIsRead() {
        Instant time = Instant.parse("2026-11-29T03:04:05.1234567Z");
        bench.filled(
                "types",
                List.of(
                        Entity.builder("p", "r")
                                .set("s", "text")
                                .set("i", -5)
                                .set("l", 1L << 40)
                                .set("d", 2.5)
                                .set("b", true)
                                .set("t", time)
                                .set("g", GUID)
                                .set("x", new byte[] {1, 2})
                                .build(),
                        Entity.builder("p", "s").build()));

        Dataset<Row> read = bench.read("types").load();

        assertThat(read.schema().toDDL())
                .isEqualTo("PartitionKey STRING NOT NULL,RowKey STRING NOT NULL,Timestamp TIMESTAMP,s STRING,i INT,"
                        + "l BIGINT,d DOUBLE,b BOOLEAN,t TIMESTAMP,g STRING,x BINARY");
        Row first = read.orderBy("RowKey").collectAsList().get(0);
        assertThat(first.getString(0)).isEqualTo("p");
        assertThat((Instant) first.get(2))
                .isBetween(Instant.now().minusSeconds(600), Instant.now().plusSeconds(600));
        assertThat(List.of(
                        first.get(3),
                        first.get(4),
                        first.get(5),
                        first.get(6),
                        first.get(7),
                        first.get(8),
                        first.get(9)))
                .containsExactly(
                        "text", -5, 1L << 40, 2.5, true, Instant.parse("2026-11-29T03:04:05.123456Z"), GUID.toString());
        assertThat((byte[]) first.get(10)).containsExactly(1, 2);
        Row second = read.orderBy("RowKey").collectAsList().get(1);
        assertThat(IntStream.range(3, 11).allMatch(second::isNullAt)).isTrue();
    }

    @Test
    @DisplayName(
            "only the columns that a query needs are fetched, and conditions that mean the same are evaluated by the"
                    + " service")
    void columnsAndConditionsArePushed() {
        people(3, 10);
        Dataset<Row> read = bench.read("people")
                .schema(PEOPLE)
                .option("splits", "p01,p02")
                .load()
                .where("age >= 8 AND RowKey < 'r009'")
                .select("name");

        assertThat(read.collectAsList()).hasSize(3);

        assertThat(reads()).hasSize(3).allSatisfy(query -> assertThat(query)
                .contains("RowKey lt 'r009' and age ge 8")
                .contains("$select=PartitionKey,RowKey,name"));
        assertThat(reads().get(0)).contains("PartitionKey");
        String plan = read.queryExecution().executedPlan().toString();
        assertThat(plan).contains("filter: RowKey lt 'r009' and age ge 8").doesNotContain("Filter (");
    }

    @Test
    @DisplayName("named partitions are read by a query each, and no other")
    void namedPartitionsCutTheSlices() {
        people(20, 3);
        Dataset<Row> read = bench.read("people")
                .schema(PEOPLE)
                .load()
                .where("PartitionKey IN ('p03', 'p07', 'p19', 'missing', 'a/b')");

        assertThat(read.count()).isEqualTo(9);

        assertThat(bench.queries("people"))
                .hasSize(4)
                .allMatch(query -> query.contains("PartitionKey eq 'p") || query.contains("PartitionKey eq 'missing'"));
    }

    @Test
    @DisplayName("a bound of the partition keys cuts splits, prefixes and probes")
    void boundsCutTheSlices() {
        people(20, 3);
        String bound = "PartitionKey >= 'p05' AND PartitionKey < 'p07'";

        assertThat(bench.read("people")
                        .schema(PEOPLE)
                        .option("splits", "p02,p05,p07")
                        .load()
                        .where(bound)
                        .count())
                .isEqualTo(6);
        assertThat(reads()).hasSize(1);
        assertThat(bench.read("people")
                        .schema(PEOPLE)
                        .option("partitionPrefixes", "p1,p0")
                        .load()
                        .where(bound)
                        .count())
                .isEqualTo(6);
        assertThat(reads()).hasSize(2);
        assertThat(bench.read("people")
                        .schema(PEOPLE)
                        .option("partitions", "2")
                        .load()
                        .where(bound)
                        .count())
                .isEqualTo(6);
        assertThat(bench.queries("people"))
                .filteredOn(query -> query.contains("$top=1"))
                .isNotEmpty()
                .allMatch(query -> query.contains("PartitionKey ge 'p05' and PartitionKey lt 'p07'"));
    }

    @Test
    @DisplayName("a limit is read by each task, and by one without probes if it is small")
    void limitsArePushed() {
        people(20, 100);

        assertThat(bench.read("people").schema(PEOPLE).load().limit(5).collectAsList())
                .hasSize(5);

        assertThat(bench.queries("people")).singleElement().asString().contains("$top=5");
    }

    @Test
    @DisplayName("a limit behind a condition of Spark is not pushed")
    void limitsBehindResidualsStay() {
        people(2, 100);

        assertThat(bench.read("people")
                        .schema(PEOPLE)
                        .load()
                        .where("name LIKE '%5'")
                        .limit(7)
                        .collectAsList())
                .hasSize(7);

        assertThat(reads()).noneMatch(query -> query.contains("$top=7"));
    }

    @Test
    void metricsShowTheWork() {
        people(1, 2500);
        Dataset<Row> read = bench.read("people")
                .schema(PEOPLE)
                .option("partitions", "1")
                .load()
                .select("name");
        bench.memory.refuseNext("GET", "/people", 503, "ServerBusy");

        assertThat(read.collectAsList()).hasSize(2500);

        assertThat(metric(read, "entities")).isEqualTo(2500);
        assertThat(metric(read, "pages")).isEqualTo(3);
        assertThat(metric(read, "continuations")).isEqualTo(2);
        assertThat(metric(read, "retries")).isEqualTo(1);
        assertThat(metric(read, "throttles")).isEqualTo(1);
    }

    @Test
    @DisplayName("the driver's probes are a metric of the scan")
    void probesAreCounted() {
        people(20, 3);
        Dataset<Row> read =
                bench.read("people").schema(PEOPLE).option("partitions", "4").load();

        assertThat(read.collectAsList()).hasSize(60);

        assertThat(metric(read, "probes"))
                .isEqualTo(bench.queries("people").stream()
                        .filter(query -> query.contains("$top=1"))
                        .count());
        assertThat(read.javaRDD().getNumPartitions()).isBetween(4, 8);
    }

    @Test
    @DisplayName("a table of less than a page is one slice, found by one query, unless a number of tasks is wanted")
    void smallTablesAreNotProbed() {
        people(20, 49);
        Dataset<Row> read = bench.read("people").schema(PEOPLE).load();

        assertThat(read.count()).isEqualTo(980);
        assertThat(bench.queries("people")).hasSize(2);

        people(21, 49);
        assertThat(bench.read("people").schema(PEOPLE).load().count()).isEqualTo(1_029);
        assertThat(bench.queries("people")).hasSizeGreaterThan(8);
    }

    @Test
    @DisplayName("values of several types fail a read, or are widened")
    void conflictsAreRefusedOrWidened() {
        bench.filled(
                "people",
                List.of(
                        Entity.builder("p", "1").set("n", 5).set("m", 1).build(),
                        Entity.builder("p", "2").set("n", 6L).set("m", 1.5).build(),
                        Entity.builder("p", "3").set("n", 7).set("m", true).build()));

        assertThatThrownBy(() -> bench.read("people").load())
                .hasMessageContaining(
                        "the property n of table people is Edm.Int32 and Edm.Int64 in different entities");
        Dataset<Row> widened =
                bench.read("people").option("schemaConflicts", "widen").load();
        assertThat(widened.schema().apply("n").dataType()).isEqualTo(DataTypes.LongType);
        assertThat(widened.where("n = 6 OR n = 7")
                        .orderBy("RowKey")
                        .select("n", "m")
                        .collectAsList()
                        .toString())
                .isEqualTo("[[6,1.5], [7,true]]");
        StructType ints = new StructType().add("RowKey", DataTypes.StringType).add("n", DataTypes.IntegerType);
        assertThatThrownBy(() -> bench.read("people").schema(ints).load().collectAsList())
                .rootCause()
                .hasMessageContaining("the column n is int, for Edm.Int32, but an entity has Edm.Int64");
    }

    @Test
    @DisplayName(
            "conditions on properties of a sampled schema stay with Spark, since other entities may have other types")
    void sampledPropertiesAreNotPushed() {
        people(1, 5);

        assertThat(bench.read("people")
                        .load()
                        .where("age > 2 AND RowKey > 'r003'")
                        .count())
                .isEqualTo(1);

        assertThat(reads()).last().asString().contains("RowKey gt 'r003'").doesNotContain("age gt");
    }

    @Test
    void aGuidColumnIsComparedAsGuid() {
        bench.filled("people", List.of(Entity.builder("p", "r").set("g", GUID).build()));
        StructType schema = new StructType().add("RowKey", DataTypes.StringType).add("g", DataTypes.StringType);

        Dataset<Row> read =
                bench.read("people").schema(schema).option("guidColumns", "g").load();

        assertThat(read.where("g = '" + GUID + "'").count()).isEqualTo(1);
        assertThat(reads()).last().asString().contains("g eq guid'" + GUID + "'");
        assertThatThrownBy(() -> bench.read("people").schema(schema).load().collectAsList())
                .rootCause()
                .hasMessageContaining("name the column in guidColumns");
    }

    @Test
    @DisplayName("what a request cannot take stays with Spark: too many comparisons, long texts, words of the filter"
            + " language")
    void otherConditionsStay() {
        bench.filled(
                "people",
                IntStream.range(0, 30)
                        .mapToObj(i -> Entity.builder("p", "r%02d".formatted(i))
                                .set("and", i)
                                .set("name", "n" + i)
                                .build())
                        .toList());
        StructType schema = PEOPLE.add("and", DataTypes.IntegerType);
        Dataset<Row> read =
                bench.read("people").schema(schema).option("partitions", "1").load();
        String names = IntStream.range(0, 14).mapToObj(i -> "'n" + i + "'").collect(Collectors.joining(", "));
        String long1 = "z".repeat(1000);

        assertThat(read.where("name IN (" + names + ") AND `and` < 5 AND RowKey > 'r01'")
                        .count())
                .isEqualTo(3);
        assertThat(read.where("RowKey < '" + long1 + "1' AND RowKey < '" + long1 + "2' AND RowKey < '" + long1
                                + "3' AND name = 'n7' AND name < '" + "z".repeat(300) + "'")
                        .count())
                .isEqualTo(1);

        assertThat(reads()).hasSize(2).allMatch(query -> query.length() < 4000);
        assertThat(reads().get(0)).contains("$filter=RowKey gt 'r01'&");
        assertThat(reads().get(1)).contains("name eq 'n7'");
    }

    @ParameterizedTest
    @CsvSource({
        "n string, n = '5', 'the column n is string, for Edm.String, but an entity has Edm.Int32'",
        "txt int, txt = 5, 'the column txt is int, for Edm.Int32, but an entity has Edm.String'",
        "g string, g = '123e4567-e89b-12d3-a456-426614174000', name the column in guidColumns",
        "txt string, txt = 'x' AND PartitionKey = 'p', the column txt is string; for Edm.Guid"
    })
    @DisplayName("a given schema of another type fails a query with a pushed condition, as it fails a full read")
    void comparedTypesAreChecked(String column, String condition, String message) {
        bench.filled(
                "people",
                List.of(
                        Entity.builder("p", "q").set("other", 1).build(),
                        Entity.builder("p", "r")
                                .set("n", 5)
                                .set("txt", "5")
                                .set("g", GUID)
                                .build()));
        Dataset<Row> read = bench.read("people")
                .schema("PartitionKey string, RowKey string, " + column)
                .option("guidColumns", message.endsWith("Guid") ? "txt" : "")
                .load();

        assertThatThrownBy(() -> read.where(condition).count())
                .hasStackTraceContaining("table people: ")
                .hasStackTraceContaining(message.replace(";", ","))
                .hasStackTraceContaining("The entity is (p, r)");
        assertThatThrownBy(read::collectAsList).hasStackTraceContaining(message.replace(";", ","));
    }

    @Test
    @DisplayName("the types are checked by one query of the named partition, and not without a compared property")
    void theCheckIsOneQuery() {
        people(3, 3);
        Dataset<Row> read = bench.read("people").schema(PEOPLE).load();

        assertThat(read.where("PartitionKey = 'p01' AND age = 1").count()).isEqualTo(1);
        assertThat(bench.queries("people"))
                .hasSize(2)
                .allMatch(query -> query.contains("PartitionKey eq 'p01'"))
                .first()
                .asString()
                .contains("$top=100")
                .contains("age")
                .doesNotContain("age eq");
        assertThat(read.where("PartitionKey = 'p01' AND RowKey = 'r001'").count())
                .isEqualTo(1);
        assertThat(bench.queries("people")).hasSize(3);
    }

    @Test
    @DisplayName("a text that is not well-formed UTF-8 is equal to no key, not to that with a replacement character")
    void illFormedConditionsStay() {
        bench.filled(
                "people",
                List.of(Entity.builder("a\uFFFD", "a\uFFFD")
                        .set("name", "a\uFFFD")
                        .build()));
        Dataset<Row> read = bench.read("people").schema(PEOPLE).load();

        for (String column : List.of("PartitionKey", "RowKey", "name")) {
            String illFormed = "cast(X'61FF' AS string)";
            assertThat(read.where(column + " = " + illFormed).count()).isZero();
            assertThat(read.where(column + " IN ('b', " + illFormed + ")").count())
                    .isZero();
            assertThat(read.where(column + " <= " + illFormed).count()).isEqualTo(1);
            assertThat(read.where("startswith(" + column + ", " + illFormed + ")")
                            .count())
                    .isZero();
        }
    }

    @Test
    @DisplayName("a property that a schema declares as not null is null where an entity lacks it")
    void absentPropertiesAreNull() {
        people(1, 2);
        Dataset<Row> read = bench.read("people")
                .schema(PEOPLE.add("zzz", DataTypes.IntegerType, false))
                .load();

        assertThat(read.where("zzz IS NULL").count()).isEqualTo(2);
        assertThat(read.select("zzz").collectAsList()).allMatch(row -> row.isNullAt(0));
    }

    @Test
    @DisplayName("a task that Spark stops early closes its query")
    void anEarlyStopEndsTheQuery() {
        people(1, 5000);
        Dataset<Row> read = bench.read("people")
                .schema(PEOPLE)
                .option("partitions", "1")
                .load()
                .where("name LIKE '%n%'")
                .limit(3);

        assertThat(read.collectAsList()).hasSize(3);

        assertThat(reads()).as("of six pages").hasSizeLessThanOrEqualTo(3);
        assertThat(bench.read("people")
                        .schema(PEOPLE)
                        .load()
                        .where("RowKey = 'r001'")
                        .count())
                .isEqualTo(1);
    }

    @Test
    void statisticsAreThoseOfTheSample() {
        people(2, 5);

        assertThat(bench.read("people")
                        .load()
                        .queryExecution()
                        .optimizedPlan()
                        .stats()
                        .rowCount()
                        .get()
                        .toLong())
                .isEqualTo(10);
        assertThat(bench.read("people")
                        .schema(PEOPLE)
                        .load()
                        .queryExecution()
                        .optimizedPlan()
                        .stats()
                        .rowCount()
                        .isEmpty())
                .isTrue();
    }

    @Test
    @DisplayName("a variable that Spark's configuration shows is refused before its secret is used")
    void shownVariablesAreRefused() {
        SparkConf conf = SparkBench.spark().sparkContext().conf();
        conf.set("spark.executorEnv.PEOPLE", "AccountKey=c2VjcmV0");
        try {
            assertThatThrownBy(() -> SparkBench.spark()
                            .read()
                            .format("azuretable")
                            .option("table", "people")
                            .option("connectionStringEnv", "PEOPLE")
                            .schema(PEOPLE)
                            .load())
                    .hasMessageContaining("Spark shows the value of spark.executorEnv.PEOPLE")
                    .hasMessageNotContaining("c2VjcmV0");
        } finally {
            conf.remove("spark.executorEnv.PEOPLE");
        }
    }

    @Test
    @DisplayName("neither plan nor schema shows the options of a credential")
    void plansShowNoCredential() {
        people(1, 1);
        Dataset<Row> read = bench.read("people").load();

        assertThat(read.queryExecution().toString()
                        + read.queryExecution().optimizedPlan().toJSON())
                .contains("azuretable people")
                .doesNotContain("memory")
                .doesNotContain("bWVtb3J5");
    }
}
