package io.stowline.queue.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.CapturedLog;
import io.stowline.observe.ConsumerEvent.Result;
import io.stowline.queue.QueueConsumer.FailureAction;
import io.stowline.queue.internal.consumer.ConsumerEnvironment.DeliveryEnd;
import io.stowline.queue.internal.consumer.SimulatedChannel.Fault;
import io.stowline.queue.internal.consumer.handler.JudgedHandling;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PoisonRulesTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration NEXT = Duration.ofSeconds(12);

    private final ConsumerBench bench = new ConsumerBench();

    private void failTimes(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(bench.last().isRunning()).isTrue();
            bench.last().fails();
            bench.pass(NEXT);
        }
    }

    @Test
    @DisplayName("QUEUE-3: a failed message is hidden for the retry delay and handled again")
    void retries() {
        bench.queue.send("body");
        bench.engine();
        bench.pass(SECOND);
        bench.last().fails();
        bench.pass(Duration.ofMillis(1_900));
        assertThat(bench.handled).hasSize(1);
        bench.pass(Duration.ofMillis(300));

        assertThat(bench.handled).hasSize(2);
        assertThat(bench.results).containsExactly("RETRIED m1");
    }

    /** A consumer whose failures have this consequence. */
    private void judged(BiFunction<LeaseKeeper, Throwable, FailureAction> judge) {
        bench.queue.send("body");
        bench.engine(
                ConsumerBench.SETTINGS,
                new JudgedHandling(
                        (messages, progress) -> {
                            ConsumerBench.Handled call = new ConsumerBench.Handled(messages, progress);
                            bench.handled.add(call);
                            progress.began();
                            return call;
                        },
                        judge));
        bench.pass(SECOND);
    }

    @Test
    @DisplayName("QUEUE-3: a final failure has its message poisoned at once")
    void finalFailure() {
        judged((message, error) -> FailureAction.POISON);
        failTimes(1);

        assertThat(bench.handled).hasSize(1);
        assertThat(bench.queue.poison()).containsExactly("m1");
        assertThat(bench.queue.size()).isZero();
    }

    @Test
    @DisplayName("QUEUE-3: excused failures do not count, and their message comes again more slowly than at once")
    void excusedFailures() {
        judged((message, error) -> FailureAction.GIVE_BACK);
        failTimes(12);

        assertThat(bench.queue.poison()).isEmpty();
        assertThat(bench.handled).hasSize(13);
        assertThat(bench.results).hasSize(12).containsOnly("RELEASED m1");
    }

    @Test
    @DisplayName("QUEUE-3: a failure whose judge fails counts")
    void judgeFails() {
        judged((message, error) -> {
            throw new IllegalStateException("judge");
        });
        failTimes(5);

        assertThat(bench.queue.poison()).containsExactly("m1");
        assertThat(bench.handled).hasSize(5);
    }

    private DeliveryEnd lastEnd() {
        return bench.ends.get(bench.ends.size() - 1);
    }

    @Test
    @DisplayName("the end of a poisoned message has the reason of the poison queue and the failure of the handler")
    void reasonAndFailure() {
        judged((message, error) -> FailureAction.POISON);
        IllegalStateException refused = new IllegalStateException("refused");
        bench.last().fails(refused);
        bench.pass(NEXT);

        assertThat(lastEnd())
                .isEqualTo(
                        new DeliveryEnd(Result.POISONED, null, "failed, and this failure is poison at once", refused));
    }

    @Test
    @DisplayName(
            "a failure that is tried again is in the end of its delivery; poison has the last one, and its copy that fails both")
    void lastFailure() {
        bench.queue.send("body");
        bench.engine();
        bench.pass(SECOND);
        failTimes(4);
        IllegalStateException last = new IllegalStateException("the last one");

        assertThat(bench.ends).allSatisfy(end -> {
            assertThat(end.reason()).isNull();
            assertThat(end.failure()).hasMessage("handler");
        });
        bench.channel.faults(request -> request.startsWith("poison") ? Fault.BUSY : Fault.NONE);
        bench.last().fails(last);
        bench.pass(SECOND);
        assertThat(lastEnd()).satisfies(end -> {
            assertThat(end.result()).isEqualTo(Result.POISON_FAILED);
            assertThat(end.error()).isNotNull().isNotSameAs(last);
            assertThat(end.reason()).isEqualTo("failed 5 times");
            assertThat(end.failure()).isSameAs(last);
        });
        bench.pass(NEXT);
        assertThat(lastEnd()).satisfies(end -> {
            assertThat(end.result()).isEqualTo(Result.POISON_FAILED);
            assertThat(end.failure()).isSameAs(last);
        });
        bench.channel.faults(request -> Fault.NONE);
        bench.pass(NEXT);
        assertThat(lastEnd()).isEqualTo(new DeliveryEnd(Result.POISONED, null, "failed 5 times", last));
    }

    @Test
    @DisplayName("poison by hand has the reason of the handler, and a handled message has none")
    void reasonByHand() {
        bench.queue.send("first");
        bench.engine();
        bench.pass(SECOND);
        bench.last().message().poison("no such customer", null).subscribe();
        bench.last().succeeds();
        bench.pass(SECOND);
        assertThat(lastEnd()).isEqualTo(new DeliveryEnd(Result.POISONED, null, "no such customer", null));
        bench.queue.send("second");
        bench.pass(NEXT);
        bench.last().succeeds();
        bench.pass(SECOND);

        assertThat(lastEnd()).isEqualTo(new DeliveryEnd(Result.COMPLETED, null, null, null));
    }

    @Test
    @DisplayName("QUEUE-3: after five failures the message is copied to the poison queue, then deleted")
    void poisonsAfterFive() {
        bench.queue.send("body");
        bench.engine();
        bench.pass(SECOND);
        failTimes(4);
        assertThat(bench.queue.poison()).isEmpty();
        failTimes(1);

        assertThat(bench.handled).hasSize(5);
        assertThat(bench.queue.poison()).containsExactly("m1");
        assertThat(bench.queue.size()).isZero();
        assertThat(bench.channel.requests().indexOf("poison m1"))
                .isLessThan(bench.channel.requests().indexOf("delete m1"));
        assertThat(bench.results).last().isEqualTo("POISONED m1");
    }

    @Test
    @DisplayName("QUEUE-3: a copy that fails never loses the original, which is not handled again")
    void failedCopy() {
        bench.queue.send("body");
        bench.engine();
        bench.pass(SECOND);
        failTimes(4);
        bench.channel.faults(request -> request.startsWith("poison") ? Fault.BUSY : Fault.NONE);
        try (CapturedLog log = new CapturedLog(ConsumerEngine.class.getName())) {
            failTimes(1);
            bench.pass(Duration.ofMinutes(1));
            assertThat(log.text())
                    .containsPattern("WARN .* is not copied to the poison queue and stays: \\S+Exception.*\\R.*DEBUG ");
        }
        assertThat(bench.queue.holds("m1")).isTrue();
        assertThat(bench.handled).hasSize(5);
        assertThat(bench.count(Result.POISON_FAILED)).isGreaterThan(1);
        bench.channel.faults(request -> Fault.NONE);
        bench.pass(NEXT);

        assertThat(bench.queue.poison()).containsExactly("m1");
        assertThat(bench.queue.size()).isZero();
        assertThat(bench.handled).hasSize(5);
    }

    @Test
    @DisplayName("QUEUE-3: the lease is renewed while a copy is made")
    void renewsDuringTheCopy() {
        bench.queue.send("body");
        bench.engine();
        bench.pass(SECOND);
        failTimes(4);
        bench.channel.latency(() -> Duration.ofSeconds(10));
        bench.last().fails();
        bench.pass(Duration.ofSeconds(19));
        assertThat(bench.channel.requests("renew")).isPositive();
        bench.channel.latency(() -> Duration.ofMillis(2));
        bench.pass(Duration.ofMinutes(1));

        assertThat(bench.queue.poison()).containsExactly("m1");
        assertThat(bench.queue.size()).isZero();
    }

    @Test
    @DisplayName(
            "QUEUE-3: a message whose copy was made, but not its deletion, is deleted when it comes again, without a"
                    + " second copy")
    void deletionAfterTheCopyFails() {
        bench.queue.send("body");
        bench.engine();
        bench.pass(SECOND);
        failTimes(4);
        bench.channel.faults(request -> request.startsWith("delete") ? Fault.LOST_REQUEST : Fault.NONE);
        failTimes(1);
        bench.channel.faults(request -> Fault.NONE);
        bench.pass(Duration.ofMinutes(2));

        assertThat(bench.queue.poison()).containsExactly("m1");
        assertThat(bench.queue.size()).isZero();
        assertThat(bench.handled).hasSize(5);
    }

    @Test
    @DisplayName(
            "QUEUE-3: a message that kills its process is poison by delivery 11, in a process that knows nothing of it")
    void killer() {
        bench.queue.send("first");
        bench.queue.send("second");
        bench.queue.received("m1", 9);
        bench.queue.received("m2", 10);
        bench.engine();
        bench.pass(SECOND);

        assertThat(bench.handled).singleElement().satisfies(call -> assertThat(call.ids())
                .isEqualTo(List.of("m1")));
        assertThat(bench.queue.poison()).containsExactly("m2");
        assertThat(bench.queue.holds("m2")).isFalse();
    }

    @Test
    @DisplayName("QUEUE-3: deliveries that were given back by this process do not count")
    void releasesDoNotCount() {
        bench.queue.send("body");
        ConsumerEngine engine = bench.engine(ConsumerBench.settings(1, 1, null));
        for (int i = 0; i < 30; i++) {
            bench.pass(NEXT);
            bench.last().message().release(Duration.ZERO).subscribe();
            bench.last().succeeds();
            engine.wake(SimulatedQueue.NAME);
        }
        bench.pass(NEXT);

        assertThat(bench.queue.poison()).isEmpty();
        assertThat(bench.queue.dequeueCount("m1")).isEqualTo(31);
    }

    @Test
    @DisplayName("QUEUE-3: a handler timeout cancels the handler and counts as a failure")
    void timeoutCounts() {
        bench.queue.send("body");
        bench.engine(ConsumerBench.settings(1, 1, Duration.ofSeconds(5)));
        for (int i = 1; i <= 5; i++) {
            bench.pass(NEXT);
            assertThat(bench.handled).hasSize(i);
            assertThat(bench.last().isCancelled()).isTrue();
            assertThat(bench.queue.poison()).hasSize(i == 5 ? 1 : 0);
            bench.last().succeeds();
        }
        bench.pass(NEXT);

        assertThat(bench.handled).hasSize(5);
        assertThat(bench.count(Result.COMPLETED)).isZero();
        assertThat(bench.queue.size()).isZero();
    }

    @Test
    @DisplayName("QUEUE-6: an undecodable message is poison at once, and the others are handled")
    void undecodable() {
        bench.queue.send("broken");
        bench.queue.send("sound");
        bench.engine();
        bench.pass(SECOND);
        bench.handled.get(0).message().failure().reject(new IllegalArgumentException("no JSON"));
        bench.handled.get(0).succeeds();
        bench.handled.get(1).succeeds();
        bench.pass(SECOND);

        assertThat(bench.queue.poison()).containsExactly("m1");
        assertThat(bench.results).containsExactlyInAnyOrder("POISONED m1", "COMPLETED m2");
        assertThat(bench.ends)
                .filteredOn(end -> end.result() == Result.POISONED)
                .singleElement()
                .satisfies(end -> {
                    assertThat(end.reason()).isEqualTo("cannot be decoded");
                    assertThat(end.failure()).hasMessage("no JSON");
                });
        assertThat(bench.queue.size()).isZero();
    }

    @Test
    @DisplayName(
            "QUEUE-3: a retry that a handler asks for counts as a failure; poison that it asks for is made at once")
    void endedByHand() {
        bench.queue.send("body");
        ConsumerEngine engine = bench.engine();
        for (int i = 1; i <= 5; i++) {
            bench.pass(NEXT);
            assertThat(bench.handled).hasSize(i);
            bench.last().message().retryIn(SECOND).subscribe();
            bench.last().succeeds();
        }
        bench.pass(NEXT);
        assertThat(bench.queue.poison()).containsExactly("m1");

        bench.queue.send("body");
        engine.wake(SimulatedQueue.NAME);
        bench.pass(SECOND);
        bench.last().message().poison("a wrong address", null).subscribe();
        bench.last().succeeds();
        bench.pass(SECOND);
        assertThat(bench.queue.poison()).containsExactly("m1", "m2");
    }

    @Test
    @DisplayName("QUEUE-3: a message that is given back while it is copied is given back if the copy fails")
    void givenBackDuringAFailingCopy() {
        bench.queue.send("body");
        bench.engine();
        bench.pass(SECOND);
        bench.channel.faults(request -> request.startsWith("poison") ? Fault.BUSY : Fault.NONE);
        LeaseKeeper message = bench.last().message();
        List<String> ends = new ArrayList<>();
        message.poison("x", null).subscribe(done -> {}, e -> ends.add("not copied"));
        message.release(Duration.ZERO).subscribe(done -> {}, e -> ends.add("failed"), () -> ends.add("given back"));
        bench.pass(SECOND);

        assertThat(ends).containsExactly("not copied", "given back");
        assertThat(bench.channel.requests()).contains("giveBack m1");
        assertThat(message.isOver()).isTrue();
    }

    @Test
    @DisplayName("QUEUE-2: a message in hand that the service shows early goes on with the newer receipt, and is not"
            + " started twice")
    void shownEarly() {
        bench.queue.skew(() -> 29_500);
        bench.queue.send("body");
        ConsumerEngine engine = bench.engine();
        bench.pass(SECOND);
        bench.queue.skew(() -> 0);
        engine.wake(SimulatedQueue.NAME);
        bench.pass(SECOND);
        assertThat(bench.queue.dequeueCount("m1")).isGreaterThan(1);
        assertThat(bench.handled).hasSize(1);
        bench.last().succeeds();
        bench.pass(SECOND);

        assertThat(bench.queue.size()).isZero();
    }
}
