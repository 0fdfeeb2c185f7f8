package io.stowline.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.transport.ScalabilityTargets;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Receives below rate targets. */
class RatedReceivesTest {

    private final Bench bench = Bench.below(
            Service.QUEUE,
            ScalabilityTargets.everywhere().toBuilder().queueMessages(100).build());
    private final QueueBench queue = new QueueBench(bench);

    private void offers(int count, Mono<?> read) {
        bench.wire().otherwise(200, "<QueueMessagesList/>", "Content-Type", "application/xml");
        for (int i = 0; i < count; i++) {
            bench.start(read);
        }
    }

    @Test
    @DisplayName("PERMIT-2: a receive that returns no message counts as one")
    void emptyReceives() {
        offers(100, queue.client().receive(32, Duration.ofMinutes(1)));
        assertThat(bench.wire().sent()).as("those that leave room for 32").hasSize(69);
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.wire().sent()).hasSize(100);
    }

    @Test
    @DisplayName("PERMIT-2: a receive that the service refuses counts as one")
    void refusedReceives() {
        bench.wire().otherwise(404, "<Error><Code>QueueNotFound</Code></Error>", "x-ms-error-code", "QueueNotFound");
        for (int i = 0; i < 100; i++) {
            bench.start(queue.client().receive(32, Duration.ofMinutes(1)));
        }
        assertThat(bench.wire().sent()).hasSize(69);
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.wire().sent()).hasSize(100);
    }

    @Test
    @DisplayName("PERMIT-2: a peek that returns no message counts as one")
    void emptyPeeks() {
        offers(100, queue.client().peek(32));
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.wire().sent()).hasSize(100);
    }
}
