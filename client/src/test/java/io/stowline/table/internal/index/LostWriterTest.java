package io.stowline.table.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.projection.Mapping;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.retry.RetrySettings;
import io.stowline.table.Index;
import io.stowline.table.SimulatedTables;
import io.stowline.table.TableOperation;
import io.stowline.table.UncollectedFailuresException;
import io.stowline.table.internal.operation.LaneWriter;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Writers that the application loses without a close. */
@Timeout(60)
class LostWriterTest {

    record Runner(@PartitionKey String race, @RowKey String bib) {}

    private static final Runner JOHN = new Runner("2026", "1");
    private static final HttpHeaders FORBIDDEN = new HttpHeaders()
            .set(HttpHeaderName.fromString("x-ms-request-id"), "r-1")
            .set(HttpHeaderName.fromString("x-ms-error-code"), "InvalidInput");
    private static final HttpHeaders WRITTEN = new HttpHeaders()
            .set(HttpHeaderName.fromString("x-ms-request-id"), "r-1")
            .set(HttpHeaderName.ETAG, "W/\"1\"");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final TableService service = SimulatedTables.service(time, RetrySettings.defaults(), this::response);
    private final TableContext<Runner> table = new TableContext<>(
            service,
            service.table("runners"),
            TableContext.keyedCodec(Runner.class, Mapping.standard()),
            Mapping.standard());
    private boolean refuses;

    private Mono<HttpResponse> response(HttpRequest request, SimulatedConnection.Line line) {
        return Mono.fromSupplier(() -> {
            line.begin();
            line.whole();
            return refuses
                    ? SimulatedConnection.response(request, 400, FORBIDDEN, new byte[0])
                    : SimulatedConnection.response(request, 204, WRITTEN, new byte[0]);
        });
    }

    private LaneWriter<Runner> writer() {
        return new LaneWriter<>(table, settings -> settings.callbacks(Runnable::run));
    }

    private CompletableFuture<Void> closed() {
        CompletableFuture<Void> end = service.close(Duration.ofSeconds(1)).toFuture();
        time.advanceTimeBy(Duration.ofSeconds(2));
        return end;
    }

    @Test
    @DisplayName("a lost writer is closed once it has sent all, so that the client does not keep it")
    void sentAll() {
        LaneWriter<Runner> writer = writer();
        writer.submit(TableOperation.insert(JOHN));

        assertThat(service.lost(writer.batcher(), () -> {})).isTrue();
        time.advanceTimeBy(Duration.ofSeconds(1));

        assertThat(service.isOpen(writer.batcher())).isFalse();
        assertThat(writer.batcher().isClosed()).isTrue();
        assertThat(service.lost(writer.batcher(), () -> {})).isFalse();
    }

    @Test
    @DisplayName("a lost writer with a failure that no caller took stays, and the close of the client shows it")
    void withFailures() {
        refuses = true;
        LaneWriter<Runner> writer = writer();
        writer.submit(TableOperation.insert(JOHN));

        assertThat(service.lost(writer.batcher(), () -> {})).isTrue();
        time.advanceTimeBy(Duration.ofSeconds(1));

        assertThat(service.isOpen(writer.batcher())).isTrue();
        assertThat(catchThrowable(() -> closed().join())).hasCauseInstanceOf(UncollectedFailuresException.class);
    }

    private WeakReference<Object> indexed() {
        return new WeakReference<>(new IndexedWriter<>(
                IndexedContext.of(table, List.of(Index.text("BIB", Runner::bib))), settings -> settings));
    }

    private WeakReference<Object> plain() {
        return new WeakReference<>(writer());
    }

    @Test
    @DisplayName("the client holds no writer that the application has lost, so that it is found lost")
    void reachable() {
        for (WeakReference<Object> lost : List.of(plain(), indexed())) {
            for (int i = 0; i < 100 && lost.get() != null; i++) {
                System.gc();
            }
            assertThat(lost.get()).isNull();
        }
    }
}
