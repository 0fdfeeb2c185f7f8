package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.projection.Mapping;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class HealthyPartitionTest {

    private static final Duration LATENCY = Duration.ofMillis(20);
    private static final Duration SPAN = Duration.ofMinutes(1);
    private static final int THROTTLED = 64;

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final TableWriter<Entity> writer = DefaultTable.of(
                    SimulatedTables.service(time, RetrySettings.defaults(), this::response),
                    "notes",
                    Entity.class,
                    Mapping.standard())
            .writer();
    private int written;

    /** One partition is well, all others are throttled. */
    private Mono<HttpResponse> response(HttpRequest request, SimulatedConnection.Line line) {
        boolean well = request.getUrl().toString().contains("'well'");
        HttpHeaders headers = new HttpHeaders().set(HttpHeaderName.ETAG, "W/\"1\"");
        byte[] body = well ? new byte[0] : Bench.jsonError("ServerBusy", "busy").getBytes(StandardCharsets.UTF_8);
        return Mono.delay(LATENCY, time)
                .doOnSubscribe(sent -> line.begin())
                .map(tick -> SimulatedConnection.response(request, well ? 204 : 503, headers, body));
    }

    private static Entity entity(String partition, int row) {
        return Entity.builder(partition, "r" + row).set("Text", "text").build();
    }

    /** Writes one after the other, as fast as the responses come. */
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

    @Test
    @DisplayName("BATCH-6: beside 64 partitions that are throttled a healthy one keeps nine tenths of its rate")
    void keepsItsRate() {
        keepWriting(0);
        int alone = writtenIn(SPAN);
        for (int i = 0; i < THROTTLED; i++) {
            writer.insertOrReplace(entity("hot" + i, i)).whenComplete((done, failure) -> {});
        }

        assertThat(alone).isGreaterThan(2_000);
        for (int minute = 0; minute < 2; minute++) {
            assertThat(writtenIn(SPAN)).isGreaterThanOrEqualTo(alone * 9 / 10);
        }
    }
}
