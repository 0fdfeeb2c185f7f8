package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.error.NotFoundException;
import io.stowline.table.Query.DeletionReport;
import io.stowline.table.ScanPolicy;
import io.stowline.table.Table;
import io.stowline.testkit.RequestHold;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Deletes what a query finds. */
class DeleteAllIT extends StorageTest {

    private Table<Runner> runners;

    @BeforeEach
    void fill() {
        runners = freshTable(Runner.class);
        try (var writer = runners.writer()) {
            IntStream.range(0, 250).mapToObj(i -> Runner.of("full", i)).forEach(writer::insert);
            IntStream.range(0, 30).mapToObj(i -> Runner.of("half", i)).forEach(writer::insert);
        }
    }

    @Test
    @DisplayName("T12: deletions of a query are entity group transactions")
    void deletesInTransactions() {
        proxy().clear();

        assertThat(runners.query().partition("full").deleteAll()).isEqualTo(new DeletionReport(250, 0, 0));

        assertThat(proxy().recorded(requests().path("/**/$batch"))).hasSizeBetween(3, 10);
        assertThat(runners.query().list()).hasSize(30).allMatch(runner -> runner.race()
                .equals("half"));
        assertThat(runners.query().partition("full").deleteAll()).isEqualTo(new DeletionReport(0, 0, 0));
    }

    @Test
    void deletesOnlyWhatMatches() {
        long young = runners.query().where(runners.property("age").lessThan(40)).count();

        DeletionReport report = runners.reactive()
                .query()
                .where(runners.property("age").lessThan(40))
                .deleteAll()
                .block();

        assertThat(report).isEqualTo(new DeletionReport(young, 0, 0));
        assertThat(runners.query().count()).isEqualTo(280 - young);
    }

    @Test
    @DisplayName("what another client has changed or removed since it was read stays as it is and is counted")
    void sparesWhatHasChanged() {
        RequestHold hold = new RequestHold();
        proxy().when(requests().path("/**/$batch").times(1)).holdBefore(hold);
        CompletableFuture<DeletionReport> report = CompletableFuture.supplyAsync(
                () -> runners.query().partition("half").deleteAll());
        hold.awaitArrived(Duration.ofSeconds(20));
        Runner changed = Runner.of("half", 7).aged(99);
        runners.insertOrReplace(changed);
        runners.delete(Runner.of("half", 8));
        hold.release();

        assertThat(report.join()).isEqualTo(new DeletionReport(28, 1, 1));
        assertThat(runners.query().partition("half").list()).containsExactly(changed);
    }

    @Test
    void failsWithTheTable() {
        Table<Runner> missing = storage.table(freshName(), Runner.class);

        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> missing.query().partition("full").deleteAll());
    }

    @Test
    void isAScanLikeOthers() {
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> runners.withScanPolicy(ScanPolicy.REFUSE).query().deleteAll());
        assertThat(runners.query().count()).isEqualTo(280);
    }
}
