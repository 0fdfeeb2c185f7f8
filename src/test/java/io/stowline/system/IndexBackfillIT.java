package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.retry.Backoff;
import io.stowline.table.Index;
import io.stowline.table.IndexLookup;
import io.stowline.table.IndexedTable;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.testkit.FaultRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Imports and pages of an indexed table at the emulator, through the strict proxy. */
class IndexBackfillIT extends StorageTest {

    private static final int ROWS = 250;
    private static final Index<Registration, String> SHARED =
            Index.text("MAIL", Registration::mail).global(4);

    private static IndexedTable<Registration> indexed(Table<Registration> table) {
        return table.indexed(List.of(Registration.BIB, Registration.AGE, SHARED));
    }

    private static List<Registration> all() {
        return IntStream.range(0, ROWS).mapToObj(Registration::of).toList();
    }

    private static void imported(IndexedTable<Registration> runners) {
        try (TableWriter<Registration> writer = runners.entityWriter(w -> w.linger(Duration.ofMillis(50)))) {
            all().forEach(writer::insert);
        }
    }

    private static List<StoredEntity<Registration>> pages(
            IndexedTable<Registration> runners, IndexLookup<Registration> lookup) {
        List<StoredEntity<Registration>> found = new ArrayList<>();
        Query.Page<StoredEntity<Registration>> page = runners.pageStored(lookup);
        found.addAll(page.values());
        for (Optional<String> token = page.nextToken(); token.isPresent(); token = page.nextToken()) {
            page = runners.pageStored(lookup, token.get());
            found.addAll(page.values());
        }
        return found;
    }

    @Test
    @DisplayName("E14: references of as many values as rows cost requests by the hundred, and the sums are right")
    void costs() {
        Table<Registration> table = freshTable(Registration.class);
        IndexedTable<Registration> runners = indexed(table);
        proxy().clear();

        imported(runners);
        IndexReport report = runners.backfill((partition, soFar) -> {});

        assertThat(proxy().recorded(requests()).size()).isLessThan(ROWS / 5);
        assertThat(report).isEqualTo(new IndexReport(ROWS, ROWS, 0, 0, 0));
        assertThat(runners.reactive().backfill((partition, soFar) -> {}).block())
                .as("a second run writes the same rows")
                .isEqualTo(report);
        assertThat(runners.repair()).isEqualTo(new IndexReport(ROWS, 0, 0, 0, 0));
    }

    @Test
    @DisplayName("OUTCOME-9: lost responses and resets of an import leave every row and every reference, once")
    void lostResponses() {
        Table<Registration> table = freshTable(Registration.class);
        FaultRule lost = proxy().when(requests().chance(0.1)).loseResponse();
        FaultRule reset = proxy().when(requests().chance(0.1)).reset();
        try (Stowline client = Stowline.builder()
                .connectionString(connectionString())
                .retry(retry ->
                        retry.backoff(Backoff.fixed(Duration.ofMillis(5))).retries(20))
                .build()) {
            IndexedTable<Registration> runners = indexed(client.table(table.name(), Registration.class));
            imported(runners);
            runners.backfill((partition, soFar) -> {});
        } finally {
            lost.remove();
            reset.remove();
        }
        IndexedTable<Registration> runners = indexed(table);

        assertThat(lost.hits() + reset.hits()).isPositive();
        assertThat(runners.repair()).isEqualTo(new IndexReport(ROWS, 0, 0, 0, 0));
        assertThat(all()).allSatisfy(each -> assertThat(runners.global(SHARED, each.mail()))
                .extracting(StoredEntity::value)
                .containsExactly(each));
    }

    @Test
    @DisplayName("E10: pages at the emulator are the lookup, also where index rows lead nowhere")
    void pages() {
        Table<Registration> table = freshTable(Registration.class);
        IndexedTable<Registration> runners = indexed(table);
        all().forEach(each -> {
            if (each.bib() < 60) {
                runners.insert(each.mailed("same@x"));
            }
        });
        IntStream.range(10, 30).forEach(number -> table.delete("race", "r" + number));
        List<Registration> left = runners.query().list();

        assertThat(left).hasSize(40);
        assertThat(pages(runners, IndexLookup.global(SHARED, "same@x").pageSize(7)))
                .extracting(StoredEntity::value)
                .containsExactlyElementsOf(left);
        assertThat(pages(runners, IndexLookup.all(Registration.BIB, "race").pageSize(7)))
                .extracting(StoredEntity::value)
                .containsExactlyInAnyOrderElementsOf(left);
        StoredEntity<Registration> first = pages(runners, IndexLookup.range(Registration.AGE, "race", 20, 25))
                .get(0);
        runners.replace(first.with(first.value().aged(70)));
        assertThat(runners.page(IndexLookup.value(Registration.AGE, "race", 70)).values())
                .contains(first.value().aged(70));
        Query.Page<StoredEntity<Registration>> stored =
                runners.query().partition("race").pageSize(3).pageStored();
        assertThat(stored.values()).hasSize(3).allSatisfy(each -> assertThat(
                        table.find("race", each.value().id()).orElseThrow().etag())
                .isEqualTo(each.etag()));
    }
}
