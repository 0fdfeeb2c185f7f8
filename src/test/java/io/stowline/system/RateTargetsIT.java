package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.stowline.Stowline;
import io.stowline.observe.QueryPageEvent;
import io.stowline.observe.StowlineListener;
import io.stowline.projection.filter.Filter;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Queries below rate targets, whose times show what they cost. */
class RateTargetsIT extends StorageTest {

    private static final Duration SCAN = Duration.ofMillis(500);

    private static Duration time(Runnable work) {
        long begin = System.nanoTime();
        work.run();
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    @Test
    @DisplayName(
            "T1 T8: a filter costs a full page of its partition, a query by keys its rows, and the listener gets both")
    void densities() {
        Table<Entity> stored = freshTable();
        for (int i = 0; i < 3; i++) {
            stored.insert(Entity.builder("p", "r" + i).set("number", i).build());
        }
        List<QueryPageEvent> pages = new CopyOnWriteArrayList<>();
        try (Stowline rated = Stowline.builder()
                .connectionString(connectionString())
                .rateTargets(t -> t.partitionEntities(2_000))
                .listener(new StowlineListener() {
                    @Override
                    public void onQueryPage(QueryPageEvent event) {
                        pages.add(event);
                    }
                })
                .build()) {
            Table<Entity> table = rated.table(stored.name(), Entity.class);
            Filter one = Filter.property("number").equalTo(1);
            assertThat(time(() -> {
                        for (int i = 0; i < 4; i++) {
                            assertThat(table.query().partition("p").where(one).list())
                                    .hasSize(1);
                        }
                    }))
                    .as("4,000 entities, 2,000 of them at once")
                    .isGreaterThanOrEqualTo(SCAN.multipliedBy(2));
            assertThat(table.query().partition("p").list()).hasSize(3);
            assertThat(pages)
                    .extracting(QueryPageEvent::table, QueryPageEvent::queryClass)
                    .containsOnly(tuple(stored.name(), "partition"));
            assertThat(pages)
                    .extracting(QueryPageEvent::returned, QueryPageEvent::scanned)
                    .containsExactly(tuple(1, 1_000), tuple(1, 1_000), tuple(1, 1_000), tuple(1, 1_000), tuple(3, 3));
        }
    }

    @Test
    @DisplayName("T1: a client that ramps up begins at a tenth")
    void ramp() {
        Table<Entity> stored = freshTable();
        try (Stowline rated = Stowline.builder()
                .connectionString(connectionString())
                .rateTargets(t -> t.partitionEntities(100).rampOver(Duration.ofMinutes(1)))
                .build()) {
            Table<Entity> table = rated.table(stored.name(), Entity.class);
            assertThat(time(() -> {
                        for (int i = 0; i < 11; i++) {
                            table.insert(Entity.builder("p", "r" + i).build());
                        }
                    }))
                    .as("11 at a little more than 10 a second")
                    .isGreaterThan(Duration.ofMillis(950));
        }
        assertThat(stored.query().list()).hasSize(11);
    }
}
