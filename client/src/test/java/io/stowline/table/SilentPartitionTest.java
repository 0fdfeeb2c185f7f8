package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.projection.Mapping;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.client.ClientSettings;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Partitions that get no response at all beside one that does. */
class SilentPartitionTest {

    private static final Duration LATENCY = Duration.ofMillis(20);
    private static final int SILENT = 200;

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final ClientRuntime client = SimulatedConnection.open(
            new SimulatedConnection.Machine(time, Bench.START, new Random(1), Runnable::run),
            ClientSettings.DEFAULT,
            true,
            this::respond);
    private final TableWriter<Entity> writer = DefaultTable.of(
                    new TableService(Bench.account(), client, RetrySettings.defaults(), ScanPolicy.ALLOW),
                    "notes",
                    Entity.class,
                    Mapping.standard())
            .writer();
    private final Gate gate = client.to(Service.TABLE).gate();
    private boolean silent = true;
    private int written;
    private int inFlight;
    private int maxInFlight;

    private Mono<HttpResponse> respond(HttpRequest request, SimulatedConnection.Line line) {
        boolean well = !silent || request.getUrl().toString().contains("'well");
        HttpHeaders headers = new HttpHeaders().set(HttpHeaderName.ETAG, "W/\"1\"");
        Mono<HttpResponse> end = well
                ? Mono.delay(LATENCY, time)
                        .map(tick -> SimulatedConnection.response(request, 204, headers, new byte[0]))
                : Mono.never();
        return end.doOnSubscribe(sent -> {
                    line.begin();
                    line.whole();
                    maxInFlight = Math.max(maxInFlight, ++inFlight);
                })
                .doFinally(signal -> inFlight--);
    }

    private static Entity entity(String partition, int row) {
        return Entity.builder(partition, "r" + row).set("Text", "text").build();
    }

    private void keepWriting(int row) {
        writer.insertOrReplace(entity("well", row)).whenComplete((done, failure) -> {
            assertThat(failure).isNull();
            written++;
            keepWriting(row + 1);
        });
    }

    private int writtenIn(Duration span) {
        int before = written;
        time.advanceTimeBy(span);
        return written - before;
    }

    private List<Object> silence() {
        List<Object> ends = new ArrayList<>();
        for (int i = 0; i < SILENT; i++) {
            writer.insertOrReplace(entity("silent" + i, i))
                    .whenComplete((done, failure) -> ends.add(failure == null ? done : failure));
        }
        return ends;
    }

    @Test
    @DisplayName("BATCH-6: beside 200 partitions that get no response a healthy one keeps nine tenths of its rate")
    void keepsItsRate() {
        keepWriting(0);
        int alone = writtenIn(Duration.ofSeconds(10));
        silence();
        int first = writtenIn(Duration.ofSeconds(2));
        assertThat(first).isGreaterThan(alone / 10);
        for (int span = 0; span < 12; span++) {
            assertThat(writtenIn(Duration.ofSeconds(10))).isGreaterThanOrEqualTo(alone * 9 / 10);
        }
        assertThat(maxInFlight).isLessThanOrEqualTo(gate.limit() + Gate.maxSilent(ParallelismSettings.adaptive()) + 1);
    }

    @Test
    @DisplayName("BATCH-6: a partition that comes behind 200 that get no response is served while they are silent")
    void servesANewcomer() {
        silence();
        AtomicBoolean done = new AtomicBoolean();
        writer.insertOrReplace(entity("well-new", 1)).whenComplete((ok, failure) -> done.set(failure == null));
        time.advanceTimeBy(Duration.ofSeconds(40));

        assertThat(done).isTrue();
    }

    @Test
    @DisplayName("BATCH-6: partitions that respond again are delivered, and every permit is given back")
    void recovers() {
        List<Object> ends = silence();
        time.advanceTimeBy(Duration.ofSeconds(50));
        assertThat(ends).isEmpty();
        silent = false;
        time.advanceTimeBy(Duration.ofSeconds(65));

        assertThat(ends).hasSize(SILENT).noneMatch(end -> end instanceof Throwable);
        assertThat(gate.inUse() + gate.silent() + gate.waiting()).isZero();
        assertThat(inFlight).isZero();
    }

    @Test
    @DisplayName("RETRY-5: partitions that never respond end at their delivery timeout, and every permit is given back")
    void ends() {
        List<Object> ends = silence();
        time.advanceTimeBy(Duration.ofMinutes(5));

        assertThat(ends).hasSize(SILENT).allMatch(end -> end instanceof Throwable);
        assertThat(gate.inUse() + gate.silent() + gate.waiting()).isZero();
        assertThat(inFlight).isZero();
    }
}
