package io.stowline.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.ThrottledException;
import io.stowline.queue.QueueInfo;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.ReadOrigin;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class QueueSecondaryTest {

    private static final String STATS = "<LastSyncTime>Thu, 29 Feb 2024 11:55:00 GMT</LastSyncTime>";
    private static final ReadOrigin THERE = new ReadOrigin(true, Instant.parse("2024-02-29T11:55:00Z"));

    private final QueueBench bench = new QueueBench();
    private final QueueOperations operations = bench.client()
            .with(ReadFrom.SECONDARY_AFTER_PRIMARY)
            .with(RetrySettings.builder()
                    .backoff(Backoff.fixed(Duration.ofMillis(1)))
                    .retries(1)
                    .build());

    @Test
    @DisplayName("RETRY-10: count and metadata may come from the secondary and say so")
    void readsFactsThere() throws Exception {
        bench.responds(503, "")
                .responds(200, STATS)
                .responds(200, "", "x-ms-approximate-messages-count", "7", "x-ms-meta-owner", "me");

        assertThat(bench.start(operations.info()).value()).isEqualTo(new QueueInfo(7, Map.of("owner", "me"), THERE));
        assertThat(bench.wire().places()).containsExactly("primary", "stats", "secondary");
    }

    @Test
    @DisplayName("RETRY-10: messages may be looked at on the secondary, and say so")
    void peeksThere() throws Exception {
        bench.responds(503, "").responds(200, STATS).responds(200, QueueBench.messages("text"));

        assertThat(bench.start(operations.peek(1)).value())
                .singleElement()
                .extracting(MessageView::origin)
                .isEqualTo(THERE);
    }

    @Test
    @DisplayName(
            "RETRY-10: messages are never received from the secondary, nor is anything read there whose result cannot"
                    + " say so")
    void receivesAtThePrimary() {
        for (int i = 0; i < 8; i++) {
            bench.responds(503, "");
        }

        var receive = bench.start(operations.receive(1, Duration.ofSeconds(30)));
        bench.pass(Duration.ofMillis(1));
        assertThat(receive.failure()).isInstanceOf(ThrottledException.class);
        var count = bench.start(operations.approximateCount());
        bench.pass(Duration.ofMillis(1));
        assertThat(count.failure()).isInstanceOf(ThrottledException.class);
        var exists = bench.start(operations.exists());
        bench.pass(Duration.ofMillis(1));
        assertThat(exists.failure()).isInstanceOf(ThrottledException.class);
        var clear = bench.start(operations.clear());
        bench.pass(Duration.ofMillis(1));
        assertThat(clear.failure()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(bench.wire().places()).hasSize(8).containsOnly("primary");
    }
}
