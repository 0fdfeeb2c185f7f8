package io.stowline.queue.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.queue.internal.consumer.SimulatedChannel.Fault;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Deliveries of a plain message of which a process knows no result. */
class UnaccountedDeliveriesTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LEASE_AND_POLL = Duration.ofSeconds(45);

    private final ConsumerBench bench = new ConsumerBench();

    @Test
    @DisplayName("QUEUE-3: four lost responses to receives poison nothing")
    void fourLostReceives() {
        bench.queue.send("body");
        bench.channel.faults(request ->
                request.startsWith("receive") && bench.queue.isVisible("m1") ? Fault.LOST_RESPONSE : Fault.NONE);
        bench.engine();
        while (bench.queue.dequeueCount("m1") < 4) {
            bench.pass(SECOND);
        }
        bench.channel.faults(request -> Fault.NONE);
        bench.pass(LEASE_AND_POLL);

        assertThat(bench.queue.dequeueCount("m1")).isEqualTo(5);
        assertThat(bench.handled).hasSize(1);
        bench.last().succeeds();
        bench.pass(SECOND);
        assertThat(bench.queue.poison()).isEmpty();
        assertThat(bench.queue.size()).isZero();
    }

    @Test
    @DisplayName("QUEUE-3: a plain message that ten earlier processes gave back is poison, since nothing in it says so")
    void restartsOfPlainMessages() {
        bench.queue.send("body");
        for (int process = 1; process <= 10; process++) {
            bench.engine();
            bench.pass(SECOND);
            assertThat(bench.handled).hasSize(process);
            bench.last().message().release(Duration.ZERO).subscribe();
            bench.last().succeeds();
            bench.stop(SECOND);
            bench.pass(SECOND);
            assertThat(bench.isStopped()).isTrue();
        }
        assertThat(bench.queue.poison()).isEmpty();
        bench.engine();
        bench.pass(SECOND);

        assertThat(bench.handled).hasSize(10);
        assertThat(bench.queue.poison()).containsExactly("m1");
    }
}
