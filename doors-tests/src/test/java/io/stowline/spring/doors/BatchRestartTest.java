package io.stowline.spring.doors;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.spring.doors.CopyJob.Moment;
import io.stowline.spring.doors.CopyJob.Row;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Random;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** A job of Spring Batch whose process is killed three times, and which is restarted until it is complete. */
@AzuriteTest
@Timeout(300)
class BatchRestartTest {

    private static final int ROWS = 10_000;
    private static final long SEED = 48;

    /** The rows that a run of the job has processed. */
    private final BitSet processed = new BitSet(ROWS);

    private int repeated;

    @Test
    void copiesEachRowOverThreeKills(TestStorage storage, @TempDir Path folder) throws Exception {
        String database = "jdbc:h2:file:" + folder.resolve("jobs") + ";WRITE_DELAY=0";
        JdbcDataSource jobs = new JdbcDataSource();
        jobs.setURL(database);
        new ResourceDatabasePopulator(new ClassPathResource("org/springframework/batch/core/schema-h2.sql"))
                .execute(jobs);
        try (Stowline client = Stowline.connect(storage.connectionString())) {
            Table<Row> original = table(client, "original");
            Table<Row> copied = table(client, "copied");
            try (TableWriter<Row> writer = original.writer()) {
                IntStream.range(0, ROWS)
                        .mapToObj(number -> new Row("part" + number / 1_000, String.format("%05d", number), number))
                        .forEach(writer::insert);
            }

            Random random = new Random(SEED);
            for (Moment moment : new Moment[] {Moment.PROCESSED, Moment.WRITTEN, Moment.COMMITTED}) {
                int chunks = 5 + random.nextInt(20);
                int count = moment == Moment.PROCESSED
                        ? chunks * CopyJob.CHUNK + 1 + random.nextInt(CopyJob.CHUNK - 1)
                        : chunks;
                int before = repeated;
                String end = run(storage, database, moment, count);
                assertThat(end).as(moment + " " + count).isEqualTo("stopped");
                assertThat(repeated - before)
                        .as("rows of the run before that are processed again")
                        .isLessThanOrEqualTo(CopyJob.CHUNK);
            }
            int before = repeated;
            assertThat(run(storage, database, Moment.NEVER, 0)).isEqualTo("COMPLETED");

            assertThat(repeated - before).isLessThanOrEqualTo(CopyJob.CHUNK);
            assertThat(processed.cardinality()).isEqualTo(ROWS);
            assertThat(copied.query().list()).isEqualTo(original.query().list()).hasSize(ROWS);
        }
    }

    private static Table<Row> table(Stowline client, String name) {
        Table<Row> table = client.table(name, Row.class);
        table.create();
        return table;
    }

    /** Runs the job until it stops or is complete, kills its process and returns its last line. */
    private String run(TestStorage storage, String database, Moment moment, int count) throws Exception {
        Process process = OtherProcess.of(
                        CopyJob.class, storage.connectionString(), moment.name(), Integer.toString(count), database)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("row ")) {
                    int number = Integer.parseInt(line.substring(4));
                    repeated += processed.get(number) ? 1 : 0;
                    processed.set(number);
                } else if (line.equals("stopped") || line.equals("COMPLETED")) {
                    return line;
                }
            }
            return "ended with " + process.waitFor();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
