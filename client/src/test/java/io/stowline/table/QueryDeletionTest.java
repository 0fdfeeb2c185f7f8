package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.error.AuthenticationException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.projection.Mapping;
import io.stowline.retry.RetrySettings;
import io.stowline.table.Query.DeletionReport;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Deletions of what a query finds that end before all is deleted. */
@Timeout(60)
class QueryDeletionTest {

    private static final HttpHeaders JSON =
            new HttpHeaders().set(HttpHeaderName.CONTENT_TYPE, "application/json;odata=minimalmetadata");
    private static final HttpHeaders FORBIDDEN =
            new HttpHeaders().set(HttpHeaderName.fromString("x-ms-error-code"), "AuthorizationFailure");
    private static final HttpHeaders BUSY =
            new HttpHeaders().set(HttpHeaderName.fromString("x-ms-error-code"), "ServerBusy");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final ClientRuntime runtime = SimulatedTables.connection(time, Runnable::run, this::response);
    private final TableService service = SimulatedTables.service(runtime, RetrySettings.defaults());
    private final Table<Entity> table = DefaultTable.of(service, "notes", Entity.class, Mapping.standard());
    private final AtomicInteger deletions = new AtomicInteger();
    private volatile boolean silent = true;
    private volatile @Nullable Function<HttpRequest, Mono<HttpResponse>> secondPage;

    private Mono<HttpResponse> page(HttpRequest request) {
        Function<HttpRequest, Mono<HttpResponse>> second = secondPage;
        if (second == null) {
            return Mono.just(page(request, JSON, entity("a") + "," + entity("b")));
        }
        return request.getUrl().toString().contains("NextPartitionKey")
                ? second.apply(request)
                : Mono.just(page(
                        request,
                        new HttpHeaders(JSON).set(HttpHeaderName.fromString("x-ms-continuation-NextPartitionKey"), "b"),
                        entity("a")));
    }

    private static HttpResponse page(HttpRequest request, HttpHeaders headers, String entities) {
        byte[] page = ("{\"value\":[" + entities + "]}").getBytes(StandardCharsets.UTF_8);
        return SimulatedConnection.response(request, 200, headers, page);
    }

    /** One page, or two, with one entity in each of two partitions; the deletion in the first succeeds. */
    private Mono<HttpResponse> response(HttpRequest request, SimulatedConnection.Line line) {
        return Mono.defer(() -> {
            line.begin();
            line.whole();
            if (request.getHttpMethod() == HttpMethod.GET) {
                return page(request);
            }
            if (request.getUrl().toString().contains("PartitionKey='a'")) {
                return Mono.just(SimulatedConnection.response(
                        request,
                        204,
                        new HttpHeaders().set(HttpHeaderName.fromString("x-ms-request-id"), "r-1"),
                        new byte[0]));
            }
            deletions.incrementAndGet();
            return silent ? Mono.never() : Mono.just(SimulatedConnection.response(request, 503, BUSY, new byte[0]));
        });
    }

    private static String entity(String partition) {
        return "{\"odata.etag\":\"W/\\\"1\\\"\",\"PartitionKey\":\"" + partition + "\",\"RowKey\":\"r\"}";
    }

    private CompletableFuture<DeletionReport> begun() {
        return begun(table);
    }

    private CompletableFuture<DeletionReport> begun(Table<Entity> table) {
        CompletableFuture<DeletionReport> report =
                table.reactive().query().deleteAll().toFuture();
        time.advanceTimeBy(Duration.ofMillis(500));
        return report;
    }

    private static Throwable end(CompletableFuture<DeletionReport> report) {
        assertThat(report).isDone();
        return catchThrowable(report::join).getCause();
    }

    private Throwable cut() {
        CompletableFuture<DeletionReport> report = begun();
        assertThat(report).isNotDone();
        var closing = service.close(Duration.ofSeconds(1)).toFuture();
        time.advanceTimeBy(Duration.ofSeconds(2));

        assertThat(closing).isDone();
        return end(report);
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

    @Test
    @DisplayName("deleteAll that close() cuts at a later page ends with the number of the deletions before")
    void cutAtAPage() {
        secondPage = request -> Mono.never();
        CompletableFuture<DeletionReport> report = begun();
        service.close(Duration.ofSeconds(1)).subscribe();
        runtime.close(Duration.ofSeconds(1)).subscribe();
        time.advanceTimeBy(Duration.ofSeconds(2));

        assertThat(end(report))
                .isInstanceOf(UnreachableException.class)
                .hasMessageStartingWith("deleteAll notes")
                .hasMessageContaining("1 deletions were confirmed before");
    }

    @Test
    @DisplayName("deleteAll whose later page is refused ends with the number of the deletions before")
    void refusedPage() {
        secondPage = request -> Mono.just(SimulatedConnection.response(request, 403, FORBIDDEN, new byte[0]));

        assertThat(end(begun()))
                .isInstanceOf(AuthenticationException.class)
                .hasMessageStartingWith("deleteAll notes")
                .hasMessageContaining("1 deletions were confirmed before");
    }

    @Test
    @DisplayName("deleteAll whose deletion has no more time ends with the last failure and the deletions before")
    void noMoreTime() {
        silent = false;
        CompletableFuture<DeletionReport> report = begun();
        time.advanceTimeBy(Duration.ofMinutes(3));

        assertThat(end(report))
                .isInstanceOf(StorageException.class)
                .hasMessageStartingWith("deleteAll notes(b")
                .hasMessageContainingAll("ServerBusy", "1 deletions were confirmed before");
    }

    @Test
    @DisplayName("deleteAll tries a deletion as often as the retries of its table say")
    void triesAsOftenAsItsTable() {
        silent = false;
        CompletableFuture<DeletionReport> report =
                begun(table.withRetry(retry -> retry.retries(1).deadline(Duration.ofMinutes(1))));
        time.advanceTimeBy(Duration.ofSeconds(40));

        assertThat(end(report)).isInstanceOf(StorageException.class).hasMessageContaining("attempts 2");
        assertThat(deletions).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("deleteAll tries a deletion until the deadline of its table")
    void triesUntilTheDeadlineOfItsTable(boolean withoutResponse) {
        silent = withoutResponse;
        CompletableFuture<DeletionReport> report =
                begun(table.withRetry(retry -> retry.retries(1_000).deadline(Duration.ofSeconds(5))));
        time.advanceTimeBy(Duration.ofSeconds(6));

        assertThat(end(report))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("1 deletions were confirmed before");
    }

    @Test
    @DisplayName("deleteAll whose next entity comes after close() ends as a storage exception with its facts")
    void entityAfterClose() {
        secondPage = request -> Mono.delay(Duration.ofSeconds(1), time).map(due -> page(request, JSON, entity("b")));
        CompletableFuture<DeletionReport> report = begun();
        service.close(Duration.ofMillis(100)).subscribe();
        time.advanceTimeBy(Duration.ofSeconds(2));

        assertThat(end(report))
                .isInstanceOf(UnreachableException.class)
                .hasMessageStartingWith("deleteAll notes")
                .hasMessageContainingAll("this deletion was not sent", "1 deletions were confirmed before");
    }
}
