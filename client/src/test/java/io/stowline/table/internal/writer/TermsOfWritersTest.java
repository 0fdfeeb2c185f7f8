package io.stowline.table.internal.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.error.OutcomeUnknownException;
import io.stowline.outcome.WriteMarkers;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.Backoff;
import io.stowline.table.DeliveryTimeoutException;
import io.stowline.table.Entity;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writers of one client whose operations meet in one lane, and are to be delivered in different ways, in virtual time. */
class TermsOfWritersTest {

    private static final Duration LINGER = Duration.ofMillis(100);
    private static final Duration SHORT = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofMinutes(10);

    private final JournaledService service = new JournaledService();
    private final Table<Entity> table = service.table();

    private static TableWriter<Entity> writer(Table<Entity> table, Duration delivery) {
        return table.writer(w -> w.linger(LINGER).deliveryTimeout(delivery));
    }

    private static Submission<WriteResult> insert(TableWriter<Entity> writer, String key) {
        return writer.insert(JournaledService.row("p", key));
    }

    /** The setting in which a table differs from another one. */
    private enum Difference {
        BACKOFF,
        DEADLINE,
        MARKING,
        HEADER;

        Table<Entity> on(Table<Entity> table) {
            return switch (this) {
                case BACKOFF -> table.withRetry(r -> r.backoff(Backoff.none()).retries(0));
                case DEADLINE -> table.withRetry(r -> r.deadline(Duration.ofSeconds(30)));
                case MARKING -> table.withMarkers(WriteMarkers.ALL);
                case HEADER -> table.withHeader("x-tenant", "b");
            };
        }
    }

    @Test
    @DisplayName("BATCH-16: of two writers in one lane each item has its own end, while the service refuses everything")
    void keepsTheirTimesApart() throws InterruptedException {
        TableWriter<Entity> hasty = writer(table, SHORT);
        TableWriter<Entity> patient = writer(table, LONG);
        service.refuses(503, "ServerBusy");
        Submission<WriteResult> early = insert(hasty, "a");
        Submission<WriteResult> late = insert(patient, "b");

        service.pass(Duration.ofSeconds(2));
        assertThat(early.isDone()).isFalse();
        service.pass(SHORT.minusSeconds(2));
        assertThatThrownBy(early::await).isInstanceOf(DeliveryTimeoutException.class);
        service.pass(LONG.dividedBy(2));
        assertThat(late.isDone()).isFalse();
        service.isWell();
        service.pass(Duration.ofMinutes(1));
        assertThat(late.await()).isNotNull();
    }

    @Test
    @DisplayName(
            "BATCH-16: what the service never answers of a hasty writer is no end of what a patient one has queued")
    void keepsTheirDoubtsApart() throws InterruptedException {
        TableWriter<Entity> hasty = writer(table, SHORT);
        TableWriter<Entity> patient = writer(table, LONG);
        service.silent = true;
        Submission<WriteResult> early = insert(hasty, "a");
        Submission<WriteResult> late = insert(patient, "b");

        service.pass(SHORT);
        assertThatThrownBy(early::await).isInstanceOf(OutcomeUnknownException.class);
        assertThat(late.isDone()).isFalse();
        service.isWell();
        service.pass(Duration.ofMinutes(2));
        assertThat(late.await()).isNotNull();
    }

    @Test
    @DisplayName("BATCH-16 RETRY-1: of two writers in one lane each is tried again by its own back-off")
    void keepsTheirRetriesApart() {
        TableWriter<Entity> often =
                writer(table.withRetry(r -> r.backoff(Backoff.fixed(Duration.ofSeconds(1)))), SHORT);
        TableWriter<Entity> seldom =
                writer(table.withRetry(r -> r.backoff(Backoff.fixed(Duration.ofSeconds(40)))), LONG);
        service.refuses(503, "ServerBusy");
        insert(often, "a");
        insert(seldom, "b");

        service.pass(Duration.ofMinutes(2));
        assertThat(service.carried.stream().filter(List.of("a")::equals)).hasSizeBetween(3, 5);
        assertThat(service.carried.stream().filter(List.of("b")::equals)).hasSizeBetween(3, 4);
        assertThat(service.carried).containsOnly(List.of("a"), List.of("b"));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("BATCH-16: only operations with the same settings share a request, in the order of the lane")
    void sharesWithItsLike(Difference difference) {
        TableWriter<Entity> one = writer(table, LONG);
        TableWriter<Entity> alike = writer(service.table(), LONG);
        TableWriter<Entity> other = writer(difference.on(table), LONG);
        insert(one, "a");
        insert(alike, "b");
        insert(other, "c");
        insert(one, "d");
        service.pass(Duration.ofMinutes(1));

        assertThat(service.carried).containsExactly(List.of("a", "b"), List.of("c"), List.of("d"));
    }

    @Test
    @DisplayName("BATCH-6: writers with a short time share a request when all their settings are equal")
    void sharesWhatIsDerived() {
        insert(writer(table, SHORT), "a");
        insert(writer(table, SHORT), "b");
        insert(writer(table, SHORT.plusMillis(1)), "c");
        service.pass(Duration.ofSeconds(1));

        assertThat(service.carried).containsExactly(List.of("a", "b"), List.of("c"));
    }
}
