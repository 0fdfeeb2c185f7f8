package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.advisor.AdviceReport;
import io.stowline.advisor.Advisor;
import io.stowline.advisor.Finding;
import io.stowline.advisor.Practice;
import io.stowline.advisor.Severity;
import io.stowline.advisor.Threshold;
import io.stowline.blob.BlobContainer;
import io.stowline.projection.filter.Filter;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that breaks practices, and one that obeys them, before the advisor. */
class AdvisorIT extends StorageTest {

    private static final int ROWS = 40;
    private static final int LOAD = 6_000;

    private static Advisor advisor() {
        return Advisor.of(a -> a.minSamples(20)
                .executor(judgement -> {})
                .threshold(Threshold.POLL_RATE, 0)
                .threshold(Threshold.ROUND_TRIP, 10_000)
                .threshold(Threshold.PERMIT_WAIT, 10_000)
                .threshold(Threshold.SMALL_UPLOADS, 0.1));
    }

    private static Stowline observed(Advisor advisor, String connectionString) {
        return Stowline.builder()
                .connectionString(connectionString)
                .listener(advisor.listener())
                .build();
    }

    private static Entity row(String partition, String row) {
        return Entity.builder(partition, row).set("age", 40).build();
    }

    @Test
    @DisplayName("a program that breaks practices gets their findings, and no key")
    void aBadProgram() {
        Table<Entity> table = freshTable();
        try (Advisor advisor = advisor();
                Stowline client = observed(advisor, connectionString())) {
            Table<Entity> bad = client.table(table.name(), Entity.class);
            BlobContainer container = client.container(freshName());
            container.create();
            MessageQueue<String> queue = client.queue(freshName(), String.class);
            queue.create();
            for (int i = 1; i <= ROWS; i++) {
                assertThat(bad.find("secret-key", String.valueOf(i))).isEmpty();
                bad.insertOrReplace(row("secret-key", String.valueOf(i)));
                bad.find("secret-key", "1");
                bad.query()
                        .where(Filter.partitionKey()
                                .equalTo("secret-key")
                                .and(Filter.rowKey().equalTo("1")))
                        .list();
                queue.receive(32);
                container.upload("small".getBytes(StandardCharsets.UTF_8), "secret-name" + i);
            }

            AdviceReport report = advisor.report();

            assertThat(report.findings())
                    .extracting(Finding::practice)
                    .contains(Practice.A8, Practice.A9, Practice.T7, Practice.T13, Practice.T17, Practice.Q5);
            assertThat(report.rows()).hasSize(54).allSatisfy(row -> assertThat(row.toString())
                    .doesNotContain("secret"));
            assertThat(List.of(Practice.A10, Practice.A14, Practice.T2, Practice.T3, Practice.Q2, Practice.T16))
                    .allSatisfy(practice -> assertThat(report.of(practice).severity())
                            .as(report.of(practice).toString())
                            .isEqualTo(Severity.OK));
            assertThat(report.totals().clients()).isEqualTo(1);
            assertThat(report.totals().missed()).isZero();
        }
    }

    @Test
    @DisplayName("a program that obeys the practices gets no finding")
    void aGoodProgram() {
        Table<Entity> table = freshTable();
        try (Advisor advisor = advisor();
                Stowline client = observed(advisor, connectionString())) {
            Table<Entity> good = client.table(table.name(), Entity.class);
            List<Entity> rows = new ArrayList<>();
            for (int i = 0; i < ROWS; i++) {
                rows.add(row("p" + i % 4, "r" + i));
            }
            for (Entity one : rows) {
                good.insertOrReplace(one);
            }
            for (int i = 0; i < ROWS; i++) {
                assertThat(good.query()
                                .partition("p" + i % 4)
                                .where(Filter.property("age").atLeast(40))
                                .list())
                        .hasSize(10);
            }

            assertThat(advisor.report().findings()).isEmpty();
        }
    }

    @Test
    @DisplayName("a load through a writer, a consumer and a large blob get no finding with the defaults")
    void aLoad(@TempDir Path folder) throws Exception {
        Table<Entity> table = freshTable();
        Path file = Files.write(folder.resolve("large"), new byte[20 << 20]);
        try (Advisor advisor = Advisor.of(a -> a.executor(judgement -> {}).threshold(Threshold.ROUND_TRIP, 10_000));
                Stowline client = observed(advisor, connectionString())) {
            try (TableWriter<Entity> writer =
                    client.table(table.name(), Entity.class).writer()) {
                for (int i = 0; i < LOAD; i++) {
                    writer.insertOrReplace(row("p" + i % 6, "r" + i));
                }
            }
            MessageQueue<String> queue = client.queue(freshName(), String.class);
            queue.create();
            CountDownLatch handled = new CountDownLatch(ROWS);
            for (int i = 0; i < ROWS; i++) {
                queue.send("message " + i);
            }
            try (QueueConsumer consumer =
                    queue.consume(message -> handled.countDown()).start()) {
                assertThat(handled.await(60, TimeUnit.SECONDS)).isTrue();
                assertThat(consumer).isNotNull();
            }
            BlobContainer container = client.container(freshName());
            container.create();
            container.upload(file, "large");
            container.downloadTo("large", folder.resolve("copy"));

            AdviceReport report = advisor.report();

            assertThat(report.totals().attempts()).isGreaterThan(100);
            assertThat(report.findings()).isEmpty();
        }
    }
}
