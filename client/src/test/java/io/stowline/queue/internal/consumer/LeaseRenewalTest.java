package io.stowline.queue.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.PreconditionFailedException;
import io.stowline.observe.ConsumerEvent.Result;
import io.stowline.queue.internal.consumer.SimulatedChannel.Fault;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper.LostLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LeaseRenewalTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ConsumerBench bench = new ConsumerBench();
    private final List<String> reported = new ArrayList<>();

    @BeforeEach
    void handleOne() {
        bench.queue.send("body");
        bench.engine(ConsumerBench.settings(1, 1, null));
        bench.pass(SECOND);
        bench.last().message().onLost(() -> reported.add("lost"));
    }

    private void renewals(Fault... faults) {
        AtomicInteger next = new AtomicInteger();
        bench.channel.faults(request -> {
            int at = request.startsWith("renew") ? next.getAndIncrement() : faults.length;
            return at < faults.length ? faults[at] : Fault.NONE;
        });
    }

    private void always(String verb, Fault fault) {
        bench.channel.faults(request -> request.startsWith(verb) ? fault : Fault.NONE);
    }

    @Test
    @DisplayName("QUEUE-1: a lease is renewed at half of it, as long as the handler runs")
    void renewsAtHalf() {
        bench.pass(Duration.ofSeconds(13));
        assertThat(bench.channel.requests("renew")).isZero();
        bench.pass(SECOND.multipliedBy(2));
        assertThat(bench.channel.requests("renew")).isEqualTo(1);
        bench.pass(Duration.ofMinutes(10));
        assertThat(bench.channel.requests("renew")).isBetween(40L, 42L);
        assertThat(bench.queue.dequeueCount("m1")).isEqualTo(1);
        bench.last().succeeds();
        bench.pass(SECOND);

        assertThat(bench.queue.size()).isZero();
        assertThat(reported).isEmpty();
        long renewed = bench.channel.requests("renew");
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.channel.requests("renew")).isEqualTo(renewed);
    }

    @Test
    @DisplayName("QUEUE-1: two renewals answered 503 lose nothing")
    void survivesBusyRenewals() {
        renewals(Fault.BUSY, Fault.BUSY);
        bench.pass(Duration.ofMinutes(1));
        bench.last().succeeds();
        bench.pass(SECOND);

        assertThat(bench.queue.size()).isZero();
        assertThat(bench.count(Result.LOST)).isZero();
    }

    @Test
    @DisplayName("QUEUE-1: a renewal that never reached the service is repeated with the same receipt")
    void survivesALostRenewal() {
        renewals(Fault.LOST_REQUEST);
        bench.pass(Duration.ofMinutes(1));

        assertThat(bench.last().isCancelled()).isFalse();
        assertThat(bench.queue.dequeueCount("m1")).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "QUEUE-2, OUTCOME-7: with the receipt in a lost response the handler runs to the certain end of the old"
                    + " lease")
    void losesTheReceipt() {
        renewals(Fault.LOST_RESPONSE);
        bench.pass(Duration.ofSeconds(27));
        assertThat(bench.last().isCancelled()).isFalse();
        bench.pass(Duration.ofSeconds(2));

        assertThat(bench.last().isCancelled()).isTrue();
        assertThat(reported).containsExactly("lost");
        assertThat(bench.queue.size()).isEqualTo(1);
    }

    @Test
    @DisplayName("QUEUE-2, OUTCOME-7: what completes while its receipt is lost is deleted when it comes again, and not"
            + " handled")
    void completesWithoutItsReceipt() {
        renewals(Fault.LOST_RESPONSE);
        bench.pass(Duration.ofSeconds(25));
        bench.last().succeeds();
        bench.pass(Duration.ofMinutes(2));

        assertThat(bench.handled).hasSize(1);
        assertThat(bench.queue.size()).isZero();
        assertThat(bench.results).containsExactly("COMPLETED m1");
    }

    @Test
    @DisplayName("QUEUE-1, QUEUE-2: when no renewal succeeds the handler is cancelled before the lease ends, and the"
            + " message stays")
    void losesTheLease() {
        always("renew", Fault.BUSY);
        bench.pass(Duration.ofSeconds(27));
        assertThat(bench.last().isCancelled()).isFalse();
        bench.pass(Duration.ofSeconds(1).plusMillis(100));
        assertThat(bench.last().isCancelled()).isTrue();
        assertThat(bench.queue.isVisible("m1")).isFalse();
        bench.last().succeeds();
        bench.pass(Duration.ofMinutes(1));

        assertThat(bench.results).first().isEqualTo("LOST m1");
        assertThat(bench.channel.requests("delete")).isZero();
        assertThat(bench.handled).hasSize(2);
    }

    @Test
    @DisplayName("QUEUE-1: renewals that hang are given up in time for another one")
    void hangingRenewals() {
        renewals(Fault.LOST_REQUEST, Fault.LOST_REQUEST);
        bench.pass(Duration.ofMinutes(1));

        assertThat(bench.last().isCancelled()).isFalse();
        assertThat(bench.count(Result.LOST)).isZero();
    }

    @Test
    @DisplayName("QUEUE-2: a message that another client deleted is lost at once")
    void deletedByAnother() {
        bench.queue.delete("m1");
        bench.pass(Duration.ofSeconds(15));

        assertThat(bench.last().isCancelled()).isTrue();
        assertThat(bench.last().message().lostBy()).contains("another client");
        assertThat(bench.last().message().remaining()).isZero();
    }

    @Test
    @DisplayName("QUEUE-1: after refused renewals another one is tried in the last second of the lease")
    void triesInTheLastSecond() {
        AtomicReference<Duration> last = new AtomicReference<>();
        bench.channel.faults(request -> {
            if (request.startsWith("renew")) {
                last.set(bench.last().message().remaining());
                return Fault.BUSY;
            }
            return Fault.NONE;
        });
        bench.pass(Duration.ofSeconds(30));

        assertThat(bench.count(Result.LOST)).isEqualTo(1);
        assertThat(last.get()).isBetween(Duration.ofMillis(500), SECOND);
        assertThat(bench.channel.requests("renew")).isLessThan(30);
    }

    @Test
    @DisplayName("QUEUE-2: an ending that finds the message lost is a loss, which its handler hears of")
    void lostAtItsEnd() {
        LeaseKeeper message = bench.last().message();
        bench.queue.delete("m1");
        List<Throwable> errors = new ArrayList<>();
        message.complete().subscribe(nothing -> {}, errors::add);
        bench.pass(SECOND);

        assertThat(errors).singleElement().isInstanceOf(PreconditionFailedException.class);
        assertThat(message.lostBy()).contains("another client");
        assertThat(reported).containsExactly("lost");
        message.onLost(() -> reported.add("later"));
        assertThat(reported).containsExactly("lost", "later");
        bench.last().succeeds();
        bench.pass(SECOND);
        assertThat(bench.engineInHand()).isZero();
    }

    @Test
    @DisplayName("QUEUE-3: a handler that gives its message back has it again after the retry delay, without a failure")
    void givenBackByItsHandler() {
        for (int i = 0; i < 20; i++) {
            ConsumerBench.Handled now = bench.last();
            int before = bench.handled.size();
            now.message().giveBack().subscribe();
            now.succeeds();
            bench.pass(Duration.ofMillis(1_900));
            assertThat(bench.handled).hasSize(before);
            bench.pass(Duration.ofSeconds(10));
            assertThat(bench.handled).hasSize(before + 1);
        }
        assertThat(bench.results).allMatch("RELEASED m1"::equals);
    }

    @Test
    @DisplayName("QUEUE-1: a message is held for maxHold and no longer")
    void holdsForMaxHold() {
        bench.pass(Duration.ofMinutes(59));
        assertThat(bench.last().isCancelled()).isFalse();
        bench.pass(Duration.ofMinutes(1));

        assertThat(bench.last().isCancelled()).isTrue();
        assertThat(bench.last().message().lostBy()).contains("maxHold");
        long renewals = bench.channel.requests("renew");
        bench.pass(Duration.ofMinutes(5));
        assertThat(bench.channel.requests("renew")).isEqualTo(renewals);
    }

    @Test
    @DisplayName(
            "QUEUE-2: a slot stays taken until the handler of a lost message has returned, and no second one starts"
                    + " for it")
    void oneHandlerForOneMessage() {
        always("renew", Fault.BUSY);
        bench.pass(Duration.ofMinutes(3));
        assertThat(bench.handled).hasSize(1);
        bench.channel.faults(request -> Fault.NONE);
        bench.last().succeeds();
        bench.pass(Duration.ofMinutes(1));

        assertThat(bench.handled).hasSize(2);
        bench.last().succeeds();
        bench.pass(SECOND);
        assertThat(bench.queue.size()).isZero();
    }

    @Test
    @DisplayName("QUEUE-1: an ending waits for a renewal in flight and uses its receipt")
    void endsWithTheNewestReceipt() {
        bench.channel.latency(() -> Duration.ofMillis(400));
        bench.pass(Duration.ofSeconds(14).plusMillis(200));
        assertThat(bench.channel.requests("renew")).isEqualTo(1);
        bench.last().succeeds();
        bench.pass(Duration.ofSeconds(3));

        assertThat(bench.queue.size()).isZero();
        assertThat(bench.channel.requests("delete")).isEqualTo(1);
    }

    @Test
    @DisplayName("QUEUE-2: a lost message cannot be ended, and an ended one not again")
    void endsOnce() {
        LeaseKeeper message = bench.last().message();
        message.complete().subscribe();
        List<Throwable> errors = new ArrayList<>();
        message.retryIn(SECOND).subscribe(nothing -> {}, errors::add);
        bench.pass(SECOND);
        assertThat(errors).singleElement().isInstanceOf(IllegalStateException.class);
        bench.last().succeeds();
        bench.queue.send("other");
        bench.pass(Duration.ofSeconds(10));
        bench.last().message().abandon("for the test");
        bench.last().message().complete().subscribe(nothing -> {}, errors::add);

        assertThat(errors.get(1)).isInstanceOf(LostLease.class);
    }
}
