package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.UnreachableException;
import io.stowline.projection.Mapping;
import io.stowline.retry.RetrySettings;
import io.stowline.table.Query.DeletionReport;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.client.ClientSettings;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Deletions of what a query finds that the client's close cuts. */
@Timeout(60)
class QueryDeletionTest {

    private static final HttpHeaders JSON =
            new HttpHeaders().set(HttpHeaderName.CONTENT_TYPE, "application/json;odata=minimalmetadata");
    private static final HttpHeaders BUSY =
            new HttpHeaders().set(HttpHeaderName.fromString("x-ms-error-code"), "ServerBusy");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final TableService service = service();
    private final Table<Entity> table = Table.of(service, "notes", Entity.class, Mapping.standard());
    private volatile boolean silent = true;

    private TableService service() {
        SimulatedConnection.Machine machine =
                new SimulatedConnection.Machine(time, Bench.START, new Random(1), Runnable::run);
        return new TableService(
                Bench.account(),
                SimulatedConnection.open(machine, ClientSettings.DEFAULT, true, this::answer),
                RetrySettings.defaults(),
                ScanPolicy.ALLOW);
    }

    /** One page with one entity in each of two partitions; the deletion in the first succeeds. */
    private Mono<HttpResponse> answer(HttpRequest request, SimulatedConnection.Line line) {
        return Mono.defer(() -> {
            line.begin();
            line.whole();
            if (request.getHttpMethod() == HttpMethod.GET) {
                byte[] page =
                        ("{\"value\":[" + entity("a") + "," + entity("b") + "]}").getBytes(StandardCharsets.UTF_8);
                return Mono.just(SimulatedConnection.answer(request, 200, JSON, page));
            }
            if (request.getUrl().toString().contains("PartitionKey='a'")) {
                return Mono.just(SimulatedConnection.answer(
                        request,
                        204,
                        new HttpHeaders().set(HttpHeaderName.fromString("x-ms-request-id"), "r-1"),
                        new byte[0]));
            }
            return silent ? Mono.never() : Mono.just(SimulatedConnection.answer(request, 503, BUSY, new byte[0]));
        });
    }

    private static String entity(String partition) {
        return "{\"odata.etag\":\"W/\\\"1\\\"\",\"PartitionKey\":\"" + partition + "\",\"RowKey\":\"r\"}";
    }

    private Throwable cut() {
        CompletableFuture<DeletionReport> report =
                table.reactive().query().deleteAll().toFuture();
        time.advanceTimeBy(Duration.ofMillis(500));
        assertThat(report).isNotDone();
        var closing = service.close(Duration.ofSeconds(1)).toFuture();
        time.advanceTimeBy(Duration.ofSeconds(2));

        assertThat(closing).isDone();
        return catchThrowable(() -> report.getNow(null)).getCause();
    }

    @Test
    @DisplayName(
            "deleteAll that close() cuts with a deletion in flight ends as unknown, with key, attempt and deletions")
    void cutInFlight() {
        assertThat(cut()).isInstanceOfSatisfying(OutcomeUnknownException.class, e -> {
            assertThat(e.failure().operation()).isEqualTo("deleteAll");
            assertThat(e.failure().resource()).isEqualTo("notes(b, r)");
            assertThat(e.failure().unansweredAttempts()).isEqualTo(1);
            assertThat(e).hasMessageContaining("1 deletions were confirmed before");
        });
    }

    @Test
    @DisplayName("deleteAll that close() cuts in a back-off ends as a storage exception with its facts")
    void cutInBackOff() {
        silent = false;

        assertThat(cut())
                .isInstanceOfAny(UnreachableException.class, OutcomeUnknownException.class)
                .hasMessageContaining("deleteAll notes(b, r)");
    }
}
