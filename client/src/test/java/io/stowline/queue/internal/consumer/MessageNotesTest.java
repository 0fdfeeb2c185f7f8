package io.stowline.queue.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.OutcomeUnknownException;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.consumer.SimulatedChannel.Fault;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper.LostLease;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;

@DisplayName("QUEUE-3, Q6: a message in an envelope carries its checkpoints and counts")
class MessageNotesTest {

    private final ConsumerBench bench = new ConsumerBench();

    @BeforeEach
    void envelopes() {
        bench.envelopes = EnvelopedText.FORMAT;
    }

    private String send() {
        return bench.queue.send(EnvelopedText.of(EnvelopedText.FORMAT, "body"));
    }

    private MessageEnvelope stored(String id) {
        return Objects.requireNonNull(EnvelopedText.FORMAT.own(bench.queue.text(id)));
    }

    private static AtomicReference<Signal<Void>> result(Mono<Void> work) {
        AtomicReference<Signal<Void>> end = new AtomicReference<>();
        work.materialize().subscribe(end::set);
        return end;
    }

    @Test
    @DisplayName("a checkpoint is stored at once by an update, which renews the lease")
    void checkpoint() {
        String id = send();
        bench.engine();
        bench.pass(Duration.ofSeconds(5));

        AtomicReference<Signal<Void>> end = result(bench.last().message().checkpoint("page 42"));
        bench.pass(Duration.ofMillis(100));

        assertThat(end.get().isOnComplete()).isTrue();
        assertThat(stored(id).checkpoint()).isEqualTo("page 42");
        assertThat(bench.channel.requests("renew")).isEqualTo(1);
        assertThat(bench.last().message().remaining()).isGreaterThan(Duration.ofSeconds(28));
    }

    @Test
    @DisplayName("the next handler finds the checkpoint, also in another process")
    void nextHandler() {
        send();
        bench.engine();
        bench.pass(Duration.ofSeconds(1));
        bench.last().message().checkpoint("page 42").subscribe();
        bench.pass(Duration.ofSeconds(1));
        bench.stop(Duration.ofSeconds(1));
        bench.pass(Duration.ofSeconds(2));

        bench.engine();
        bench.pass(Duration.ofMinutes(1));

        assertThat(Objects.requireNonNull(bench.last().message().envelope()).checkpoint())
                .isEqualTo("page 42");
    }

    @Test
    @DisplayName("a checkpoint that the service refuses to store for now is repeated, and the newest one wins")
    void repeats() {
        String id = send();
        bench.engine();
        bench.pass(Duration.ofSeconds(1));
        bench.channel.faults(request -> request.startsWith("renew") ? Fault.BUSY : Fault.NONE);
        AtomicReference<Signal<Void>> first = result(bench.last().message().checkpoint("1"));
        AtomicReference<Signal<Void>> second = result(bench.last().message().checkpoint("2"));
        bench.pass(Duration.ofSeconds(5));
        assertThat(first.get()).isNull();

        bench.channel.faults(request -> Fault.NONE);
        bench.pass(Duration.ofSeconds(5));

        assertThat(first.get().isOnComplete()).isTrue();
        assertThat(second.get().isOnComplete()).isTrue();
        assertThat(stored(id).checkpoint()).isEqualTo("2");
    }

    @Test
    @DisplayName("a checkpoint fails with the loss of its message")
    void lost() {
        send();
        bench.engine();
        bench.pass(Duration.ofSeconds(1));
        bench.channel.faults(request -> request.startsWith("renew") ? Fault.BUSY : Fault.NONE);
        AtomicReference<Signal<Void>> end = result(bench.last().message().checkpoint("1"));

        bench.pass(Duration.ofMinutes(1));

        assertThat(end.get().getThrowable()).isInstanceOf(LostLease.class);
    }

    @Test
    @DisplayName("a checkpoint that its renewal stores after the message was let go is stored")
    void storedAfterTheMessageWasLeft() {
        String id = send();
        bench.engine();
        bench.pass(Duration.ofSeconds(1));
        bench.channel.latency(() -> Duration.ofMillis(300));
        AtomicReference<Signal<Void>> carried = result(bench.last().message().checkpoint("1"));
        bench.pass(Duration.ofMillis(100));
        AtomicReference<Signal<Void>> late = result(bench.last().message().checkpoint("2"));

        bench.last().message().abandon("its client was closed");
        assertThat(carried.get()).isNull();
        assertThat(late.get().getThrowable()).isInstanceOf(LostLease.class);

        bench.pass(Duration.ofSeconds(1));
        assertThat(carried.get().isOnComplete()).isTrue();
        assertThat(stored(id).checkpoint()).isEqualTo("1");
    }

    @Test
    @DisplayName(
            "OUTCOME-1: a checkpoint whose renewal had no response before the loss may be stored, and one behind it is not")
    void mayBeStored() {
        String id = send();
        bench.engine();
        bench.pass(Duration.ofSeconds(1));
        bench.channel.faults(request -> request.startsWith("renew") ? Fault.LOST_RESPONSE : Fault.NONE);
        AtomicReference<Signal<Void>> unknown = result(bench.last().message().checkpoint("1"));
        bench.pass(Duration.ofSeconds(1));
        bench.channel.faults(request -> request.startsWith("renew") ? Fault.BUSY : Fault.NONE);
        AtomicReference<Signal<Void>> refused = result(bench.last().message().checkpoint("2"));

        bench.pass(Duration.ofMinutes(1));

        assertThat(unknown.get().getThrowable()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(refused.get().getThrowable()).isInstanceOf(LostLease.class);
        assertThat(stored(id).checkpoint()).isEqualTo("1");
    }

    @Test
    @DisplayName("a checkpoint that waits is stored by the update that gives the message back")
    void givenBack() {
        String id = send();
        bench.engine();
        bench.pass(Duration.ofSeconds(1));
        bench.channel.faults(request -> request.startsWith("renew") ? Fault.BUSY : Fault.NONE);
        AtomicReference<Signal<Void>> end = result(bench.last().message().checkpoint("1"));
        bench.last().fails();
        bench.pass(Duration.ofSeconds(1));

        assertThat(end.get().isOnComplete()).isTrue();
        assertThat(stored(id).checkpoint()).isEqualTo("1");
        assertThat(stored(id).failures()).isEqualTo(1);
    }

    @Test
    @DisplayName("a plain message refuses a checkpoint, and keeps its text when it is given back")
    void plain() {
        String id = bench.queue.send("body");
        bench.engine();
        bench.pass(Duration.ofSeconds(1));

        AtomicReference<Signal<Void>> end = result(bench.last().message().checkpoint("1"));
        bench.last().fails();
        bench.pass(Duration.ofSeconds(1));

        assertThat(end.get().getThrowable()).isInstanceOf(IllegalStateException.class);
        assertThat(bench.queue.text(id)).isEqualTo("body");
    }

    @Test
    @DisplayName("QUEUE-3: failures in five processes make a message poison")
    void failuresAcrossProcesses() {
        String id = send();
        for (int process = 1; process <= 5; process++) {
            assertThat(bench.queue.poison()).isEmpty();
            bench.engine();
            bench.pass(Duration.ofMinutes(1));
            assertThat(bench.handled).hasSize(process);
            bench.last().fails();
            bench.pass(Duration.ofMillis(500));
            bench.stop(Duration.ofSeconds(1));
            bench.pass(Duration.ofSeconds(5));
        }

        assertThat(bench.queue.poison()).containsExactly(id);
        assertThat(bench.queue.holds(id)).isFalse();
    }

    @Test
    @DisplayName("QUEUE-3: 20 graceful restarts make no message poison")
    void gracefulRestarts() {
        String id = send();
        for (int process = 0; process < 20; process++) {
            bench.engine();
            bench.pass(Duration.ofMillis(3));
            bench.stop(Duration.ofSeconds(1));
            bench.pass(Duration.ofSeconds(5));
        }
        assertThat(bench.queue.dequeueCount(id)).isEqualTo(20);
        assertThat(stored(id).releases()).isEqualTo(20);

        bench.engine();
        bench.pass(Duration.ofSeconds(1));

        assertThat(bench.queue.poison()).isEmpty();
        assertThat(bench.handled).hasSize(1);
    }

    @Test
    @DisplayName("the second message of one send is completed without its handler")
    void copies() {
        String text = EnvelopedText.of(EnvelopedText.FORMAT, "body");
        bench.queue.send(text);
        bench.engine();
        bench.pass(Duration.ofSeconds(1));
        bench.last().succeeds();
        bench.pass(Duration.ofSeconds(1));

        bench.queue.send(text);
        bench.pass(Duration.ofSeconds(15));

        assertThat(bench.handled).hasSize(1);
        assertThat(bench.queue.size()).isZero();
    }

    private void sendTwice() {
        String text = EnvelopedText.of(EnvelopedText.FORMAT, "body");
        bench.queue.send(text);
        bench.queue.send(text);
    }

    @Test
    @DisplayName(
            "two messages of one send in one receive: the second waits for the first, and is completed without its handler")
    void copiesAtOnce() {
        sendTwice();
        bench.engine();
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.handled).hasSize(1);
        assertThat(bench.engineInHand()).isEqualTo(2);

        bench.last().succeeds();
        bench.pass(Duration.ofSeconds(1));

        assertThat(bench.handled).hasSize(1);
        assertThat(bench.queue.size()).isZero();
        assertThat(bench.engineInHand()).isZero();
    }

    @Test
    @DisplayName("two messages of one send: when the first fails, the second is handled")
    void copyAfterFailure() {
        sendTwice();
        bench.engine();
        bench.pass(Duration.ofSeconds(1));
        bench.last().fails();
        bench.pass(Duration.ofMillis(100));
        assertThat(bench.handled).hasSize(2);

        bench.last().succeeds();
        bench.pass(Duration.ofMinutes(10));

        assertThat(bench.handled).hasSize(2);
        assertThat(bench.queue.size()).isZero();
    }

    @Test
    @DisplayName("a batch has one message of each send, and what follows in the queue goes into it")
    void copiesInABatch() {
        sendTwice();
        bench.queue.send(EnvelopedText.of(EnvelopedText.FORMAT, "other"));
        bench.engine(ConsumerBench.settings(1, 3, null));
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.last().messages()).hasSize(2);

        bench.last().succeeds();
        bench.pass(Duration.ofMinutes(1));

        assertThat(bench.handled).hasSize(1);
        assertThat(bench.queue.size()).isZero();
    }
}
