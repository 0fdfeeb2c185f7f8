package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.projection.Mapping;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.client.ClientSettings;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class TransactionDeadlineTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final Table<Entity> table = DefaultTable.of(service(), "notes", Entity.class, Mapping.standard());
    private final List<Throwable> errors = new ArrayList<>();
    private final List<Duration> at = new ArrayList<>();
    private @Nullable Duration firstResponse;
    private int sent;

    private TableService service() {
        SimulatedConnection.Machine machine =
                new SimulatedConnection.Machine(time, Bench.START, new Random(1), Runnable::run);
        return new TableService(
                Bench.account(),
                SimulatedConnection.open(machine, ClientSettings.DEFAULT, true, this::stall),
                RetrySettings.defaults(),
                ScanPolicy.ALLOW);
    }

    private Mono<HttpResponse> stall(HttpRequest request, SimulatedConnection.Line line) {
        boolean responded = sent == 0 && firstResponse != null;
        sent++;
        HttpHeaders headers = new HttpHeaders().set(HttpHeaderName.ETAG, "W/\"1\"");
        Mono<HttpResponse> response = responded
                ? Mono.delay(firstResponse, time)
                        .map(tick -> SimulatedConnection.response(request, 204, headers, new byte[0]))
                : Mono.never();
        return response.doOnSubscribe(started -> line.begin());
    }

    private static Entity entity(int row) {
        return Entity.builder("p", "r" + row).set("Text", "text").build();
    }

    private void commitWithASecond() {
        var unused = table.withRetry(hasty -> hasty.backoff(Backoff.none())
                        .minAttempt(Duration.ofMillis(100))
                        .deadline(SECOND))
                .reactive()
                .transaction("p")
                .insert(entity(1))
                .insert(entity(2))
                .commit()
                .subscribe(written -> {}, error -> {
                    errors.add(error);
                    at.add(Duration.ofNanos(time.now(TimeUnit.NANOSECONDS)));
                });
    }

    private void endsInTime() {
        time.advanceTimeBy(SECOND.minusMillis(1));
        assertThat(errors).isEmpty();
        time.advanceTimeBy(Duration.ofMinutes(5));
        assertThat(at).containsExactly(SECOND);
        assertThat(errors.get(0))
                .isInstanceOf(DeadlineExceededException.class)
                .hasMessageContaining("notes(p) with 2 operations")
                .hasMessageContaining("PT1S");
    }

    @Test
    @DisplayName("BATCH-9 RETRY-5: a transaction behind one that stalls ends at its own deadline, and is never sent")
    void behindATransaction() {
        var unused = table.reactive()
                .transaction("p")
                .insert(entity(3))
                .insert(entity(4))
                .commit()
                .subscribe(written -> {}, error -> {});
        commitWithASecond();
        int before = sent;
        endsInTime();
        assertThat(before).isEqualTo(1);
    }

    @Test
    @DisplayName("RETRY-7: the elapsed time of a transaction that was not sent has its wait in the partition")
    void elapsedHasTheWait() {
        firstResponse = Duration.ofMillis(950);
        var unused =
                table.reactive().transaction("p").insert(entity(3)).commit().subscribe();
        commitWithASecond();
        time.advanceTimeBy(SECOND);
        assertThat(sent).isEqualTo(1);
        assertThat(errors)
                .singleElement()
                .isInstanceOf(DeadlineExceededException.class)
                .asString()
                .contains("attempts 0; elapsed 950 ms");
    }

    private void replaceIndexed(Duration deadline) {
        var unused = table.withRetry(given -> given.deadline(deadline))
                .reactive()
                .indexed(Index.text("TEXT", entity -> "text"))
                .replace(StoredEntity.read(entity(1), "W/\"1\"", null, ReadOrigin.primary()))
                .subscribe(written -> {}, error -> {
                    errors.add(error);
                    at.add(Duration.ofNanos(time.now(TimeUnit.NANOSECONDS)));
                });
    }

    @Test
    @DisplayName(
            "BATCH-4 RETRY-5: a write with index rows behind one of unknown outcome is sent once that cannot arrive"
                    + " any more")
    void waitsBehindTheUnknown() {
        commitWithASecond();
        time.advanceTimeBy(SECOND);
        assertThat(errors).singleElement().isInstanceOf(OutcomeUnknownException.class);
        replaceIndexed(Duration.ofMinutes(2));
        int before = sent;
        time.advanceTimeBy(SECOND);
        assertThat(sent).isEqualTo(before);
        time.advanceTimeBy(Duration.ofSeconds(40));
        assertThat(errors).hasSize(1);
        assertThat(sent).isGreaterThan(before);
    }

    @Test
    @DisplayName(
            "BATCH-4 RETRY-5: a write with index rows whose deadline is over by then says that nothing of it was sent")
    void endsBehindTheUnknown() {
        commitWithASecond();
        time.advanceTimeBy(SECOND);
        replaceIndexed(Duration.ofSeconds(5));
        int before = sent;
        time.advanceTimeBy(Duration.ofMinutes(5));
        assertThat(sent).isEqualTo(before);
        assertThat(errors).hasSize(2);
        assertThat(errors.get(1))
                .isInstanceOf(DeadlineExceededException.class)
                .hasMessageContaining("nothing was sent")
                .hasCauseInstanceOf(PredecessorUnknownException.class);
        assertThat(at.get(1)).isLessThanOrEqualTo(Duration.ofSeconds(6));
    }

    @Test
    @DisplayName("PERMIT-4 RETRY-5: a transaction behind a writer that stalls ends at its own deadline")
    void behindAWriter() {
        TableWriter<Entity> writer = table.writer();
        writer.insert(entity(5)).whenComplete((written, error) -> {});
        commitWithASecond();
        endsInTime();
    }

    @Test
    @DisplayName("RETRY-5: of a transaction that is sent the wait for its partition has used up a part of the deadline")
    void theWaitCounts() {
        firstResponse = Duration.ofMillis(500);
        TableWriter<Entity> writer = table.writer();
        writer.insert(entity(5)).whenComplete((written, error) -> {});
        commitWithASecond();
        time.advanceTimeBy(SECOND);
        assertThat(sent).isGreaterThan(1);
        assertThat(at).containsExactly(SECOND);
        assertThat(errors.get(0)).isInstanceOf(OutcomeUnknownException.class);
    }
}
