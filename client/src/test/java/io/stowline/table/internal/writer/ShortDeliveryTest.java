package io.stowline.table.internal.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import io.stowline.table.DeliveryTimeoutException;
import io.stowline.table.Entity;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A writer whose time for the delivery is shorter than the time that the table's settings keep for an attempt and a
 * read-back, in virtual time.
 */
class ShortDeliveryTest {

    private final JournaledService service = new JournaledService();
    private final Table<Entity> table = service.table();

    private static TableWriter<Entity> writer(Table<Entity> table, Duration delivery) {
        return table.writer(w -> w.deliveryTimeout(delivery));
    }

    private static Entity row(String key) {
        return JournaledService.row("p", key);
    }

    @ParameterizedTest
    @ValueSource(longs = {200, 2_000, 8_000, 9_000})
    @DisplayName("BATCH-16: a delivery time of any length is long enough for a service that is well")
    void delivers(long delivery) throws InterruptedException {
        Submission<WriteResult> one = writer(table, Duration.ofMillis(delivery)).insert(row("a"));
        service.pass(Duration.ofMillis(100));
        assertThat(one.await().outcome()).isEqualTo(WriteOutcome.CONFIRMED);
    }

    @Test
    @DisplayName(
            "BATCH-16: in a short delivery time an operation is tried again, and fails before the time is over only"
                    + " when no attempt fits")
    void triesAgain() throws InterruptedException {
        TableWriter<Entity> writer = writer(table, Duration.ofSeconds(8));
        service.refuses(503, "ServerBusy");
        Submission<WriteResult> healed = writer.insert(row("a"));
        service.pass(Duration.ofSeconds(1));
        assertThat(healed.isDone()).isFalse();
        service.isWell();
        service.pass(Duration.ofSeconds(7));
        assertThat(healed.await().outcome()).isEqualTo(WriteOutcome.CONFIRMED);
        service.refuses(503, "ServerBusy");
        Submission<WriteResult> late = writer.insert(row("b"));
        service.pass(Duration.ofSeconds(8));
        assertThatThrownBy(late::await).isInstanceOf(DeliveryTimeoutException.class);
        assertThat(service.requests).hasSizeGreaterThan(3);
    }

    @Test
    @DisplayName(
            "BATCH-16 RETRY-5: who is given up early is told when, after how many attempts, and which pause does not"
                    + " fit")
    void tellsWhatDoesNotFit() {
        service.refuses(503, "ServerBusy");
        Submission<WriteResult> late = writer(table, Duration.ofSeconds(8)).insert(row("b"));
        service.pass(Duration.ofSeconds(3));
        assertThat(service.requests).hasSize(2);
        assertThatThrownBy(late::await)
                .isInstanceOf(DeliveryTimeoutException.class)
                .hasMessageMatching(
                        "not delivered in the first PT2\\.2\\d*S of the PT8S from its acceptance, and given up: the"
                                + " next attempt is due in PT\\d\\.\\d+S and needs PT3S, which does not fit in the"
                                + " PT5\\.7\\d*S that are left; .*503 ServerBusy.*attempts 2;.*");
    }

    @Test
    @DisplayName("BATCH-16 BATCH-2: what lingers for nearly all of its delivery time is sent in the rest")
    void deliversAfterALongLinger() throws InterruptedException {
        Submission<WriteResult> one =
                table.writer(w -> w.linger(Duration.ofSeconds(118))).insert(row("a"));
        service.pass(Duration.ofSeconds(119));
        assertThat(one.await().outcome()).isEqualTo(WriteOutcome.CONFIRMED);
    }

    @Test
    @DisplayName("BATCH-16: a delivery time that a reserve of the caller's own leaves no room in is refused with both")
    void refusesWhatCannotWork() {
        Table<Entity> reserving = table.withRetry(r -> r.reserve(Duration.ofSeconds(7)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> writer(reserving, Duration.ofSeconds(5)))
                .withMessageContaining("deliveryTimeout PT5S")
                .withMessageContaining("reserve PT7S");
    }
}
