package io.stowline.spark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.table.Entity;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.RequestHold;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.StorageService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Executors in separate JVMs, on the jars of an installation of Spark. Speculation is on in all tests, so that slow tasks have copies that
 * write the same rows at the same time. Tests that kill an executor come last: a new one is slow at first.
 */
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterIT {

    private static final int ROWS = 4_000;
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Pattern SIGNATURE = Pattern.compile("sig=([^&;]+)");

    private Azurite azurite;
    private FaultProxy proxy;
    private SparkHome home;
    private SparkDriver driver;
    private String signature;

    @BeforeAll
    void start() throws Exception {
        azurite = Azurite.start();
        proxy = FaultProxy.builder().inFrontOf(azurite).seed(47).start();
        home = SparkHome.make("cluster");
        String signed = signed();
        driver = SparkDriver.start(
                home,
                Map.of(
                        "spark.eventLog.enabled", "true",
                        "spark.eventLog.compress", "false",
                        "spark.eventLog.dir",
                                Files.createDirectories(home.folder().resolve("events"))
                                        .toUri()
                                        .toString(),
                        "spark.sql.shuffle.partitions", "4",
                        "spark.sql.adaptive.coalescePartitions.enabled", "false",
                        "spark.speculation", "true",
                        "spark.speculation.minTaskRuntime", "1s",
                        "spark.speculation.quantile", "0.5",
                        "spark.speculation.multiplier", "1.1"),
                Map.of(ClusterProgram.ACCOUNT, proxy.storage().connectionString(), ClusterProgram.SIGNED, signed));
    }

    /** Returns a connection string with a signature in place of the key. */
    private String signed() {
        try (Stowline storage = Stowline.connect(proxy.storage().connectionString())) {
            String token = storage.sas()
                    .tables()
                    .objects()
                    .services()
                    .containers()
                    .canRead()
                    .canList()
                    .overHttpToo()
                    .sign()
                    .token();
            Matcher matcher = SIGNATURE.matcher(token);
            assertThat(matcher.find()).isTrue();
            signature = matcher.group(1);
            return "AccountName=" + azurite.accountName() + ";TableEndpoint=" + proxy.endpoint(StorageService.TABLE)
                    + ";SharedAccessSignature=" + token;
        }
    }

    @AfterEach
    void forgetFaults() {
        proxy.clear();
    }

    @AfterAll
    void stop() throws Exception {
        driver.close();
        proxy.close();
        azurite.close();
    }

    @Order(1)
    @Test
    void clientRunsOnTheLibrariesOfTheCluster() throws Exception {
        String executor = "250 rows, 9437184 bytes, netty-buffer-4.2.13.Final.jar netty-handler-4.2.13.Final.jar"
                + " jackson-databind-2.21.2.jar reactor-netty-http-1.3.7.jar";

        assertThat(driver.run("client")).isEqualTo("DONE " + executor + "; " + executor);
    }

    @Order(5)
    @Test
    @DisplayName("a killed executor and lost responses: mode insert applies each row once")
    void insertsSurviveAKilledExecutor() throws Exception {
        FaultRule lost = proxy.when(batches("inserted").every(12)).loseResponse();
        WriteWitness witness = new WriteWitness(proxy, "inserted");

        killDuring("insert", witness);

        assertThat(lost.hits()).isPositive();
        assertThat(witness.applied())
                .hasSize(ROWS)
                .allSatisfy((row, times) -> assertThat(times).as(row).isOne());
        assertThat(rowsOf("inserted")).isEqualTo(witness.applied().keySet());
    }

    @Order(6)
    @Test
    @DisplayName("a killed executor and lost responses: mode upsert-replace leaves each row once")
    void upsertsSurviveAKilledExecutor() throws Exception {
        FaultRule lost = proxy.when(batches("upserted").every(12)).loseResponse();
        WriteWitness witness = new WriteWitness(proxy, "upserted");

        killDuring("upsert-replace", witness);

        assertThat(lost.hits()).isPositive();
        assertThat(rowsOf("upserted")).hasSize(ROWS).isEqualTo(witness.applied().keySet());
    }

    /** Kills an executor when the service has some transactions of each, and one more is on its way. */
    private void killDuring(String mode, WriteWitness witness) throws Exception {
        RequestHold hold = new RequestHold();
        proxy.when(batches(witness.table()).nth(15)).holdBefore(hold);

        int command =
                driver.send("write", ClusterProgram.ACCOUNT, witness.table(), mode, Integer.toString(ROWS), "2000");
        hold.awaitArrived(LIMIT);
        int atKill = witness.applied().size();
        boolean killed = driver.executors().get(0).destroyForcibly();
        hold.release();

        assertThat(driver.await(command)).isEqualTo("DONE " + ROWS + " rows");
        assertThat(killed).isTrue();
        assertThat(atKill).as("rows at the kill").isBetween(1, ROWS - 1);
    }

    private static RequestMatch batches(String table) {
        return RequestMatch.requests().method("POST").path("**$batch").bodyContaining(table);
    }

    @Order(4)
    @Test
    @DisplayName("the bound of rows per second is that of all tasks together")
    void boundIsOfAllTasks() throws Exception {
        assertThat(driver.run("write", ClusterProgram.ACCOUNT, "paced", "upsert-merge", "3000", "1000"))
                .startsWith("DONE");

        List<Duration> arrivals = proxy.recorded(batches("paced")).stream()
                .map(RecordedExchange::arrived)
                .toList();
        assertThat(arrivals.get(arrivals.size() - 1).minus(arrivals.get(0))).isGreaterThan(Duration.ofMillis(2_000));
    }

    @Order(3)
    @Test
    @DisplayName("a speculative copy overtakes a task whose request arrives late: mode insert applies each row once")
    void speculationAppliesRowsOnce() throws Exception {
        RequestHold hold = new RequestHold();
        proxy.when(batches("fast").nth(1)).holdBefore(hold);
        int before = driver.log().length();

        String end = driver.run("write", ClusterProgram.ACCOUNT, "fast", "insert", Integer.toString(ROWS), "0");
        hold.release();
        proxy.awaitIdle(LIMIT);

        assertThat(end).isEqualTo("DONE " + ROWS + " rows");
        assertThat(driver.log().substring(before))
                .as("the start of a copy")
                .containsPattern("Starting task \\d+\\.1 in stage");
        WriteWitness witness = new WriteWitness(proxy, "fast");
        assertThat(witness.applied())
                .hasSize(ROWS)
                .allSatisfy((row, times) -> assertThat(times).as(row).isOne());
    }

    @Order(2)
    @Test
    @DisplayName("plans, event logs, pages of the UI, logs and failures show neither key nor signature")
    void secretsAreNotShown() throws Exception {
        assertThat(driver.run("write", ClusterProgram.ACCOUNT, "secret", "insert", "80", "0"))
                .isEqualTo("DONE 80 rows");
        assertThat(driver.run("read", ClusterProgram.SIGNED, "secret"))
                .isEqualTo("DONE 70 rows, sum 2800, distinct 70");
        assertThat(driver.run("write", ClusterProgram.ACCOUNT, "secret", "insert", "80", "0"))
                .as("a failure that names the rows of another write")
                .startsWith("FAILED")
                .contains("rowKey=00000");
        assertThat(driver.run("read", ClusterProgram.SIGNED, "absent"))
                .as("a failure of a signed request")
                .startsWith("FAILED")
                .contains("absent");
        assertThat(driver.run("write", "STOWLINE_SPARK_ABSENT", "secret", "insert", "80", "0"))
                .startsWith("FAILED")
                .contains("STOWLINE_SPARK_ABSENT");
        assertThat(driver.run("pages", home.folder().toString())).isEqualTo("DONE 7 pages");

        List<Path> texts = texts();
        assertThat(texts.toString()).contains("page6.txt", "driver.log", "stderr", "events");
        assertThat(texts).allSatisfy(text -> assertThat(text(text))
                .doesNotContain(
                        azurite.accountKey(),
                        URLEncoder.encode(azurite.accountKey(), StandardCharsets.UTF_8),
                        signature,
                        URLDecoder.decode(signature, StandardCharsets.UTF_8)));
        assertThat(texts.stream().map(ClusterIT::text)).anyMatch(text -> text.contains("azuretable secret"));
    }

    private List<Path> texts() throws IOException {
        try (Stream<Path> files = Files.walk(home.folder())) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith(".jar"))
                    .toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Set<String> rowsOf(String table) {
        try (Stowline storage = Stowline.connect(azurite.connectionString());
                Stream<Entity> rows = storage.table(table).query().stream()) {
            Set<String> keys = new TreeSet<>();
            rows.forEach(row -> keys.add(row.rowKey()));
            return keys;
        }
    }
}
