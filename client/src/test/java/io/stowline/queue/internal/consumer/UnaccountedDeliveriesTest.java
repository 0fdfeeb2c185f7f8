package io.stowline.queue.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.queue.internal.consumer.SimulatedChannel.Fault;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
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
            bench.histories = new DeliveryHistories(bench.time);
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
        bench.histories = new DeliveryHistories(bench.time);
        bench.engine();
        bench.pass(SECOND);

        assertThat(bench.handled).hasSize(10);
        assertThat(bench.queue.poison()).containsExactly("m1");
    }

    /** A consumer receives the message and gives it back unhandled, by a pause while the poll is in flight. */
    private void givesBack() {
        ConsumerEngine engine = bench.engine(ConsumerBench.SETTINGS, (messages, progress) -> {
            progress.refused(new RejectedExecutionException("the executor is shut down"));
            return () -> {};
        });
        bench.pass(Duration.ofMillis(100));
        engine.pause();
        bench.stop(SECOND);
        bench.pass(Duration.ofSeconds(5));
    }

    @Test
    @DisplayName("QUEUE-3: what consumers of one client gave back unhandled is no poison, also for the next consumer")
    void returnsOfThisClient() {
        bench.queue.send("body");
        while (bench.queue.dequeueCount("m1") < 25) {
            givesBack();
        }
        bench.engine();
        bench.pass(SECOND);

        assertThat(bench.queue.poison()).isEmpty();
        assertThat(bench.handled).hasSize(1);
    }

    @Test
    @DisplayName("QUEUE-3: what other processes gave back unhandled is no poison, where an envelope says so")
    void returnsOfOthers() {
        bench.envelopes = EnvelopedText.FORMAT;
        bench.queue.send(EnvelopedText.of(EnvelopedText.FORMAT, "body"));
        while (bench.queue.dequeueCount("m1") < 25) {
            bench.histories = new DeliveryHistories(bench.time);
            givesBack();
        }
        bench.histories = new DeliveryHistories(bench.time);
        bench.engine();
        bench.pass(SECOND);

        assertThat(bench.queue.poison()).isEmpty();
        assertThat(bench.handled).hasSize(1);
    }

    @Test
    @DisplayName("QUEUE-3: a consumer whose executor refuses handlers receives one message at a time")
    void refusing() {
        for (int i = 0; i < 20; i++) {
            bench.queue.send("body");
        }
        bench.engine(ConsumerBench.SETTINGS, (messages, progress) -> {
            progress.refused(new RejectedExecutionException("the executor is shut down"));
            return () -> {};
        });
        bench.pass(SECOND);
        bench.channel.requests().clear();
        bench.pass(Duration.ofMinutes(2));

        assertThat(bench.channel.requests())
                .filteredOn(request -> request.startsWith("receive"))
                .isNotEmpty()
                .allMatch(request -> request.startsWith("receive 1"));
    }
}
