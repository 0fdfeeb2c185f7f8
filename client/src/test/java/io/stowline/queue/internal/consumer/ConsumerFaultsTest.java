package io.stowline.queue.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.observe.ConsumerEvent.Result;
import io.stowline.queue.QueueConsumer.StopReport;
import io.stowline.queue.internal.consumer.ConsumerBench.Handled;
import io.stowline.queue.internal.consumer.SimulatedChannel.Fault;
import io.stowline.queue.internal.poison.PoisonNote;
import io.stowline.retry.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Hooks;

/** Failures around a handler leave no message and no slot behind. */
class ConsumerFaultsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ConsumerBench bench = new ConsumerBench();

    /** An exception of an application whose own code fails. */
    private static final class UnprintableException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    @AfterEach
    void handlesTheNextMessage() {
        if (bench.isStopped()) {
            return;
        }
        for (int i = 0; i < 5; i++) {
            bench.handled.stream().filter(Handled::isRunning).toList().forEach(Handled::succeeds);
            bench.pass(SECOND);
        }
        bench.pass(Duration.ofMinutes(2));
        int before = bench.handled.size();
        String id = bench.queue.send("next");
        bench.wake();
        bench.pass(SECOND);
        assertThat(bench.handled).hasSizeGreaterThan(before);
        assertThat(bench.last().ids()).containsExactly(id);
        bench.last().succeeds();
        bench.pass(SECOND);
        assertThat(bench.engineInHand()).isZero();
        assertThat(bench.running()).isZero();
    }

    private static ConsumerSettings retryDelay(Backoff delay, int poisonAfter) {
        ConsumerSettings usual = ConsumerBench.settings(2, 1, null);
        return new ConsumerSettings(
                usual.concurrency(),
                usual.batchSize(),
                usual.lease(),
                usual.maxHold(),
                poisonAfter,
                delay,
                null,
                usual.minPollDelay(),
                usual.maxPollDelay(),
                usual.stopTimeout());
    }

    @Test
    @DisplayName("QUEUE-2: an executor that throws an error costs no failure and no slot, and polls become fewer")
    void anExecutorThatThrows() {
        boolean[] fails = {true};
        bench.engine(ConsumerBench.settings(2, 1, null), (messages, progress) -> {
            if (fails[0]) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            Handled call = new Handled(messages, progress);
            bench.handled.add(call);
            progress.began();
            return call;
        });
        for (int i = 0; i < 100; i++) {
            bench.queue.send("body");
        }
        bench.wake();
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.count(Result.RELEASED)).isPositive();
        assertThat(bench.channel.requests("receive")).isBetween(5L, 40L);
        assertThat(bench.engineInHand()).isZero();

        fails[0] = false;
        bench.pass(Duration.ofSeconds(15));
        assertThat(bench.running()).isEqualTo(2);
        for (int i = 0; i < 100; i++) {
            bench.handled.stream().filter(Handled::isRunning).toList().forEach(Handled::succeeds);
            bench.pass(SECOND);
        }
        assertThat(bench.queue.size()).isZero();
        assertThat(bench.count(Result.COMPLETED)).isEqualTo(100);
        assertThat(bench.count(Result.RETRIED)).isZero();
    }

    @Test
    @DisplayName("QUEUE-2: a start that ran its handler and then threw has one end")
    void endsOnce() {
        boolean[] throwing = {true};
        bench.engine(ConsumerBench.settings(1, 1, null), (messages, progress) -> {
            Handled call = new Handled(messages, progress);
            bench.handled.add(call);
            progress.began();
            if (throwing[0]) {
                throwing[0] = false;
                call.succeeds();
                throw new RejectedExecutionException("too late");
            }
            return call;
        });
        bench.queue.send("body");
        bench.pass(SECOND);

        assertThat(bench.results).containsExactly("COMPLETED m1");
        assertThat(bench.running()).isZero();
    }

    @Test
    @DisplayName("QUEUE-3: an exception that cannot be printed is retried, and then poison, by its class")
    void unprintable() {
        bench.engine(retryDelay(Backoff.none(), 2));
        bench.queue.send("body");
        bench.pass(SECOND);
        bench.last().fails(new UnprintableException());
        bench.pass(SECOND);
        bench.last().fails(new UnprintableException());
        bench.pass(SECOND);

        assertThat(bench.results).containsExactly("RETRIED m1", "POISONED m1");
        assertThat(PoisonNote.text(new UnprintableException())).isEqualTo(UnprintableException.class.getName());
    }

    @Test
    @DisplayName("QUEUE-2: a delay that the service does not have is cut to 7 days")
    void tooLongADelay() {
        bench.engine(retryDelay(Backoff.fixed(Duration.ofDays(300)), 3));
        bench.queue.send("body");
        bench.pass(SECOND);
        bench.last().fails();
        bench.pass(SECOND);

        assertThat(bench.results).containsExactly("RETRIED m1");
        bench.pass(Duration.ofDays(7).minusMinutes(1));
        assertThat(bench.queue.isVisible("m1")).isFalse();
        bench.pass(Duration.ofMinutes(2));
        assertThat(bench.handled).hasSize(2);
    }

    @Test
    @DisplayName("QUEUE-2: an error in the request that ends a message ends it, and the message comes again")
    void anEndThatThrows() {
        boolean[] fails = {true};
        bench.channel.faults(request -> {
            if (request.startsWith("delete") && fails[0]) {
                fails[0] = false;
                throw new NoClassDefFoundError("Missing");
            }
            return Fault.NONE;
        });
        bench.engine();
        bench.queue.send("body");
        bench.pass(SECOND);
        bench.last().succeeds();
        bench.pass(SECOND);

        assertThat(bench.engineInHand()).isZero();
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.queue.size()).isZero();
        assertThat(bench.handled).hasSize(1);
    }

    @Test
    @DisplayName("QUEUE-1: a poll that throws is tried again")
    void aPollThatThrows() {
        boolean[] fails = {true};
        bench.channel.faults(request -> {
            if (request.startsWith("receive") && fails[0]) {
                throw new NoClassDefFoundError("Missing");
            }
            return Fault.NONE;
        });
        bench.engine();
        bench.queue.send("body");
        bench.pass(Duration.ofSeconds(20));
        assertThat(bench.channel.requests("receive")).isBetween(3L, 10L);
        fails[0] = false;
        bench.pass(Duration.ofSeconds(15));

        assertThat(bench.handled).hasSize(1);
    }

    @Test
    @DisplayName("QUEUE-2: a message that its handler gives back comes to it again once the handler has returned")
    void givenBackByItsHandler() {
        bench.engine();
        bench.queue.send("body");
        bench.pass(SECOND);
        Handled first = bench.last();
        first.message().release(Duration.ZERO).subscribe();
        bench.pass(Duration.ofSeconds(2));
        bench.wake();
        bench.pass(SECOND);
        assertThat(bench.handled).hasSize(1);
        assertThat(bench.engineInHand()).isEqualTo(2);
        first.succeeds();
        bench.pass(Duration.ofMillis(1));

        assertThat(bench.handled).hasSize(2);
        assertThat(bench.last().ids()).isEqualTo(first.ids());
        bench.last().succeeds();
        bench.pass(SECOND);
        assertThat(bench.results).containsExactly("RELEASED m1", "COMPLETED m1");
    }

    @Test
    @DisplayName("QUEUE-2: while a handler goes on after its timeout, others can have the message")
    void timedOutAndStillRunning() {
        bench.engine(ConsumerBench.settings(2, 1, Duration.ofSeconds(5)));
        bench.queue.send("body");
        bench.pass(SECOND);
        bench.pass(Duration.ofMinutes(2));
        assertThat(bench.handled).hasSize(1);
        assertThat(bench.count(Result.RETRIED)).isEqualTo(1);
        assertThat(bench.count(Result.RELEASED)).isBetween(2L, 12L);
        bench.last().fails();
        bench.pass(Duration.ofSeconds(15));

        assertThat(bench.handled).hasSize(2);
        assertThat(bench.queue.poison()).isEmpty();
    }

    @Test
    @DisplayName("QUEUE-5: a stop gives back what waits for a handler of the same message")
    void stopsWithALaterDelivery() {
        bench.engine();
        bench.queue.send("body");
        bench.pass(SECOND);
        bench.last().message().release(Duration.ZERO).subscribe();
        bench.pass(Duration.ofSeconds(2));
        assertThat(bench.engineInHand()).isEqualTo(2);
        var report = bench.stop(Duration.ofSeconds(20));
        bench.pass(SECOND);
        assertThat(bench.queue.isVisible("m1")).isTrue();
        assertThat(report.get()).isNull();
        bench.last().succeeds();
        bench.pass(SECOND);

        assertThat(report.get()).isEqualTo(new StopReport(0, 0, 1, 0));
        assertThat(bench.engineInHand()).isZero();
    }

    @Test
    @DisplayName("QUEUE-5: a message whose end is not confirmed at the deadline counts as abandoned")
    void countsUnconfirmedEnds() {
        bench.engine();
        bench.queue.send("body");
        bench.queue.send("body");
        bench.pass(SECOND);
        bench.channel.faults(request -> request.startsWith("delete") ? Fault.LOST_REQUEST : Fault.NONE);
        var report = bench.stop(Duration.ofSeconds(3));
        bench.handled.get(0).succeeds();
        bench.pass(Duration.ofSeconds(4));

        assertThat(report.get()).isEqualTo(new StopReport(0, 0, 0, 2));
    }

    @Test
    @DisplayName("QUEUE-5: a message that could not be copied to the poison queue has failed, and was not released")
    void countsFailedCopies() {
        bench.channel.faults(request -> request.startsWith("poison") ? Fault.BUSY : Fault.NONE);
        bench.engine(retryDelay(Backoff.none(), 1));
        bench.queue.send("body");
        bench.pass(SECOND);
        var report = bench.stop(Duration.ofSeconds(20));
        bench.last().fails();
        bench.pass(SECOND);

        assertThat(bench.results).containsExactly("POISON_FAILED m1");
        assertThat(report.get()).isEqualTo(new StopReport(0, 1, 0, 0));
    }

    @Test
    @DisplayName("QUEUE-5: a consumer whose timer has stopped still stops")
    void stopsWithoutATimer() {
        bench.engine();
        bench.queue.send("body");
        bench.pass(SECOND);
        bench.time.dispose();
        var report = bench.stop(Duration.ofSeconds(20));

        assertThat(report.get()).isEqualTo(new StopReport(0, 0, 0, 1));
        assertThat(bench.last().isCancelled()).isTrue();
    }

    @Test
    @DisplayName("Q3: an ending that fails after its caller has gone drops no error")
    void dropsNoError() {
        List<Throwable> dropped = new ArrayList<>();
        Hooks.onErrorDropped(dropped::add);
        try {
            bench.queue.send("body");
            bench.queue.send("body");
            bench.engine();
            bench.pass(Duration.ofSeconds(1));
            bench.channel.faults(request -> Fault.LOST_REQUEST);
            bench.handled.get(0).message().complete().subscribe().dispose();
            bench.handled.get(1).message().retryIn(Duration.ZERO).subscribe().dispose();
            bench.stop(Duration.ofSeconds(1));
            bench.pass(Duration.ofMinutes(2));
        } finally {
            Hooks.resetOnErrorDropped();
        }

        assertThat(dropped).isEmpty();
    }
}
