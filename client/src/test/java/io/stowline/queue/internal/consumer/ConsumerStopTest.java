package io.stowline.queue.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.queue.QueueConsumer.StopReport;
import io.stowline.queue.internal.consumer.ConsumerBench.Handled;
import io.stowline.queue.internal.consumer.SimulatedChannel.Fault;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConsumerStopTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ConsumerBench bench = new ConsumerBench();

    private void send(int messages) {
        IntStream.range(0, messages).forEach(i -> bench.queue.send("body"));
    }

    /** One handler runs, and many messages wait behind it. */
    private void withAStock() {
        send(200);
        bench.engine(ConsumerBench.settings(1, 1, null));
        bench.pass(SECOND);
        for (int i = 0; i < 40; i++) {
            bench.last().succeeds();
            bench.pass(Duration.ofMillis(10));
        }
        assertThat(bench.engineInHand()).isGreaterThan(20);
    }

    @Test
    @DisplayName("QUEUE-5: a stop gives back at once what was not started, and waits for the handlers")
    void stops() {
        withAStock();
        int buffered = bench.engineInHand();
        var report = bench.stop(Duration.ofSeconds(20));
        bench.pass(Duration.ofMillis(20));
        assertThat(bench.engineInHand()).isEqualTo(1);
        assertThat(bench.queue.visible()).isEqualTo(bench.queue.size() - 1);
        assertThat(report.get()).isNull();
        bench.pass(Duration.ofSeconds(5));
        bench.last().succeeds();
        bench.pass(SECOND);

        assertThat(report.get()).isEqualTo(new StopReport(1, 0, buffered - 1, 0));
        long requests = bench.channel.requests().size();
        bench.pass(Duration.ofMinutes(5));
        assertThat(bench.channel.requests()).hasSize((int) requests);
    }

    @Test
    @DisplayName("QUEUE-5: at the deadline handlers are cancelled, and their messages left to their leases")
    void abandons() {
        withAStock();
        var report = bench.stop(Duration.ofSeconds(3));
        bench.pass(Duration.ofSeconds(2));
        assertThat(bench.last().isCancelled()).isFalse();
        bench.pass(SECOND);

        assertThat(bench.last().isCancelled()).isTrue();
        assertThat(report.get().abandoned()).isEqualTo(1);
        String id = bench.last().ids().get(0);
        assertThat(bench.queue.isVisible(id)).isFalse();
        bench.last().succeeds();
        bench.pass(Duration.ofSeconds(30));
        assertThat(bench.queue.isVisible(id)).isTrue();
    }

    @Test
    @DisplayName("QUEUE-5: what a poll brings during a stop is given back")
    void releasesLateArrivals() {
        bench.channel.latency(() -> Duration.ofMillis(300));
        bench.engine();
        send(10);
        bench.pass(Duration.ofMillis(400));
        var report = bench.stop(Duration.ofSeconds(20));
        bench.pass(Duration.ofSeconds(2));

        assertThat(bench.handled).isEmpty();
        assertThat(report.get()).isEqualTo(new StopReport(0, 0, 10, 0));
        assertThat(bench.queue.visible()).isEqualTo(10);
    }

    @Test
    @DisplayName("QUEUE-5: a poll that hangs keeps a stop waiting for 2 s at most")
    void doesNotWaitForAHangingPoll() {
        bench.channel.faults(request -> request.startsWith("receive") ? Fault.LOST_REQUEST : Fault.NONE);
        bench.engine();
        bench.pass(SECOND);
        var report = bench.stop(Duration.ofSeconds(20));
        bench.pass(Duration.ofMillis(1_900));
        assertThat(report.get()).isNull();
        bench.pass(Duration.ofMillis(200));

        assertThat(report.get()).isEqualTo(new StopReport(0, 0, 0, 0));
    }

    @Test
    @DisplayName("QUEUE-5: stops share their end; a later one can shorten it, and one after the end has its report")
    void sharesItsEnd() {
        withAStock();
        var first = bench.stop(Duration.ofHours(1));
        var second = bench.stop(SECOND);
        bench.pass(SECOND);

        assertThat(second.get()).isNotNull().isEqualTo(first.get());
        assertThat(bench.stop(SECOND).get()).isEqualTo(first.get());
    }

    @Test
    @DisplayName("QUEUE-5: a paused consumer stops")
    void stopsWhilePaused() {
        withAStock();
        bench.engine(ConsumerBench.SETTINGS).pause();
        var report = bench.stop(SECOND);
        bench.pass(Duration.ofMillis(20));

        assertThat(report.get()).isNotNull();
    }

    @Test
    @DisplayName("QUEUE-5: a handler that fails during a stop counts as failed")
    void countsFailures() {
        send(3);
        bench.engine();
        bench.pass(SECOND);
        var report = bench.stop(Duration.ofSeconds(20));
        bench.handled.get(0).fails();
        bench.handled.get(1).succeeds();
        bench.handled.get(2).message().release(Duration.ZERO).subscribe();
        bench.handled.get(2).succeeds();
        bench.pass(SECOND);

        assertThat(report.get()).isEqualTo(new StopReport(1, 1, 1, 0));
    }

    @Test
    @DisplayName("QUEUE-5: a handler that its executor refuses costs no failure; its message comes again")
    void survivesARefusingExecutor() {
        send(1);
        boolean[] refuses = {true};
        bench.engine(ConsumerBench.SETTINGS, (messages, progress) -> {
            Handled call = new Handled(messages, progress);
            if (refuses[0]) {
                progress.refused(new RejectedExecutionException("full"));
            } else {
                bench.handled.add(call);
                progress.began();
            }
            return call;
        });
        bench.pass(SECOND);
        assertThat(bench.results).containsExactly("RELEASED m1");
        refuses[0] = false;
        bench.pass(Duration.ofSeconds(15));

        assertThat(bench.handled).hasSize(1);
    }
}
