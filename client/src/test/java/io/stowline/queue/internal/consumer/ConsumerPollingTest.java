package io.stowline.queue.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.observe.ConsumerEvent.Result;
import io.stowline.queue.internal.consumer.ConsumerBench.Handled;
import io.stowline.queue.internal.consumer.SimulatedChannel.Fault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConsumerPollingTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ConsumerBench bench = new ConsumerBench();

    private void send(int messages) {
        IntStream.range(0, messages).forEach(i -> bench.queue.send("body"));
    }

    @Test
    @DisplayName("QUEUE-4: an idle consumer polls at most 8 times a minute")
    void idlesCheaply() {
        bench.engine();
        bench.pass(MINUTE);
        int before = bench.queue.receives();
        for (int minute = 1; minute <= 60; minute++) {
            bench.pass(MINUTE);
            assertThat(bench.queue.receives() - before).isBetween(6, 8);
            before = bench.queue.receives();
        }
    }

    @Test
    @DisplayName("QUEUE-4: an idle consumer has a message of another process within 10 s")
    void findsTheFirstMessage() {
        bench.engine();
        for (int i = 1; i <= 50; i++) {
            bench.pass(Duration.ofSeconds(97).plusMillis(i * 371L));
            send(1);
            bench.pass(Duration.ofSeconds(10));
            assertThat(bench.handled).hasSize(i);
            bench.last().succeeds();
        }
    }

    @Test
    @DisplayName("QUEUE-4: a send in the process wakes an idle consumer within 50 ms")
    void isWoken() {
        ConsumerEngine engine = bench.engine();
        bench.pass(MINUTE);
        send(1);
        engine.wake(SimulatedQueue.NAME);
        bench.pass(Duration.ofMillis(50));

        assertThat(bench.handled).hasSize(1);
    }

    @Test
    @DisplayName("QUEUE-4: a send during an empty poll makes the next poll come at once")
    void isWokenDuringAPoll() {
        ConsumerEngine engine = bench.engine();
        bench.pass(MINUTE);
        engine.wake(SimulatedQueue.NAME);
        bench.pass(Duration.ofMillis(3));
        send(1);
        engine.wake(SimulatedQueue.NAME);
        bench.pass(Duration.ofMillis(47));

        assertThat(bench.handled).hasSize(1);
    }

    @Test
    @DisplayName("QUEUE-4: it receives for free slots only until it knows how long a handling takes")
    void receivesForFreeSlots() {
        send(100);
        bench.engine();
        bench.pass(SECOND);

        assertThat(bench.handled).hasSize(16);
        assertThat(bench.channel.requests("receive")).isEqualTo(1);
        assertThat(bench.channel.requests()).contains("receive 16");
    }

    @Test
    @DisplayName("QUEUE-4: with quick handlers full receives keep a stock, at most 64 messages unstarted")
    void receivesAhead() {
        send(500);
        bench.engine();
        bench.pass(Duration.ofMillis(20));
        while (bench.queue.size() > 0) {
            List<Handled> running =
                    bench.handled.stream().filter(Handled::isRunning).toList();
            running.forEach(Handled::succeeds);
            bench.pass(Duration.ofMillis(10));
            assertThat(bench.handled.stream().filter(Handled::isRunning).count())
                    .isLessThanOrEqualTo(16);
            assertThat(bench.engineInHand()).isLessThanOrEqualTo(16 + 64 + 32);
        }

        assertThat(bench.count(Result.COMPLETED)).isEqualTo(500);
        assertThat(bench.channel.requests("receive 32")).isGreaterThanOrEqualTo(14);
        assertThat(bench.channel.requests("receive")).isLessThanOrEqualTo(20);
    }

    @Test
    @DisplayName("QUEUE-4: 1,000 messages with handlers of 10 ms take at most 1,040 requests beside their sends")
    void fewRequests() {
        send(1_000);
        bench.engine(ConsumerBench.SETTINGS, (messages, progress) -> {
            Handled call = new Handled(messages, progress);
            progress.began();
            bench.time.schedule(call::succeeds, 10, TimeUnit.MILLISECONDS);
            return call;
        });
        bench.pass(Duration.ofSeconds(3));

        assertThat(bench.count(Result.COMPLETED)).isEqualTo(1_000);
        assertThat(bench.channel.requests("delete")).isEqualTo(1_000);
        assertThat(bench.channel.requests("receive")).isLessThanOrEqualTo(40);
    }

    @Test
    @DisplayName("QUEUE-4: with handlers that take longer than a quarter of the lease nothing is received ahead")
    void receivesNothingAheadOfSlowHandlers() {
        send(100);
        bench.engine(ConsumerBench.settings(1, 1, null));
        bench.pass(SECOND);
        for (int i = 1; i <= 5; i++) {
            bench.pass(Duration.ofSeconds(10));
            bench.last().succeeds();
            bench.pass(SECOND);
            assertThat(bench.handled).hasSize(i + 1);
            assertThat(bench.engineInHand()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("QUEUE-4: what waits unstarted for half of the lease is given back")
    void givesBackWhatWaits() {
        send(40);
        bench.engine(ConsumerBench.settings(1, 1, null));
        bench.pass(SECOND);
        bench.last().succeeds();
        bench.pass(SECOND);
        assertThat(bench.engineInHand()).isGreaterThan(2);
        bench.pass(Duration.ofSeconds(15));

        assertThat(bench.engineInHand()).isEqualTo(1);
        assertThat(bench.count(Result.RELEASED)).isPositive();
        assertThat(bench.queue.visible()).isEqualTo(38);
    }

    @Test
    @DisplayName("QUEUE-4: a poll is one attempt; after failures the loop backs off, and it recovers by itself")
    void backsOffAfterFailures() {
        bench.channel.faults(request -> request.startsWith("receive") ? Fault.BUSY : Fault.NONE);
        send(1);
        bench.engine();
        bench.pass(MINUTE);
        assertThat(bench.channel.requests("receive")).isBetween(7L, 14L);
        bench.channel.faults(request -> Fault.NONE);
        bench.pass(Duration.ofSeconds(10));

        assertThat(bench.handled).hasSize(1);
    }

    @Test
    @DisplayName("a consumer shows why its polls fail until one succeeds")
    void showsWhyPollsFail() {
        bench.channel.faults(request -> request.startsWith("receive") ? Fault.BUSY : Fault.NONE);
        ConsumerEngine engine = bench.engine();
        bench.pass(SECOND);
        assertThat(engine.counters().pollFailure()).contains("ThrottledException");
        bench.channel.faults(request -> Fault.NONE);
        bench.pass(Duration.ofSeconds(10));

        assertThat(engine.counters().pollFailure()).isNull();
    }

    @Test
    @DisplayName("QUEUE-4: a lost response to a receive loses nothing: its messages come after the lease")
    void lostReceive() {
        send(3);
        bench.channel.faults(request -> request.startsWith("receive") ? Fault.LOST_RESPONSE : Fault.NONE);
        bench.engine();
        bench.pass(SECOND);
        bench.channel.faults(request -> Fault.NONE);
        bench.pass(Duration.ofSeconds(45));

        assertThat(bench.handled).hasSize(3);
    }

    @Test
    @DisplayName("QUEUE-4: a batch handler gets up to its size, and each message has a result of its own")
    void handlesBatches() {
        send(20);
        bench.engine(ConsumerBench.settings(2, 8, null));
        bench.pass(SECOND);
        assertThat(bench.handled).extracting(call -> call.ids().size()).containsExactly(8, 8);
        Handled first = bench.handled.get(0);
        first.messages().get(2).failure().fail(new IllegalStateException("this one"));
        first.messages().get(3).failure().reject(new IllegalStateException("undecodable"));
        first.succeeds();
        bench.pass(SECOND);

        assertThat(bench.count(Result.COMPLETED)).isEqualTo(6);
        assertThat(bench.results).contains("RETRIED m3", "POISONED m4");
        assertThat(bench.queue.holds("m3")).isTrue();
    }

    @Test
    @DisplayName("QUEUE-4: the number of handlers can be changed while it runs")
    void changesConcurrency() {
        send(40);
        ConsumerEngine engine = bench.engine(ConsumerBench.settings(4, 1, null));
        bench.pass(SECOND);
        assertThat(bench.handled).hasSize(4);
        engine.concurrency(10);
        bench.pass(SECOND);
        assertThat(bench.handled).hasSize(10);
        engine.concurrency(1);
        List.copyOf(bench.handled).forEach(Handled::succeeds);
        bench.pass(SECOND);

        assertThat(bench.handled.stream().filter(Handled::isRunning)).hasSize(1);
    }

    @Test
    @DisplayName("QUEUE-4: paused, it starts nothing and gives back what waits; resumed, it goes on at once")
    void pausesAndResumes() {
        ConsumerEngine engine = bench.engine(ConsumerBench.settings(1, 1, null));
        send(40);
        bench.pass(Duration.ofSeconds(10));
        bench.last().succeeds();
        bench.pass(SECOND);
        int started = bench.handled.size();
        engine.pause();
        bench.last().succeeds();
        bench.pass(SECOND);
        long receives = bench.channel.requests("receive");
        assertThat(engine.isPaused()).isTrue();
        assertThat(bench.queue.visible()).isEqualTo(bench.queue.size());
        bench.pass(Duration.ofMinutes(5));
        assertThat(bench.handled).hasSize(started);
        assertThat(bench.channel.requests("receive")).isEqualTo(receives);
        engine.resume();
        bench.pass(Duration.ofMillis(50));

        assertThat(bench.handled).hasSize(started + 1);
    }

    @Test
    @DisplayName("QUEUE-4: gauges show the last poll, what is held and the oldest message")
    void showsItsState() {
        ConsumerEngine engine = bench.engine(ConsumerBench.settings(1, 1, null));
        bench.pass(MINUTE);
        send(3);
        bench.pass(Duration.ofSeconds(10));
        ConsumerCounters counters = engine.counters();
        assertThat(counters.running()).isEqualTo(1);
        assertThat(counters.inHand()).isEqualTo(1);
        assertThat(counters.pollAge()).isLessThanOrEqualTo(Duration.ofSeconds(10));
        assertThat(counters.oldestAge()).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(11));
        bench.last().succeeds();
        bench.pass(SECOND);
        assertThat(counters.backlog()).isBetween(1L, 3L);
    }

    @Test
    @DisplayName("Q1: the age of a poll counts from the moment at which it is due, and not while handlers are busy")
    void pollAge() {
        ConsumerCounters counters =
                bench.engine(ConsumerBench.settings(1, 1, null)).counters();
        bench.pass(MINUTE);
        assertThat(counters.pollAge()).isLessThan(SECOND);
        send(3);
        bench.pass(MINUTE);
        assertThat(counters.running()).isEqualTo(1);
        assertThat(counters.pollAge()).isZero();

        bench.channel.faults(request -> request.startsWith("receive") ? Fault.LOST_REQUEST : Fault.NONE);
        bench.last().succeeds();
        bench.pass(MINUTE);
        assertThat(counters.pollAge()).isBetween(MINUTE.minus(SECOND), MINUTE);

        bench.channel.faults(request -> Fault.NONE);
        bench.pass(Duration.ofSeconds(15));
        assertThat(counters.pollAge()).isZero();
    }

    @Test
    @DisplayName("Q1: a paused consumer wants no poll")
    void pausedPollAge() {
        ConsumerEngine engine = bench.engine();
        bench.pass(MINUTE);
        engine.pause();
        bench.pass(MINUTE);

        assertThat(engine.counters().pollAge()).isZero();
    }

    @Test
    @DisplayName("Q1: the age of messages is that by the service's clock, and never negative")
    void oldestAgeByServiceClock() {
        bench.queue.ahead(Duration.ofHours(2));
        send(1);
        bench.pass(MINUTE);
        bench.queue.skew(() -> 900);
        ConsumerCounters counters = bench.engine().counters();
        bench.pass(Duration.ofMillis(5));
        assertThat(counters.oldestAge()).isBetween(Duration.ofSeconds(59), Duration.ofSeconds(62));

        send(1);
        bench.wake();
        bench.pass(Duration.ofMillis(5));
        assertThat(counters.oldestAge()).isBetween(Duration.ZERO, SECOND);
    }
}
