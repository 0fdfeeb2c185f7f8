package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.Mapping;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The reads of a writer with indexes are steps of its operations: they have their time, and need no callback thread. */
class IndexedWriterReadsTest {

    private static final Index<Entity, String> TEXT = Index.text("TEXT", (Entity entity) -> "text");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final Queue<Runnable> callbacks = new ArrayDeque<>();
    private final List<HttpMethod> sent = new ArrayList<>();
    private int refusals;
    private boolean silent;

    private TableWriter<Entity> writer(Duration deliveryTimeout) {
        TableService service = SimulatedTables.service(
                SimulatedTables.connection(time, silent ? Runnable::run : callbacks::add, this::response),
                RetrySettings.builder().retries(0).build());
        return DefaultTable.of(service, "notes", Entity.class, Mapping.standard())
                .indexed(TEXT)
                .writer(settings -> settings.deliveryTimeout(deliveryTimeout));
    }

    private Mono<HttpResponse> response(HttpRequest request, SimulatedConnection.Line line) {
        sent.add(request.getHttpMethod());
        if (request.getHttpMethod() != HttpMethod.GET || silent) {
            return Mono.<HttpResponse>never().doOnSubscribe(started -> line.begin());
        }
        int status = refusals-- > 0 ? 503 : 404;
        String code = status == 503 ? "ServerBusy" : "ResourceNotFound";
        byte[] body = ("{\"odata.error\":{\"code\":\"" + code + "\",\"message\":{\"lang\":\"en\",\"value\":\"x\"}}}")
                .getBytes(StandardCharsets.UTF_8);
        HttpHeaders headers = new HttpHeaders().set(HttpHeaderName.CONTENT_TYPE, "application/json");
        return Mono.just(SimulatedConnection.response(request, status, headers, body))
                .doOnSubscribe(started -> line.begin());
    }

    private static Entity entity(int row) {
        return Entity.builder("p", "r" + row).set("Text", "text").build();
    }

    @Test
    @DisplayName("BATCH-4: an operation that reads first goes on although no callback thread is free")
    void withoutCallbackThread() {
        Submission<WriteResult> unused = writer(Duration.ofMinutes(1)).insertOrReplace(entity(1));
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(sent).containsExactly(HttpMethod.GET, HttpMethod.POST);
    }

    @Test
    @DisplayName(
            "BATCH-9: a read of a writer is tried until its deliveryTimeout, whatever the retries of direct calls are")
    void triedAgain() {
        refusals = 3;
        Submission<WriteResult> unused = writer(Duration.ofMinutes(10)).insertOrReplace(entity(1));
        time.advanceTimeBy(Duration.ofMinutes(5));
        assertThat(sent).startsWith(HttpMethod.GET, HttpMethod.GET, HttpMethod.GET, HttpMethod.GET, HttpMethod.POST);
    }

    @Test
    @DisplayName("BATCH-9: reads that hang end with the deliveryTimeout, also those that wait for a place")
    void hang() {
        silent = true;
        List<Submission<WriteResult>> all = new ArrayList<>();
        TableWriter<Entity> writer = writer(Duration.ofSeconds(40));
        for (int i = 0; i < 50; i++) {
            all.add(writer.insertOrReplace(entity(i)));
        }
        time.advanceTimeBy(Duration.ofSeconds(41));
        assertThat(all).allSatisfy(each -> assertThatExceptionOfType(DeliveryTimeoutException.class)
                .isThrownBy(each::await)
                .withMessageContaining("PT40S"));
        assertThat(writer.bufferedItems()).isZero();
    }
}
