package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.AppendBlob;
import io.stowline.blob.BlobContainer;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.projection.key.KeyFormat;
import io.stowline.table.Entity;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The recipes of the guide to keys, with what they cost on the wire. */
class KeyChoicesIT extends StorageTest {

    record Profile(@PartitionKey String user, @RowKey String kind, String mail) {}

    record CustomerOrder(
            @PartitionKey String customer, @RowKey String key, LocalDate day, long cents) {}

    record Entry(@PartitionKey String transfer, @RowKey String account, long cents) {}

    @BeforeEach
    void forget() {
        proxy().clear();
    }

    private static int sent() {
        return proxy().recorded(requests()).size();
    }

    @Test
    @DisplayName("T21: one key property is the partition key, and the row key may be empty")
    void oneKeyProperty() {
        Table<Profile> profiles = freshTable(Profile.class);
        profiles.insertOrReplace(new Profile("u-7f3a", "", "ann@example.org"));
        int before = sent();

        assertThat(profiles.find("u-7f3a", ""))
                .map(found -> found.value().mail())
                .contains("ann@example.org");
        assertThat(sent() - before).isOne();
    }

    @Test
    @DisplayName("T21: orders are found by customer, the newest first, and by date")
    void ordersByCustomerAndByDate() {
        LocalDate day = LocalDate.of(2026, 11, 28);
        KeyFormat rows = KeyFormat.of().newestFirst("placed").text("id");
        Index<CustomerOrder, LocalDate> byDay =
                Index.date("DAY", CustomerOrder::day).global();
        IndexedTable<CustomerOrder> placed = freshTable(CustomerOrder.class).indexed(List.of(byDay));
        Instant morning = Instant.parse("2026-11-28T08:00:00Z");
        int before = sent();
        placed.insert(new CustomerOrder("alice", rows.format(morning, "1"), day, 1_000));
        assertThat(sent() - before)
                .as("the entity, and its reference before and after it")
                .isEqualTo(3);
        placed.insert(new CustomerOrder("alice", rows.format(morning.plusSeconds(60), "2"), day, 2_000));
        placed.insert(new CustomerOrder("bob", rows.format(morning, "3"), day, 4_000));
        placed.insert(new CustomerOrder("bob", rows.format(morning, "4"), day.plusDays(1), 8_000));

        assertThat(placed.query().partition("alice").list())
                .extracting(CustomerOrder::cents)
                .containsExactly(2_000L, 1_000L);
        try (Stream<StoredEntity<CustomerOrder>> found = placed.global(byDay, day)) {
            assertThat(found.mapToLong(stored -> stored.value().cents()).sum()).isEqualTo(7_000);
        }
    }

    @Test
    @DisplayName("T21: a transfer between two accounts is one transaction, as its id is the partition")
    void bankTransfer() {
        Index<Entry, String> byAccount = Index.text("ACCOUNT", Entry::account).global();
        IndexedTable<Entry> entries = freshTable(Entry.class).indexed(List.of(byAccount));
        String transfer = UUID.randomUUID().toString();

        entries.transaction(transfer)
                .insert(new Entry(transfer, "alice", -500))
                .insert(new Entry(transfer, "bob", 500))
                .commit();

        assertThat(proxy().recorded(requests()).stream()
                        .filter(exchange -> exchange.request().text().contains("PartitionKey='" + transfer)
                                || exchange.request().text().contains("\"PartitionKey\":\"" + transfer)))
                .as("both entries in one request")
                .hasSize(1);
        try (Stream<StoredEntity<Entry>> statement = entries.global(byAccount, "alice")) {
            assertThat(statement.mapToLong(stored -> stored.value().cents()).sum())
                    .isEqualTo(-500);
        }
    }

    @Test
    @DisplayName("T21: unique partition keys make batches impossible, groups fill them")
    void granularity() {
        Table<Profile> table = freshTable(Profile.class);
        int before = sent();
        try (TableWriter<Profile> writer = table.writer()) {
            IntStream.range(0, 20).forEach(n -> writer.insert(new Profile("unique" + n, "", "m")));
        }
        assertThat(sent() - before).isEqualTo(20);

        int between = sent();
        try (TableWriter<Profile> writer = table.writer()) {
            IntStream.range(0, 20).forEach(n -> writer.insert(new Profile("group", "row" + n, "m")));
        }
        assertThat(sent() - between).isLessThan(10);
    }

    @Test
    @DisplayName("T5, T21: readings that rise with time go to several ranges, and a day is read by one query of each")
    void readings() {
        KeyFormat readings = KeyFormat.hashed(10).text("day").text("device");
        Table<Entity> table = freshTable();
        for (int device = 0; device < 12; device++) {
            table.insertOrReplace(Entity.builder(readings.format("2026-11-28", "pump-" + device), "1")
                    .set("value", device)
                    .build());
            table.insertOrReplace(Entity.builder(readings.format("2026-11-29", "pump-" + device), "1")
                    .set("value", device)
                    .build());
        }

        Query<Entity> day = table.query().partitionPrefixes(readings.prefixes("2026-11-28"));
        assertThat(day.list())
                .hasSize(12)
                .extracting(row -> readings.parse(row.partitionKey()).text("day"))
                .containsOnly("2026-11-28");
        assertThat(day.queryClass()).isEqualTo("partition-range");
        assertThat(day.list())
                .extracting(row -> row.partitionKey().substring(0, 3))
                .as("buckets")
                .matches(buckets -> new HashSet<>(buckets).size() > 4);
    }

    @Test
    @DisplayName("T6, T21: a busy group in parts is found by its keys, and read by a query of each part")
    void busyGroup() {
        KeyFormat sales = KeyFormat.of().number("part", 2).text("event");
        List<String> parts = IntStream.range(0, 4)
                .mapToObj(part -> sales.format(part, "final-2026"))
                .toList();
        Table<Entity> tickets = freshTable();
        for (int n = 0; n < 12; n++) {
            String code = "T" + n;
            tickets.insert(Entity.builder(parts.get(Math.floorMod(code.hashCode(), 4)), code)
                    .build());
        }
        int before = sent();

        assertThat(tickets.find(parts.get(Math.floorMod("T7".hashCode(), 4)), "T7"))
                .isPresent();
        assertThat(sent() - before).isOne();
        assertThat(tickets.query().partitions(parts).count()).isEqualTo(12);
        assertThat(sent() - before).as("the ticket, and each part").isEqualTo(5);
    }

    @Test
    @DisplayName("T15: lines that are read together are one request as a blob, and a page for 1,000 as rows")
    void blobInstead() {
        BlobContainer logs = storage.container(freshName());
        logs.create();
        try {
            AppendBlob log = logs.appendBlob("2026/11/28/14/pump-7.csv");
            log.createIfMissing();
            for (int batch = 0; batch < 3; batch++) {
                log.append("14:00,7\n".repeat(1_000).getBytes(US_ASCII));
            }
            int before = sent();

            assertThat(logs.download("2026/11/28/14/pump-7.csv")).hasSize(24_000);
            assertThat(sent() - before).isOne();
        } finally {
            logs.drop();
        }
    }
}
